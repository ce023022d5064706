import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { AppBrowser } from "./support/app-browser.ts";
import { attack } from "./support/attack.ts";
import type { EntityCaller } from "./support/entity-caller.ts";
import { Target } from "./support/target.ts";

const QUOTA = 500_000;
/** The most that may go to a new payee. */
const NEW_PAYEE_LIMIT = 10_000;

let target: Target;
let own: EntityCaller;
let administrator: EntityCaller;
let shop: string;

beforeAll(async () => {
  target = await Target.start();
  own = await target.own();
  administrator = await own.asAdministrator();
  shop = target.product.demo.users.merchant.id;
});
afterAll(() => target?.remove());

/** A payment of a code, up to the last answer. */
async function pay(phone: AppBrowser, payee: string, amount: number) {
  const code = await own.post("/create-transaction-qr", { to_user_id: payee, amount });
  return (await phone.pay({ payload: code.body.payload })).body;
}

/** Reads the exceeded limit that an answer states. */
function saidOf(body: Readonly<Record<string, unknown>>) {
  const { name, amount, left } = (body.exceeded_limit ?? {}) as Readonly<Record<string, unknown>>;
  return { name, amount, left };
}

describe("a thief with the phone", () => {
  attack("makes an accomplice known by paying 1, and then sends all", async () => {
    await target.sql`update broker.entity_rules set first_time_limit = ${NEW_PAYEE_LIMIT * 100}`;
    const [victim, accomplice] = [await own.aUser({ quota: QUOTA }), await own.aUser()];
    const phone = await target.invite(victim);
    await pay(phone, accomplice, 1);
    await pay(phone, accomplice, 150_000);
    await target.sql`update broker.entity_rules set first_time_limit = null`;
    expect(QUOTA - (await own.available(victim))).toBeLessThanOrEqual(NEW_PAYEE_LIMIT);
  });
});

describe("whoever is refused for a limit", () => {
  const limit = { name: "payment_limit", amount: 1_000, left: 1_000 };

  attack("of the entity is not told which one and what is left of it", async () => {
    await administrator.put("/entity-settings", { payment_limit: 1_000 });
    const payer = await own.aUser({ quota: QUOTA });
    const asked = { from_user_id: payer, to_user_id: shop, amount: 1_001 };
    const payment = (await own.post("/create-transaction", asked)).body;
    const hold = (await own.post("/create-transaction", { ...asked, status: "pending" })).body;
    const topUp = (await own.post("/create-recharge-transaction", asked)).body;
    const approval = await pay(await target.invite(payer), shop, 1_001);
    await administrator.put("/entity-settings", { payment_limit: null });
    expect([payment, hold, topUp, approval].map(({ reason }) => reason)).toEqual(Array(4).fill("limit_exceeded"));
    expect([payment, hold, topUp, approval].map(saidOf)).toEqual(Array(4).fill(limit));
  });

  attack("of their own has to compute it from a sentence", async () => {
    const phone = await target.invite(await own.aUser({ quota: QUOTA }));
    const lowered = await phone.put("/v1/me/limits", { payment: 1_000 });
    const proven = async () => ({ payment: 1_000, proof: await phone.proof("lower_limits") });
    if (lowered.status >= 300) await phone.put("/v1/me/limits", await proven());
    const refused = await pay(phone, shop, 1_001);
    expect(refused.code).toBe("limit_exceeded");
    expect(saidOf(refused)).toEqual({ ...limit, name: "personal_payment_limit" });
  });
});

describe("a ledger transfer", () => {
  attack("passes the limit that the entity sets for transfers", async () => {
    await administrator.put("/entity-settings", { transfer_limit: 5 });
    const payer = await own.aUser({ quota: QUOTA });
    await own.post("/create-ledger-transaction", { from_user_id: payer, to_user_id: shop, amount: 100_000 });
    await administrator.put("/entity-settings", { transfer_limit: null });
    expect(await own.available(payer)).toBe(QUOTA);
  });

  it("has no limit but the balance until the entity sets one", async () => {
    const payer = await own.aUser({ quota: QUOTA });
    await administrator.put("/entity-settings", { payment_limit: 10 });
    const asked = { from_user_id: payer, to_user_id: shop, amount: 100_000 };
    const { body } = await own.post("/create-ledger-transaction", asked);
    await administrator.put("/entity-settings", { payment_limit: null });
    expect(body[0]).toMatchObject({ status: "approved" });
  });
});
