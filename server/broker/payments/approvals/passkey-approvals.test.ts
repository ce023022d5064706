import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Approval } from "../../../../src/contract/broker/broker.ts";
import type { JsonObject } from "../../../../src/contract/shared/fields.ts";
import { aBroker, anOrder, type PersonClient, type TestBroker } from "../../../../test/support/broker.ts";
import { aPasskeyDevice } from "../../../../test/support/passkey-device.ts";
import type { PasskeyChanges } from "../../../../test/support/software-passkey.ts";
import { type Broker, createBroker } from "../../create-broker.ts";

type Device = Awaited<ReturnType<typeof aPasskeyDevice>>;

let broker: TestBroker;
/** Another process of the broker, on the same database. */
let elsewhere: Broker;
let phone: Device;
let bensPhone: Device;

beforeAll(async () => {
  broker = await aBroker();
  elsewhere = createBroker(broker.options);
  phone = await aPasskeyDevice({ ...broker, fetch: eitherProcess }, "payer");
  bensPhone = await aPasskeyDevice(broker, "other");
});
afterAll(async () => {
  await elsewhere.close();
  await broker.stop();
});

let asked = 0;
/** Sends every other request to another process. */
const eitherProcess: typeof fetch = async (input, init) => {
  asked += 1;
  if (asked % 2 === 0) return broker.fetch(input, init);
  const request = new Request(input, init);
  request.headers.set("host", new URL(request.url).host);
  return elsewhere.app.fetch(request);
};

async function opened(client: PersonClient = phone.client): Promise<Approval> {
  const { session } = await anOrder(broker, { amount: 1_000 });
  const { payload } = (await broker.widget(session).widgetSession({})).body;
  return (await client.openApproval({ body: { payload } })).body;
}

function signed({ options = {} }: Approval, changes: PasskeyChanges = {}, by: Device = phone): JsonObject {
  return by.passkey.assert(options, changes);
}

function confirm(approval: Approval, credential: JsonObject | undefined, changes: object = {}, client = phone.client) {
  const { id, payee, amount, reference = "" } = approval;
  const given = credential === undefined ? {} : { credential };
  return client.confirmApproval({ params: { id }, body: { payee, amount, reference, ...given, ...changes } });
}

async function stateOf({ id }: Approval): Promise<string> {
  return (await phone.client.approval({ params: { id } })).body.state;
}

async function sentFor({ id }: Approval): Promise<number> {
  return (await broker.service.sql`select from service.transactions where details ->> 'approval' = ${id}`).length;
}

