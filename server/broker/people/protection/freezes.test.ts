import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { asOperator, haveRole, type OperatorClient } from "../../../../test/support/as-operator.ts";
import { aBroker, anOrder, ORIGIN, ownPage, SHOP_ORIGIN, type TestBroker } from "../../../../test/support/broker.ts";
import { browserAt } from "../../../../test/support/enrolled-device.ts";
import { aPasskeyDevice } from "../../../../test/support/passkey-device.ts";
import { aUser } from "../../../../test/support/service.ts";
import { setPowers } from "../../../../test/support/set-powers.ts";

let broker: TestBroker;
let operator: OperatorClient;

beforeAll(async () => {
  broker = await aBroker();
  operator = await asOperator(broker);
  await setPowers(broker, { firstParty: true, sellsTopUps: true });
});
afterAll(() => broker.stop());

const frozen = { code: "account_frozen" };
const unauthorized = { code: "unauthorized" };
const ana = () => ({ params: { user_id: broker.ana.id } });

async function isBlocked(id: string): Promise<boolean> {
  return (await broker.entity.client.user({ query: { id } })).body.blocked === true;
}

async function signInBy(passkey: Awaited<ReturnType<typeof aPasskeyDevice>>["passkey"]) {
  const { options } = (await browserAt(broker, "").startSignIn({})).body;
  return browserAt(broker, "").signIn({ body: { credential: passkey.assert(options) } });
}

describe("a person who freezes the account", () => {
  it("is signed out everywhere, and no passkey is good for anything until an admin lifts that", async () => {
    const [phone, tablet] = [await aPasskeyDevice(broker, "payer"), await aPasskeyDevice(broker, "payer")];
    const { session } = await anOrder(broker);
    const { payload } = (await broker.widget(session).widgetSession({})).body;
    const { body: approval } = await phone.client.openApproval({ body: { payload } });
    const ended = await tablet.client.freezeMe({});
    expect(ended.headers.get("set-cookie")).toContain("Max-Age=0");
    for (const { client, passkey } of [phone, tablet]) {
      await expect(client.me({})).rejects.toMatchObject(unauthorized);
      await expect(signInBy(passkey)).rejects.toMatchObject({ ...frozen, detail: expect.stringContaining("provider") });
    }
    const { id, payee, amount, reference = "", options = {} } = approval;
    const body = { payee, amount, reference, credential: phone.passkey.assert(options) };
    await expect(phone.client.confirmApproval({ params: { id }, body })).rejects.toMatchObject(unauthorized);
    await expect.poll(() => isBlocked(broker.ana.id)).toBe(true);
    expect((await operator.frozenPeople({})).body).toMatchObject([
      { user_id: broker.ana.id, name: "Ana", frozen_by: "person", block: "made" },
    ]);
    await expect(broker.signIn("payer")).rejects.toThrow("account_frozen");
    await haveRole(broker, "clerk");
    await expect(operator.unfreezePerson(ana())).rejects.toMatchObject({ code: "not_allowed" });
    await haveRole(broker, "admin");
    expect((await operator.unfreezePerson(ana())).body).toEqual({ user_id: broker.ana.id, frozen: false });
    expect(await isBlocked(broker.ana.id)).toBe(false);
    await expect(phone.client.me({})).rejects.toMatchObject(unauthorized);
    expect((await signInBy(phone.passkey)).body).toEqual({ signed_in: true });
    expect((await operator.frozenPeople({})).body).toEqual([]);
  });

  it("is paid all the same, and asked for no proof in the demo", async () => {
    const ben = await broker.as("other");
    const { payload } = (await ben.createMyQr({ body: { amount: 2_000 } })).body;
    await ben.freezeMe({});
    const payer = await broker.as("payer");
    const { id, payee, amount, reference = "" } = (await payer.openApproval({ body: { payload } })).body;
    const paid = await payer.confirmApproval({ params: { id }, body: { payee, amount, reference, demo: true } });
    expect(paid.body.state).toBe("approved");
    await operator.unfreezePerson({ params: { user_id: broker.ben.id } });
  });

  it("ends the streams that were open in the sessions", async () => {
    const cookie = await broker.signIn("payer");
    const stream = await broker.fetch(`${ORIGIN}/v1/me/events`, { headers: ownPage(cookie) });
    const reader = stream.body?.getReader();
    expect((await reader?.read())?.done).toBe(false);
    await operator.freezePerson(ana());
    const read = async (): Promise<boolean> => {
      const { done = true } = (await reader?.read()) ?? {};
      return done || read();
    };
    expect(await read()).toBe(true);
    await operator.unfreezePerson(ana());
  });
});

