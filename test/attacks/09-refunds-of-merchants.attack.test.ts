import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { holdRequest } from "../support/held-request.ts";
import type { AppBrowser } from "./support/app-browser.ts";
import { attack } from "./support/attack.ts";
import type { EntityCaller } from "./support/entity-caller.ts";
import { HttpCaller } from "./support/http-caller.ts";
import { Target } from "./support/target.ts";

const QUOTA = 5_000_000;
const PRICE = 100_000;
const PAGE = "https://shop.example";

let target: Target;
let own: EntityCaller;
let admin: AppBrowser;
let second: AppBrowser;
/** The accomplice who pays and is given back, and the user whom the merchants are paid as. */
let payer: string;
let payee: string;

beforeAll(async () => {
  target = await Target.start();
  own = await target.own();
  admin = await target.operator("admin", "Ada");
  second = await target.operator("admin", "Abel");
});
afterAll(() => target?.remove());
beforeEach(async () => {
  payer = await own.aUser({ quota: QUOTA });
  payee = await own.aUser({ quota: QUOTA });
});

interface Merchant {
  readonly id: string;
  readonly server_key: string;
  readonly publishable_key: string;
}

/** A merchant that the command line makes, and that refunds unless its words say otherwise. */
function aMerchant(...words: readonly string[]): Promise<Merchant> {
  const settings = words.length === 0 ? ["--refunds"] : words;
  return target.commandJson("merchant", "create", "--name", "Shop", "--user-id", payee, "--origin", PAGE, ...settings);
}

const bearer = (token: unknown, headers: Readonly<Record<string, string>> = {}) =>
  new HttpCaller(target.origin, () => ({ authorization: `Bearer ${token}`, ...headers }));

/** An order of a merchant that the accomplice paid: the payment, and the token of its page. */
async function aPayment(serverKey: string): Promise<{ readonly id: string; readonly page: string }> {
  const body = { kind: "pay", amount: PRICE, origin: PAGE };
  const { session, reference } = (await bearer(serverKey).post("/v1/sessions", body)).body;
  const { payload } = (await own.get("/transaction-qr", { reference })).body;
  const parties = { from_user_id: payer, to_user_id: payee };
  const { id } = (await own.post("/create-transaction", { amount: PRICE, ...parties, details: { qr: payload } })).body;
  return { id, page: session };
}

let asked = 0;
function refund(caller: HttpCaller, paymentId: string, body: object = {}): Promise<unknown> {
  asked += 1;
  return caller.post(`/v1/payments/${paymentId}/refunds`, body, { "idempotency-key": `refund ${asked}` });
}

/** How much the payee has left of what it had and was paid. */
const left = () => own.available(payee);

describe("a leaked server key", () => {
  attack("gives back more than was paid, by requests at once", async () => {
    const { server_key: key } = await aMerchant();
    const { id } = await aPayment(key);
    await Promise.all(Array.from({ length: 8 }, () => refund(bearer(key), id, { amount: PRICE })));
    await Promise.all(Array.from({ length: 8 }, () => refund(bearer(key), id)));
    expect(await left()).toBe(QUOTA);
  });

  attack("gives back what another merchant of the same user was paid", async () => {
    const [shop, other] = [await aMerchant(), await aMerchant()];
    const { id } = await aPayment(shop.server_key);
    await refund(bearer(other.server_key), id);
    expect(await left()).toBe(QUOTA + PRICE);
  });

  attack("gives back more in a day than the merchant's limit, by requests at once", async () => {
    const { server_key: key } = await aMerchant("--refunds", "--refund-limit", "150000");
    const payments = await Promise.all(Array.from({ length: 4 }, () => aPayment(key)));
    await Promise.all(payments.map(({ id }) => refund(bearer(key), id)));
    expect(await left()).toBeGreaterThanOrEqual(QUOTA + 4 * PRICE - 150_000);
  });

  attack("gives back by a request that was held back until the power was taken or the key ended", async () => {
    for (const stop of [
      (id: string) => target.command("merchant", "change", id, "--no-refunds"),
      (id: string) => target.command("merchant", "disable", id),
    ]) {
      const before = await left();
      const { id, server_key: key } = await aMerchant();
      const payment = await aPayment(key);
      const headers = { authorization: `Bearer ${key}`, "idempotency-key": `held ${id}` };
      const address = `${target.origin}/v1/payments/${payment.id}/refunds`;
      const held = await holdRequest(address, { headers, body: { amount: PRICE } });
      await stop(id);
      await held.finish();
      expect(await left()).toBe(before + PRICE);
    }
  });
});

describe("a page", () => {
  attack("gives back with the publishable key or a session, whatever it knows", async () => {
    const { server_key: key, publishable_key: publishable } = await aMerchant();
    const { id, page } = await aPayment(key);
    for (const token of [publishable, page]) await refund(bearer(token, { origin: PAGE }), id);
    expect(await left()).toBe(QUOTA + PRICE);
  });
});

describe("an operator", () => {
  attack("alone lets a merchant refund, as clerk or as admin", async () => {
    const clerk = await target.operator("clerk");
    for (const operator of [clerk, admin]) {
      const before = await left();
      const { id, server_key: key } = await aMerchant("--first-party");
      const { body } = await operator.put(`/v1/operator/merchants/${id}`, { refunds: true });
      await operator.post(`/v1/operator/merchant-changes/${body.change?.id}/agree`);
      await refund(bearer(key), (await aPayment(key)).id);
      expect(await left()).toBe(before + PRICE);
    }
  });

  attack("refunds with a key that was made while two others let the merchant refund", async () => {
    const { id } = await aMerchant("--first-party");
    const { body } = await admin.put(`/v1/operator/merchants/${id}`, { refunds: true });
    const rotated = await admin.post(`/v1/operator/merchants/${id}/rotate`, { kind: "server" });
    await second.post(`/v1/operator/merchant-changes/${body.change?.id}/agree`);
    const key = rotated.body.server_key;
    await refund(bearer(key), (await aPayment(key)).id);
    expect(await left()).toBe(QUOTA + PRICE);
  });
});

describe("two admins", () => {
  it("let a merchant refund by the keys that they saw", async () => {
    const { id, server_key: key } = await aMerchant("--first-party");
    const { body } = await admin.put(`/v1/operator/merchants/${id}`, { refunds: true });
    await second.post(`/v1/operator/merchant-changes/${body.change?.id}/agree`);
    await refund(bearer(key), (await aPayment(key)).id, { amount: 30_000 });
    expect(await left()).toBe(QUOTA + PRICE - 30_000);
  });
});
