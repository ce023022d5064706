import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { aService, aUser, type TestEntity, type TestService } from "../support/service.ts";
import { expectSoundBooks, NOBODY, rawClient, refusalOf } from "../support/service-calls.ts";

let service: TestService;
let fintech: TestEntity;
let other: TestEntity;
let shop: string;

beforeAll(async () => {
  service = await aService();
  [fintech, other] = [await service.anEntity(), await service.anEntity("Other")];
  shop = (await aUser(other, { quota: 100 })).id;
});
afterAll(() => service.stop());

const block = async (id: string) => (await fintech.client.blockUser({ body: { id } })).body;
const unblock = async (id: string) => (await fintech.client.unblockUser({ body: { id } })).body;
const read = async (id: string, entity = fintech) => {
  const { yours: _, ...found } = (await entity.client.user({ query: { id } })).body;
  return found;
};

async function pay(from: string, more: object = {}): Promise<string> {
  const body = { amount: 1, from_user_id: from, to_user_id: shop, ...more };
  const made = (await fintech.client.createTransaction({ body })).body;
  return made.reason ?? made.status;
}

const DAY_SECONDS = 86_400;

/** A hold of most of a fresh user's money, for seven days. */
async function aHold() {
  const payer = (await aUser(fintech, { quota: 100 })).id;
  const body = { amount: 60, from_user_id: payer, to_user_id: shop, status: "pending" as const };
  const { id } = (await fintech.client.createTransaction({ body })).body;
  const settle = async (status: "approved" | "rejected") =>
    (await fintech.client.settleTransaction({ body: { id, status } })).body;
  const now = async () => (await fintech.client.transaction({ query: { id } })).body;
  return { payer, settle, now };
}

/** Resolves once the hold's time was put off past the service's clock. */
async function putOff({ now }: Awaited<ReturnType<typeof aHold>>): Promise<void> {
  const left = async () => Date.parse((await now()).hold_expires_at ?? "") - service.clock().getTime();
  await expect.poll(left, { timeout: 15_000, interval: 200 }).toBeGreaterThan(0);
}

