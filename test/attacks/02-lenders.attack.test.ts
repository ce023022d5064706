import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { attack } from "./support/attack.ts";
import type { EntityCaller } from "./support/entity-caller.ts";
import { Target } from "./support/target.ts";

/** More than any account needs, and less than the largest balance. */
const MOST = "9999999999999.99";
const DUE = "2900-01-01";

let target: Target;
let owner: EntityCaller;
let lender: EntityCaller;
let payer: string;

beforeAll(async () => {
  target = await Target.start();
  owner = await target.entity("Owner");
  lender = await target.entity("Lender");
  payer = await owner.aUser({ quota: 500 });
});
afterAll(() => target?.remove());

const lend = (by: EntityCaller, id: string, amount: string, more: object = {}) =>
  by.post("/add-quota", { id, amount, loan_type: "default", payment_date: DUE, ...more });

/** The outcome of a payment to a shop of the payer's own entity. */
async function paidTo(shop: string): Promise<string> {
  const payment = { amount: 5, from_user_id: payer, to_user_id: shop };
  return (await owner.post("/create-transaction", payment)).body.status;
}

/** Lets every entity lend to the owner's users, which they all may anyway where there is no such setting. */
async function openToAll(): Promise<void> {
  const administrator = await owner.asAdministrator();
  await administrator.put("/entity-settings", { lenders: "all" });
}

async function closeToAll(): Promise<void> {
  const administrator = await owner.asAdministrator();
  await administrator.put("/entity-settings", { lenders: [] });
}

describe("02: quota of another entity than the user's own", () => {
  attack("one add-quota makes a shop unpayable", async () => {
    const shop = await owner.aUser();
    await lend(lender, shop, MOST);
    expect(await paidTo(shop)).toBe("approved");
  });

  attack("an entity that nobody asked lends to a user, and is owed for it", async () => {
    const user = await owner.aUser();
    await lend(lender, user, "1000");
    expect(await owner.available(user)).toBe(0);
  });

  attack("a lender that may lend fills a shop by a grant, a deposit, or many of them", async () => {
    await openToAll();
    const shop = await owner.aUser();
    const today = new Intl.DateTimeFormat("en-CA", { timeZone: "America/Bogota" }).format();
    await lend(lender, shop, MOST);
    await lend(lender, shop, MOST, { loan_type: "deposit", payment_date: today });
    for (let more = 0; more < 20; more += 1) {
      await lend(lender, shop, "9999999999", { loan_type: "deposit", payment_date: today });
    }
    expect(await paidTo(shop)).toBe("approved");
    await closeToAll();
  });

  attack("a lender that may lend finds a balance by trying amounts", async () => {
    await openToAll();
    const user = await owner.aUser({ quota: 123_456.78 });
    let [least, most] = [0n, 10n ** 15n - 1n];
    while (least < most) {
      const middle = (least + most + 1n) / 2n;
      const amount = `${middle / 100n}.${String(middle % 100n).padStart(2, "0")}`;
      const preview = { id: user, amount, loan_type: "default", payment_date: DUE };
      const { status } = await lender.post("/preview-add-quota", preview);
      if (status === 200) least = middle;
      else most = middle - 1n;
    }
    expect(Number(10n ** 15n - 1n - least) / 100).not.toBe(123_456.78);
    await closeToAll();
  });

  it("is allowed to whom the owner lets lend, and the lender takes it back", async () => {
    await openToAll();
    const user = await owner.aUser();
    await lend(lender, user, "1000");
    expect(await owner.available(user)).toBe(1000);
    expect((await lender.post("/discharge-quota", { id: user, amount: "1000" })).status).toBe(200);
    expect(await owner.available(user)).toBe(0);
    await closeToAll();
  });

  it("is as free as before for the user's own entity", async () => {
    const user = await owner.aUser();
    await lend(owner, user, "9000000000000");
    expect(await owner.available(user)).toBe(9_000_000_000_000);
  });
});
