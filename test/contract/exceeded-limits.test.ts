import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { businessTime } from "../../src/business-time.ts";
import { addDays } from "../../src/calendar-day.ts";
import { aService, aUser, type TestEntity, type TestService } from "../support/service.ts";
import { expectSoundBooks } from "../support/service-calls.ts";

let service: TestService;
let fintech: TestEntity;
let other: TestEntity;
let payer: string;
let shop: string;
/** A user of another entity. */
let foreign: string;

beforeAll(async () => {
  service = await aService();
  [fintech, other] = [await service.anEntity(), await service.anEntity("Other")];
  foreign = (await aUser(other)).id;
});
beforeEach(async () => {
  [payer, shop] = [(await aUser(fintech, { quota: 1_000 })).id, (await aUser(fintech)).id];
  await put({ payment_limit: null, daily_limit: null, transfer_limit: null });
});
afterAll(() => service.stop());

async function put(body: Readonly<Record<string, number | null>>) {
  return (await fintech.client.putEntitySettings({ body })).body;
}

const pay = async (amount: number, more: { readonly status?: "pending"; readonly to_user_id?: string } = {}) =>
  (await fintech.client.createTransaction({ body: { amount, from_user_id: payer, to_user_id: shop, ...more } })).body;

const transfer = async (amount: number, to_user_id = shop) =>
  (await fintech.client.createLedgerTransaction({ body: { amount, from_user_id: payer, to_user_id } })).body[0];

function tomorrow(): string {
  const time = businessTime("America/Bogota");
  return time.startOf(addDays(time.dayOf(service.clock()), 1)).toISOString();
}

describe("a passed limit of the entity", () => {
  it("is named with what is left and until when, for payments, holds, top-ups and batches alike", async () => {
    await put({ payment_limit: 10, daily_limit: 12 });
    const single = { name: "payment_limit", amount: 10, left: 10, until: null };
    expect(await pay(10.01)).toMatchObject({ reason: "limit_exceeded", exceeded_limit: single });
    expect(await pay(10.01, { status: "pending" })).toMatchObject({ exceeded_limit: single });
    expect(await pay(7)).not.toHaveProperty("exceeded_limit");
    const daily = { name: "daily_limit", amount: 12, left: 5, until: tomorrow() };
    const body = { amount: 5.01, from_user_id: payer, to_user_id: shop };
    expect((await fintech.client.createRechargeTransaction({ body })).body).toMatchObject({ exceeded_limit: daily });
    const payments = [3, 3].map((amount) => ({ amount, to_user_id: shop }));
    const batch = { from_user_id: payer, payments };
    const { body: items } = await fintech.client.createPaymentTransaction({ body: batch });
    expect(items.map((item) => item.exceeded_limit)).toEqual([undefined, { ...daily, left: 2 }]);
    await expectSoundBooks(service);
  });

  it("is told in lists and events as in the answer, and to the payer's creator alone", async () => {
    await put({ payment_limit: 10 });
    const { id, exceeded_limit } = await pay(11, { to_user_id: foreign });
    expect((await fintech.client.transaction({ query: { id } })).body.exceeded_limit).toEqual(exceeded_limit);
    const query = { "user-id": payer, direction: "sent" as const };
    expect((await fintech.client.transactionHistory({ query })).body[0]).toMatchObject({ id, exceeded_limit });
    const asked = other.client.transaction({ query: { id } });
    await expect(asked).rejects.toMatchObject({ code: "transaction_not_found" });
  });

  it("is none for a ledger transfer until the entity sets one for transfers", async () => {
    expect((await put({ payment_limit: 1, daily_limit: 1 })).transfer_limit).toBeNull();
    expect((await transfer(5))?.status).toBe("approved");
    expect((await put({ transfer_limit: 5 })).transfer_limit).toBe(5);
    expect((await transfer(5))?.status).toBe("approved");
    const exceeded_limit = { name: "transfer_limit", amount: 5, left: 5, until: null };
    const refused = await transfer(6, foreign);
    expect(refused).toMatchObject({ status: "rejected", reason: "limit_exceeded", exceeded_limit });
    const mine = await fintech.client.ledgerTransactionHistory({ query: { "user-id": payer } });
    expect(mine.body[0]).toMatchObject({ id: refused?.id, exceeded_limit });
    const theirs = await other.client.ledgerTransactionHistory({ query: { "user-id": foreign } });
    expect(theirs.body).toEqual([]);
    await put({ transfer_limit: null });
    expect((await transfer(6))?.status).toBe("approved");
    await expectSoundBooks(service);
  });
});
