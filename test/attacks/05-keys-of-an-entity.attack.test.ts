import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { attack } from "./support/attack.ts";
import type { EntityCaller } from "./support/entity-caller.ts";
import { Target } from "./support/target.ts";

let target: Target;
let first: EntityCaller;
let second: EntityCaller;
let payer: string;
let shop: string;
let count = 0;

beforeAll(async () => {
  target = await Target.start();
  [first, second] = [await target.entity("Twice"), await target.entity("Twice")];
  [payer, shop] = [await first.aUser({ quota: 10_000 }), await first.aUser()];
});
afterAll(() => target?.remove());

function aKey(): Readonly<Record<string, string>> {
  count += 1;
  return { "idempotency-key": `order-${count}` };
}

/** The cost of an order that two clients of one entity send with its key: a worker, and the one that took over. */
async function costOf(path: string, body: object): Promise<number> {
  const before = await first.available(payer);
  const key = aKey();
  for (const client of [first, second]) await client.post(path, body, key);
  return before - (await first.available(payer));
}

describe("05: the same key from a second client of the same entity", () => {
  attack("pays again", async () => {
    expect(await costOf("/create-transaction", { from_user_id: payer, to_user_id: shop, amount: 100 })).toBe(100);
  });

  attack("transfers again", async () => {
    const body = { from_user_id: payer, to_user_id: shop, amount: 100 };
    expect(await costOf("/create-ledger-transaction", body)).toBe(100);
  });

  attack("sells a top-up again", async () => {
    const body = { from_user_id: payer, to_user_id: shop, amount: 100 };
    expect(await costOf("/create-recharge-transaction", body)).toBe(100);
  });

  attack("assigns quota again", async () => {
    const body = { id: payer, amount: "100", loan_type: "default", payment_date: "2900-01-01" };
    expect(await costOf("/add-quota", body)).toBe(-100);
  });

  it("is the same order to the client that sent it first, and another with another key", async () => {
    const body = { from_user_id: payer, to_user_id: shop, amount: 100 };
    const before = await first.available(payer);
    const key = aKey();
    for (const headers of [key, key, aKey()]) await first.post("/create-transaction", body, headers);
    expect(before - (await first.available(payer))).toBe(200);
  });
});
