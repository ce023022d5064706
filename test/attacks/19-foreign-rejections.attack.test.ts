import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { attack } from "./support/attack.ts";
import type { EntityCaller } from "./support/entity-caller.ts";
import { Target } from "./support/target.ts";

/** Payments in one batch. */
const MANY = 50;
/** A webhook where nobody listens: its deliveries stay where they can be counted. */
const WEBHOOK = "/webhooks/all";
const NOBODY_URL = "http://127.0.0.1:9/";

let target: Target;
let shops: EntityCaller;
let strangers: EntityCaller;
let ana: string;
let shop: string;
/** Has no money at all. */
let ben: string;
let bob: string;

beforeAll(async () => {
  target = await Target.start({ environment: { CUPO_WEBHOOK_PRIVATE: "127.0.0.0/8" } });
  shops = await target.entity("Shops");
  strangers = await target.entity("Strangers");
  [ana, shop] = [await shops.aUser({ quota: 1_000 }), await shops.aUser()];
  [ben, bob] = [await strangers.aUser(), await strangers.aUser({ quota: 1_000 })];
  await (await shops.asAdministrator()).put(WEBHOOK, { url: NOBODY_URL });
});
afterAll(() => target?.remove());

/** Lists the event types of the deliveries to the shops' webhook, sorted. */
async function toldTypes(): Promise<string[]> {
  const { body } = await shops.get("/webhook-deliveries", { "endpoint-name": "all", limit: "500" });
  return body.map((each: { readonly event_type: string }) => each.event_type).sort();
}

const toShop = (from: string, more: object = {}) => ({ amount: 5, from_user_id: from, to_user_id: shop, ...more });
const pay = (by: EntityCaller, payment: object) => by.post("/create-transaction", payment);

async function aCode(by: EntityCaller, more: object = {}) {
  return (await by.post("/create-transaction-qr", { amount: 5, to_user_id: shop, ...more })).body;
}

describe("19: payments of another entity that move nothing", () => {
  attack("are told to a shop's backend in any number, and fill the shop's history", async () => {
    const before = await toldTypes();
    const payments = Array.from({ length: MANY }, () => ({ amount: 5, to_user_id: shop }));
    await strangers.post("/create-payment-transaction", { from_user_id: ben, payments });
    await pay(strangers, toShop(ben));
    await pay(strangers, toShop(ben, { status: "rejected" }));
    await strangers.post("/create-ledger-transaction", toShop(ben));
    expect(await toldTypes()).toEqual(before);
    const { body } = await shops.get("/user", { id: shop });
    expect(body.history).toEqual([]);
    expect((await shops.get("/ledger-transaction-history", { "user-id": shop })).body).toEqual([]);
  });

  attack("are told as codes for the shop that the other entity makes and cancels", async () => {
    const before = await toldTypes();
    await strangers.post("/cancel-transaction-qr", { reference: (await aCode(strangers)).reference });
    expect(await toldTypes()).toEqual(before);
  });

  it("a payment that moves money is told, and is in the history", async () => {
    const { body: paid } = await pay(strangers, toShop(bob));
    expect(await toldTypes()).toContain("transaction.created");
    const { body } = await shops.get("/user", { id: shop });
    expect(body.history.map(({ id }: { readonly id: string }) => id)).toContain(paid.id);
  });
});

describe("19: a hold of another entity", () => {
  attack("keeps a shop's code from being paid, for as long as the other entity likes", async () => {
    const { payload } = await aCode(shops);
    const details = { qr: payload };
    const { body: held } = await pay(strangers, toShop(bob, { details, status: "pending" }));
    await shops.post("/settle-transaction", { id: held.id, status: "rejected" });
    expect((await pay(shops, toShop(ana, { details }))).body.status).toBe("approved");
  });
});

describe("19: a code of another entity", () => {
  attack("carries, for less, the order that the shop's backend looks for in qr_details", async () => {
    const { payload } = await aCode(strangers, { details: { order: "1043" } });
    const { body: made } = await pay(strangers, toShop(bob, payload === undefined ? {} : { details: { qr: payload } }));
    expect(made.status).toBe("approved");
    const { body: seen } = await shops.get("/transaction", { id: made.id });
    expect(seen.qr_details?.order).toBeUndefined();
  });
});