describe("while a user is frozen", () => {
  it("no page shows the quota and no till sells in that user's name, nor do sessions of before after it", async () => {
    const asked = { kind: "quota" as const, origin: SHOP_ORIGIN, user: broker.ana.id };
    const till = { kind: "recharge" as const, origin: SHOP_ORIGIN, max_amount: 10_000 };
    const page = broker.quotaPage((await broker.merchant.createSession({ body: asked })).body.session);
    const sells = broker.till((await broker.merchant.createSession({ body: till })).body.session);
    const { handle } = (await sells.lookUp({ body: { phone: broker.ben.phone } })).body;
    await page.widgetSession({});
    await operator.freezePerson(ana());
    await operator.freezePerson({ params: { user_id: broker.shop.id } });
    const sale = () => sells.createRecharge({ body: { handle, amount: 1_000 } }, { idempotencyKey: "after" });
    await expect(page.widgetSession({})).rejects.toMatchObject(unauthorized);
    await expect(sale()).rejects.toMatchObject(unauthorized);
    for (const body of [asked, till]) {
      await expect(broker.merchant.createSession({ body })).rejects.toMatchObject(frozen);
    }
    // Money in goes on: the shop's codes can be made and paid.
    expect((await anOrder(broker)).reference).not.toBe("");
    await operator.unfreezePerson(ana());
    await operator.unfreezePerson({ params: { user_id: broker.shop.id } });
    await expect(page.widgetSession({})).rejects.toMatchObject(unauthorized);
    await expect(sale()).rejects.toMatchObject(unauthorized);
    expect((await broker.merchant.createSession({ body: till })).body.session).toMatch(/^ws_/);
  });

  it("links that were made before are over, and what was approved but not sent is not sent", async () => {
    const { client, prove } = await aPasskeyDevice(broker, "payer");
    const { link = "" } = (await client.inviteDevice({ body: { proof: await prove("invite_device") } })).body;
    const { session } = await anOrder(broker);
    const { payload } = (await broker.widget(session).widgetSession({})).body;
    const { id } = (await client.openApproval({ body: { payload } })).body;
    // The state left by a process that dies after the approval is consumed.
    await broker.sql`update broker.approvals set state = 'running', started_at = ${broker.options.clock()}
      where id = ${id}`;
    const before = (await broker.entity.client.user({ query: { id: broker.ana.id } })).body.quota_available;
    await operator.freezePerson(ana());
    const secret = link.slice(link.indexOf("#") + 1);
    await expect(browserAt(broker, "").enrolment({ body: { secret } })).rejects.toMatchObject({
      code: "enrolment_not_found",
    });
    broker.advance(360);
    await broker.reconcilePending();
    const [left] = await broker.sql<{ state: string }[]>`select state from broker.approvals where id = ${id}`;
    expect(left?.state).toBe("failed");
    expect((await broker.entity.client.user({ query: { id: broker.ana.id } })).body.quota_available).toBe(before);
    await operator.unfreezePerson(ana());
  });

  it("payments that are confirmed at that moment are consumed before the freeze, or not at all", async () => {
    const payer = await broker.as("payer");
    const approvals = await Promise.all(
      Array.from({ length: 10 }, async () => {
        const { session } = await anOrder(broker, { amount: 100 });
        const { payload } = (await broker.widget(session).widgetSession({})).body;
        return (await payer.openApproval({ body: { payload } })).body;
      }),
    );
    const confirm = ({ id, payee, amount, reference = "" }: (typeof approvals)[number]) =>
      payer.confirmApproval({ params: { id }, body: { payee, amount, reference, demo: true } });
    const [, ...answers] = await Promise.allSettled([operator.freezePerson(ana()), ...approvals.map(confirm)]);
    const codes = answers.map((answer) => (answer.status === "rejected" ? answer.reason.code : "answered"));
    expect(codes.every((code) => ["answered", "account_frozen", "unauthorized"].includes(code))).toBe(true);
    const refused = approvals.filter((_, index) => codes[index] !== "answered").map(({ id }) => id);
    const consumed = await broker.sql`select from broker.approvals where id = any(${refused}) and state <> 'open'`;
    expect(consumed.length).toBe(0);
    await expect(confirm(approvals[0] as (typeof approvals)[number])).rejects.toMatchObject(unauthorized);
    await operator.unfreezePerson(ana());
  });
});

describe("the block at the service", () => {
  it("is pending while the service is away, and the person is frozen all the same", async () => {
    const { upstream } = broker.options;
    const away = { ...upstream, baseUrl: "http://127.0.0.1:9", authUrl: "http://127.0.0.1:9" };
    const alone = await aBroker({ upstream: away }, {});
    const lone = await asOperator(alone);
    const user = { params: { user_id: alone.ana.id } };
    expect((await lone.freezePerson(user)).body.block).toBe("pending");
    await expect(alone.signIn("payer")).rejects.toThrow("account_frozen");
    await alone.stop();
  });

  it("that the entity had made before is found, and stays", async () => {
    const { id } = await aUser(broker.entity, { name: "Debtor" });
    await broker.entity.client.blockUser({ body: { id } });
    expect((await operator.freezePerson({ params: { user_id: id } })).body).toMatchObject({ block: "found" });
    await operator.unfreezePerson({ params: { user_id: id } });
    expect(await isBlocked(id)).toBe(true);
  });

  it("left by a command or a process that died is made by the running broker", async () => {
    await broker.sql`
      insert into broker.freezes (id, user_id, begun_at, begun_by)
      values (gen_random_uuid(), ${broker.ben.id}, now(), 'command line')`;
    await broker.reconcilePending();
    expect(await isBlocked(broker.ben.id)).toBe(true);
    await operator.unfreezePerson({ params: { user_id: broker.ben.id } });
    expect(await isBlocked(broker.ben.id)).toBe(false);
  });

  it("is nobody's for ids of nobody", async () => {
    const params = { user_id: "01890a5d-ac96-774b-bcce-b302099a8057" };
    await expect(operator.freezePerson({ params })).rejects.toMatchObject({ code: "user_not_found" });
    await expect(operator.unfreezePerson({ params })).rejects.toMatchObject({ code: "not_found" });
  });
});
