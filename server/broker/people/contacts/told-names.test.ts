import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { businessTime } from "../../../../src/business-time.ts";
import { createClient } from "../../../../src/client.ts";
import { type Approval, type Movement, personContract } from "../../../../src/contract/broker/broker.ts";
import {
  aBroker,
  ORIGIN,
  ownPage,
  type PersonClient,
  SHOP_ORIGIN,
  type TestBroker,
} from "../../../../test/support/broker.ts";
import { readPdfText } from "../../../../test/support/read-pdf-text.ts";
import { aUser } from "../../../../test/support/service.ts";
import { setPowers } from "../../../../test/support/set-powers.ts";

let broker: TestBroker;
let ben: PersonClient;
let ana: PersonClient;
let cookie: string;
/** Every answer that Ana got, as text, but for the text of codes, which a payee shows by themselves. */
const answers: string[] = [];

beforeAll(async () => {
  broker = await aBroker({ wait: async () => undefined });
  await setPowers(broker, { firstParty: true });
  [ben, cookie] = [await broker.as("other"), await broker.signIn("payer")];
  const heard: typeof fetch = async (input, init) => {
    const response = await broker.fetch(input, init);
    answers.push((await response.clone().text()).replace(/"payload":"[^"]*"/g, ""));
    return response;
  };
  ana = createClient(personContract, { baseUrl: ORIGIN, fetch: heard, headers: () => ownPage(cookie) });
});
afterAll(() => broker.stop());

async function confirmed(person: PersonClient, { id, payee, amount, reference }: Approval): Promise<Approval> {
  const fields = { payee, amount, ...(reference === undefined ? {} : { reference }) };
  return (await person.confirmApproval({ params: { id }, body: { ...fields, demo: true } })).body;
}

async function transferred(person: PersonClient, phone: string, amount: number): Promise<Approval> {
  const { handle } = (await person.lookUp({ body: { phone } })).body;
  return confirmed(person, (await person.openApproval({ body: { handle, amount } })).body);
}

/** Pays a code of Ben's in each way, and is given one payment back. */
async function paidByCode(): Promise<void> {
  const [fixed, open] = [await ben.createMyQr({ body: { amount: 2_000 } }), await ben.createMyQr({ body: {} })];
  await ana.createScan({ body: { payload: open.body.payload } });
  await ana.createScan({ body: { link: fixed.body.app_link } });
  await ana.createScan({ body: { reference: fixed.body.reference ?? "" } });
  const { body: paid } = await ana.openApproval({ body: { payload: fixed.body.payload } });
  await confirmed(ana, paid);
  await confirmed(ana, (await ana.openApproval({ body: { payload: open.body.payload, amount: 3_000 } })).body);
  const [received] = (await ben.myReceived({ query: {} })).body;
  await confirmed(ben, (await ben.openApproval({ body: { transaction_id: received?.id ?? "", amount: 500 } })).body);
}

async function everyList(): Promise<readonly Movement[]> {
  const lists = [await ana.myHistory({ query: {} }), await ana.myReceived({ query: {} })];
  const all = [...lists, await ana.myTransfers({ query: {} })].flatMap(({ body }) => body);
  await ana.mySummary({ query: {} });
  for (const { receipt } of all) {
    if (receipt !== undefined) await ana.verifyReceipt({ body: { receipt } });
  }
  return all;
}

async function everyStatement(): Promise<void> {
  const month = businessTime(broker.options.timeZone).dayOf(broker.options.clock()).slice(0, 7);
  for (const accept of ["application/json", "text/csv", "application/pdf"]) {
    const headers = { ...ownPage(cookie), accept };
    const response = await broker.fetch(`${ORIGIN}/v1/me/statement?month=${month}`, { headers });
    expect(response.status).toBe(200);
    const bytes = new Uint8Array(await response.arrayBuffer());
    answers.push(accept === "application/pdf" ? readPdfText(bytes).flat().join("\n") : new TextDecoder().decode(bytes));
  }
}

async function everyPage(): Promise<void> {
  // Past the time for which pages share an answer.
  broker.advance(6);
  const body = { kind: "quota" as const, user: broker.ana.id, origin: SHOP_ORIGIN };
  const { session } = (await broker.merchant.createSession({ body })).body;
  answers.push(JSON.stringify((await broker.quotaPage(session).widgetSession({})).body));
}

/** Asks for everything that names anybody, and returns the lists. */
async function askAll(): Promise<readonly Movement[]> {
  const sent = await transferred(ana, broker.ben.phone, 1_000);
  await ana.approval({ params: { id: sent.id } });
  expect((await transferred(ana, broker.ben.phone, 900_000)).state).toBe("rejected");
  await ana.lookUp({ body: { nit: broker.ben.nit } });
  await paidByCode();
  const all = await everyList();
  const again = (await ana.openApproval({ body: { contact_id: broker.ben.id, amount: 1 } })).body;
  await ana.withdrawApproval({ params: { id: again.id } });
  await everyStatement();
  await everyPage();
  await ana.me({});
  await ana.myAccountChanges({});
  await ana.myNicknames({});
  return all;
}

describe("a person's full name", () => {
  it("is in no answer to somebody whom they never paid, whatever that one pays and asks", async () => {
    const all = await askAll();
    const kinds = all.map(({ kind, direction, status }) => `${kind} ${direction} ${status}`);
    for (const kind of [
      "transfer sent approved",
      "transfer sent rejected",
      "qr sent approved",
      "refund received approved",
    ]) {
      expect(kinds).toContain(kind);
    }
    expect(all.every(({ counterparty }) => counterparty === "Ben R.")).toBe(true);
    expect(answers.filter((text) => text.includes("Ben R.")).length).toBeGreaterThan(20);
    expect(answers.filter((text) => text.includes("Ruiz"))).toEqual([]);
  });

  it("is told once they have paid, in every answer, of what was before too", async () => {
    await transferred(ben, broker.ana.phone, 700);
    const [latest] = (await ana.myTransfers({ query: {} })).body;
    expect(latest).toMatchObject({ direction: "received", counterparty: "Ben Ruiz", counterparty_id: broker.ben.id });
    answers.length = 0;
    const all = await askAll();
    expect(all.every(({ counterparty }) => counterparty === "Ben Ruiz")).toBe(true);
    // Receipts are for anybody.
    const masked = answers.filter((text) => text.includes("Ben R."));
    expect(masked.every((text) => text.includes('"payee":"Ben R."') || text.includes('"payer":"Ben R."'))).toBe(true);
    expect(masked.length).toBe(all.filter(({ receipt }) => receipt !== undefined).length);
  });

  it("is not told by a payment that was rejected, or is only held", async () => {
    const eva = await aUser(broker.entity, { name: "Eva Luna Paz", quota: 100 });
    const paying = { from_user_id: eva.id, to_user_id: broker.ana.id };
    await broker.entity.client.createTransaction({ body: { ...paying, amount: 900 } });
    const held = await broker.entity.client.createTransaction({ body: { ...paying, amount: 5, status: "pending" } });
    const namesOf = async () =>
      (await ana.myHistory({ query: { limit: "2" } })).body.map(({ counterparty, status }) => [counterparty, status]);
    expect(await namesOf()).toEqual([
      ["Eva L. P.", "pending"],
      ["Eva L. P.", "rejected"],
    ]);
    await broker.entity.client.settleTransaction({ body: { id: held.body.id, status: "approved" } });
    expect((await namesOf())[0]).toEqual(["Eva Luna Paz", "approved"]);
  });

  it("of a business and of a merchant is told to everybody", async () => {
    const business = {
      name: "Rosa Díaz Mora",
      business_name: "Flores Rosa Díaz",
      nit: "900777001",
      phone: "3009990001",
    };
    await broker.entity.client.createUser({ body: business });
    for (const [phone, name] of [
      [business.phone, "Flores Rosa Díaz"],
      [broker.shop.phone, "Café La Esquina"],
    ] as const) {
      expect((await ana.lookUp({ body: { phone } })).body.name).toBe(name);
    }
  });
});

describe("a transfer to a contact", () => {
  it("needs no look-up, and is to nobody else", async () => {
    const { body } = await ana.openApproval({ body: { contact_id: broker.ben.id.toUpperCase(), amount: 900 } });
    expect(body).toMatchObject({ operation: "transfer", payee: "Ben Ruiz", amount: 900, first_time_payee: false });
    expect((await confirmed(ana, body)).state).toBe("approved");
    const stranger = await aUser(broker.entity, { name: "Nadie Conocido" });
    for (const id of [stranger.id, broker.ana.id]) {
      const opened = ana.openApproval({ body: { contact_id: id, amount: 1 } });
      await expect(opened).rejects.toMatchObject({ code: "look_up_expired" });
    }
  });
});