describe("block-user", () => {
  it("keeps a user from paying until it is unblocked, and answers the user", async () => {
    const user = await aUser(fintech, { quota: 100 });
    const before = await read(user.id);
    expect(await block(user.id.toUpperCase())).toEqual({ ...before, blocked: true });
    expect([await pay(user.id), await pay(user.id, { status: "pending" })]).toEqual(["payer_blocked", "payer_blocked"]);
    const payments = [{ amount: 1, to_user_id: shop }];
    const batch = await fintech.client.createPaymentTransaction({ body: { from_user_id: user.id, payments } });
    expect(batch.body[0]?.reason).toBe("payer_blocked");
    const transfer = { from_user_id: user.id, to_user_id: shop, amount: 1 };
    expect((await fintech.client.createLedgerTransaction({ body: transfer })).body[0]?.reason).toBe("payer_blocked");
    const unblocked = await unblock(user.id);
    expect(unblocked).not.toHaveProperty("blocked");
    expect(unblocked.history).toHaveLength(3);
    expect(await pay(user.id)).toBe("approved");
    await expectSoundBooks(service);
  });

  it("leaves a QR payable that a blocked user tried to pay", async () => {
    const user = await aUser(fintech, { quota: 100 });
    await block(user.id);
    const { body: qr } = await other.client.createTransactionQr({ body: { amount: 1, to_user_id: shop } });
    const details = { qr: qr.payload };
    expect(await pay(user.id, { details })).toBe("payer_blocked");
    await unblock(user.id);
    expect(await pay(user.id, { details })).toBe("approved");
  });

  it("lets a blocked user receive payments, transfers and quota", async () => {
    const user = await aUser(fintech, { quota: 5 });
    await block(user.id);
    const paying = { amount: 2, from_user_id: shop, to_user_id: user.id };
    expect((await other.client.createTransaction({ body: paying })).body.status).toBe("approved");
    const sent = await other.client.createLedgerTransaction({ body: { ...paying, amount: 3 } });
    expect(sent.body[0]?.status).toBe("approved");
    const quota = { id: user.id, amount: "10", loan_type: "default", payment_date: "2900-01-01" };
    await fintech.client.addQuota({ body: quota });
    expect((await read(user.id)).quota).toBe(20);
  });

  it("is the same twice as once: the block keeps its instant", async () => {
    const { id } = await aUser(fintech);
    const since = async () => (await service.sql`select blocked_at, changed_id from service.users where id = ${id}`)[0];
    await block(id);
    const first = await since();
    await block(id);
    expect(await since()).toEqual(first);
    expect([await unblock(id), await unblock(id)].map(({ blocked }) => blocked)).toEqual([undefined, undefined]);
  });

  it("has what is held wait: nothing settles it, and it does not lapse; settled once the payer may pay", async () => {
    const hold = await aHold();
    await block(hold.payer);
    await expect(hold.settle("approved")).rejects.toMatchObject({ code: "payer_blocked" });
    service.advance(7 * DAY_SECONDS);
    await expect(hold.settle("approved")).rejects.toMatchObject({ code: "payer_blocked" });
    await putOff(hold);
    service.advance(DAY_SECONDS);
    await putOff(hold);
    expect(await hold.now()).toMatchObject({ status: "pending", held_amount: 60 });
    expect(await read(hold.payer)).toMatchObject({ quota: 100, quota_available: 40 });
    await unblock(hold.payer);
    expect((await hold.settle("approved")).status).toBe("approved");
    expect((await read(hold.payer)).quota).toBe(40);
    await expectSoundBooks(service);
  });

  it("leaves a hold to be released at any time, and to lapse when its term ends after the unblocking", async () => {
    const [released, lapsed] = [await aHold(), await aHold()];
    for (const { payer } of [released, lapsed]) await block(payer);
    service.advance(7 * DAY_SECONDS);
    expect(await released.settle("rejected")).toMatchObject({ status: "rejected", reason: "released" });
    await putOff(lapsed);
    await unblock(lapsed.payer);
    service.advance(DAY_SECONDS);
    await expect.poll(lapsed.now, { timeout: 15_000, interval: 200 }).toMatchObject({ reason: "hold_expired" });
    for (const { payer } of [released, lapsed]) expect((await read(payer)).quota_available).toBe(100);
  });

  it("is told to the user's creator alone", async () => {
    const { id } = await aUser(fintech);
    await block(id);
    expect(await read(id)).toMatchObject({ blocked: true });
    expect(await read(id, other)).not.toHaveProperty("blocked");
  });

  it("is decided with the payments of its moment: nobody pays after the answer", async () => {
    const { id } = await aUser(fintech, { quota: 100 });
    const paying = Array.from({ length: 30 }, () => pay(id));
    await block(id);
    expect(await pay(id)).toBe("payer_blocked");
    const outcomes = await Promise.all(paying);
    const approved = outcomes.filter((outcome) => outcome === "approved").length;
    expect((await read(id)).quota).toBe(100 - approved);
    await expectSoundBooks(service);
  });

  it.each(["blockUser", "unblockUser"] as const)(
    "%s refuses, in this order: faults, an unknown user, another's user",
    async (name) => {
      const raw = await rawClient(service, fintech);
      const refused = async (body: object) => refusalOf(await raw(name, { body }));
      expect(await refused({ id: "7", blocked: true })).toEqual(["invalid_request", "/blocked", "/id"]);
      expect(await refused({ id: NOBODY })).toEqual(["user_not_found"]);
      expect(await refused({ id: shop })).toEqual(["user_not_yours"]);
      expect((await read(shop, other)).blocked).toBeUndefined();
    },
  );
});
