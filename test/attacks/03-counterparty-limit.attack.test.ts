import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { attack } from "./support/attack.ts";
import type { EntityCaller } from "./support/entity-caller.ts";
import { Target } from "./support/target.ts";

const MADE_UP = 9_000_000_000_000;
/** More than any installation lets one entity owe another unless it says so. */
const BEARABLE = 1_000_000_000;

let target: Target;
let honest: EntityCaller;
let stranger: EntityCaller;
let shop: string;
/** A user of the stranger, with quota that nobody ever paid for. */
let accomplice: string;

beforeAll(async () => {
  target = await Target.start();
});
beforeEach(async () => {
  honest = await target.entity(`Honest ${Math.random()}`);
  stranger = await target.entity(`Stranger ${Math.random()}`);
  shop = await honest.aUser();
  accomplice = await stranger.aUser({ quota: MADE_UP });
});
afterAll(() => target?.remove());

/** The sum that the honest entity pays its user out in cash, of the user's whole balance. */
async function paidOut(): Promise<number> {
  const amount = String(await honest.available(shop));
  const { body } = await honest.post("/discharge-quota", { id: shop, amount });
  return Number(body.paid_out ?? 0);
}

const payment = (amount: number) => ({ amount, from_user_id: accomplice, to_user_id: shop });

describe("3: what one entity may come to owe another is limited", () => {
  attack("quota out of nothing is paid to another entity's user, and paid out by it in cash", async () => {
    await stranger.post("/create-transaction", payment(MADE_UP));
    expect(await paidOut()).toBeLessThan(BEARABLE);
  });

  attack("it goes as a ledger transfer", async () => {
    await stranger.post("/create-ledger-transaction", payment(MADE_UP));
    expect(await paidOut()).toBeLessThan(BEARABLE);
  });

  attack("it goes as a batch of many", async () => {
    const payments = Array.from({ length: 100 }, () => ({ to_user_id: shop, amount: MADE_UP / 100 }));
    await stranger.post("/create-payment-transaction", { from_user_id: accomplice, payments });
    expect(await paidOut()).toBeLessThan(BEARABLE);
  });

  attack("it goes as a top-up", async () => {
    await stranger.post("/create-recharge-transaction", payment(MADE_UP));
    expect(await paidOut()).toBeLessThan(BEARABLE);
  });

  attack("it is held first, and settled", async () => {
    const held = await stranger.post("/create-transaction", { ...payment(MADE_UP), status: "pending" });
    await stranger.post("/settle-transaction", { id: held.body.id, status: "approved" });
    expect(await paidOut()).toBeLessThan(BEARABLE);
  });

  attack("it goes by a payment code", async () => {
    const code = await honest.post("/create-transaction-qr", { to_user_id: shop });
    await stranger.post("/create-transaction", { ...payment(MADE_UP), details: { qr: code.body.payload } });
    expect(await paidOut()).toBeLessThan(BEARABLE);
  });

  attack("it goes as many payments at once, each of which is small", async () => {
    const amount = 50_000_000;
    await Promise.all(Array.from({ length: 60 }, () => stranger.post("/create-transaction", payment(amount))));
    expect(await paidOut()).toBeLessThan(BEARABLE);
  });

  attack("it is assigned to another entity's user as quota", async () => {
    const grant = { id: shop, amount: String(MADE_UP), loan_type: "default", payment_date: "2900-01-01" };
    await (await honest.asAdministrator()).put("/entity-settings", { lenders: "all" });
    await stranger.post("/add-quota", grant);
    expect(await paidOut()).toBeLessThan(BEARABLE);
  });

  attack("the one who would owe sets the limit, or records that it has paid", async () => {
    const admin = await stranger.asAdministrator();
    const [owner] = await target.sql<{ id: string }[]>`select creator_id as id from service.users where id = ${shop}`;
    const id = owner?.id ?? "";
    await admin.put(`/counterparty-limits/${id}`, { limit: String(MADE_UP) });
    await admin.post("/record-settlement", { debtor_id: id, amount: "1" });
    await stranger.post("/create-transaction", payment(MADE_UP));
    expect(await paidOut()).toBeLessThan(BEARABLE);
  });

  it("lets entities deal with each other within it, and back", async () => {
    expect((await stranger.post("/create-transaction", payment(1_000_000))).body.status).toBe("approved");
    const back = { amount: 400_000, from_user_id: shop, to_user_id: accomplice };
    expect((await honest.post("/create-transaction", back)).body.status).toBe("approved");
    expect(await paidOut()).toBe(600_000);
  });
});