describe("an approval by passkey", () => {
  it("asks for this person's passkeys and pays with the one that answers, which the audit keeps", async () => {
    const approval = await opened();
    expect(approval).toMatchObject({ method: "passkey", operation: "pay" });
    expect(approval.options).toMatchObject({
      rpId: "localhost",
      userVerification: "required",
      allowCredentials: [{ id: phone.passkey.credentialId }],
    });
    const credential = signed(approval);
    const { body } = await confirm(approval, credential);
    expect(body).toMatchObject({ state: "approved" });
    expect(body.options).toBeUndefined();
    const [kept] = await broker.sql<{ facts: string; passkey_id: string }[]>`
      select r.facts, a.passkey_id from broker.audit_records r join broker.approvals a on a.id::text = r.subject
      where r.subject = ${approval.id} and r.outcome = 'consumed'`;
    expect(kept?.passkey_id).toBe(phone.passkeyId);
    const { clientDataJSON, authenticatorData, signature } = credential.response as JsonObject;
    expect(JSON.parse(kept?.facts ?? "")).toMatchObject({
      ...{ method: "passkey", credential_id: credential.id, signature },
      ...{ client_data_json: clientDataJSON, authenticator_data: authenticatorData },
    });
  });

  it("answered twenty times at once by one counting passkey pays once, and tells all the same", async () => {
    const approval = await opened();
    const credential = signed(approval, { counter: 7 });
    const answers = await Promise.all(Array.from({ length: 20 }, () => confirm(approval, credential)));
    expect(new Set(answers.map(({ body }) => `${body.state} ${body.transaction_id}`)).size).toBe(1);
    expect(answers[0]?.body.state).toBe("approved");
    expect(await sentFor(approval)).toBe(1);
    await broker.sql`update broker.passkeys set counter = 0`;
  });

  it("tells only the outcome when a captured answer comes again, and pays nothing else with it", async () => {
    const [approval, other] = [await opened(), await opened()];
    const credential = signed(approval);
    const first = await confirm(approval, credential);
    const again = await confirm(approval, credential);
    expect(again.body.transaction_id).toBe(first.body.transaction_id);
    await expect(confirm(other, credential)).rejects.toMatchObject({ code: "passkey_refused" });
    expect([await sentFor(approval), await sentFor(other)]).toEqual([1, 0]);
  });

  it.each([
    ["amount", { amount: 1 }],
    ["payee", { payee: "Somebody else" }],
    ["reference", { reference: "7K3M9QXT2V4FW" }],
  ])("is refused when the %s was tampered with on the way to it", async (_field, changes) => {
    const approval = await opened();
    await expect(confirm(approval, signed(approval), changes)).rejects.toMatchObject({ code: "approval_mismatch" });
    expect(await stateOf(approval)).toBe("open");
  });

  it.each([
    ["amount", "amount = amount + 1"],
    ["payee", "payee_id = gen_random_uuid()"],
    ["reference", "reference = '7K3M9QXT2V4FW'"],
  ])("whose stored %s is another than the one that was signed is refused", async (_field, change) => {
    const approval = await opened();
    const credential = signed(approval);
    await broker.sql.unsafe(`update broker.approvals set ${change} where id = '${approval.id}'`);
    const [row] = await broker.sql`select amount, reference from broker.approvals where id = ${approval.id}`;
    const shown = { amount: Number(row?.amount) / 100, reference: row?.reference };
    await expect(confirm(approval, credential, shown)).rejects.toMatchObject({ code: "passkey_refused" });
    expect(await stateOf(approval)).toBe("open");
  });

  it.each([
    ["without the person verified", { userVerified: false }],
    ["from another page", { origin: "https://cupo.example.evil.example" }],
    ["for another host", { rpId: "evil.example" }],
  ])("answered %s is refused, and recorded", async (_how, changes) => {
    const approval = await opened();
    await expect(confirm(approval, signed(approval, changes))).rejects.toMatchObject({ code: "passkey_refused" });
    expect(await stateOf(approval)).toBe("open");
    const kept = await broker.sql`
      select from broker.audit_records where subject = ${approval.id} and outcome = 'passkey_refused'`;
    expect(kept.length).toBe(1);
  });

  it("is refused with another person's passkey, and another person finds no such approval", async () => {
    const approval = await opened();
    const theirs = signed(approval, {}, bensPhone);
    await expect(confirm(approval, theirs)).rejects.toMatchObject({ code: "passkey_refused" });
    const asBen = confirm(approval, theirs, {}, bensPhone.client);
    await expect(asBen).rejects.toMatchObject({ code: "not_found" });
    expect(await stateOf(approval)).toBe("open");
  });

  it("is refused without a passkey, also with the demo's word for one", async () => {
    const approval = await opened();
    await expect(confirm(approval, undefined)).rejects.toMatchObject({ code: "not_allowed" });
    await expect(confirm(approval, undefined, { demo: true })).rejects.toMatchObject({ code: "not_allowed" });
    expect(await stateOf(approval)).toBe("open");
  });

  it("on a device that may not pay yet is shown with the day from which it may, and refused until then", async () => {
    const mayPayFrom = new Date(broker.options.clock().getTime() + 86_400_000);
    const fresh = await aPasskeyDevice(broker, "payer", { mayPayFrom });
    const approval = await opened(fresh.client);
    expect(approval.may_pay_from).toBe(mayPayFrom.toISOString());
    const early = confirm(approval, signed(approval, {}, fresh), {}, fresh.client);
    await expect(early).rejects.toMatchObject({ code: "device_too_new" });
    // Nor does it help to show the new passkey in the session of an old one.
    const onOld = await opened();
    await expect(confirm(onOld, signed(onOld, {}, fresh))).rejects.toMatchObject({ code: "device_too_new" });
    broker.advance(86_401);
    const later = await opened(fresh.client);
    expect(later.may_pay_from).toBeUndefined();
    expect((await confirm(later, signed(later, {}, fresh), {}, fresh.client)).body.state).toBe("approved");
  });
});
