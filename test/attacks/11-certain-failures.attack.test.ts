import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { holdTransaction } from "../support/held-transaction.ts";
import { attack } from "./support/attack.ts";
import type { EntityCaller } from "./support/entity-caller.ts";
import { HttpCaller } from "./support/http-caller.ts";
import { Target } from "./support/target.ts";

const QUOTA = 50_000;
const AMOUNT = 1_000;
/** Three tries of a call take this long; a request that waits at the service outlives them. */
const LATEST_MS = 45_000;
/** Long after the broker's own last retry. */
const LATER = "10 minutes";

/** An installation, its own fintech, and the demo's shop. */
interface SaleFixture {
  readonly target: Target;
  readonly own: EntityCaller;
  readonly shop: string;
}

const started: Target[] = [];
afterAll(() => Promise.all(started.map((target) => target.remove())));

async function aSaleFixture(): Promise<SaleFixture> {
  const target = await Target.start();
  started.push(target);
  return { target, own: await target.own(), shop: target.product.demo.users.merchant.id };
}

/** Keeps the service from moving a user's money, as a hung database does; returns the function that ends it. */
function hang({ target }: SaleFixture, userId: string): Promise<() => Promise<void>> {
  return holdTransaction(target.sql, (tx) => tx`select from service.accounts where id = ${userId} for update`);
}

/** Asks every second until it is said to have failed, or until it is too late to say so. */
async function saidMeanwhile(ask: () => Promise<string>): Promise<string> {
  const until = Date.now() + LATEST_MS;
  for (;;) {
    const state = await ask();
    if (state === "failed" || Date.now() > until) return state;
    await delay(1_000);
  }
}

/** True if the money of a user moves once the database answers again. */
async function isPaid({ own }: SaleFixture, userId: string, before: number): Promise<boolean> {
  for (let second = 0; second < 15; second += 1) {
    if ((await own.available(userId)) < before) return true;
    await delay(1_000);
  }
  return false;
}

/** The reported state of a payment or sale, and whether it was made. */
interface Outcome {
  readonly said: string;
  readonly paid: boolean;
}

const lie: Outcome = { said: "failed", paid: true };

async function aPayment(fixture: SaleFixture) {
  const { target, own, shop } = fixture;
  const payer = await own.aUser({ quota: QUOTA });
  const phone = await target.invite(payer);
  const code = await own.post("/create-transaction-qr", { to_user_id: shop, amount: AMOUNT });
  const { body } = await phone.post("/v1/approvals", { payload: code.body.payload });
  const ask = async () => (await phone.get(`/v1/approvals/${body.id}`)).body.state;
  return { fixture, payer, pay: () => phone.confirm(body), id: body.id, ask };
}

/** A payment that is sent while the payer's account hangs, and asked for long afterwards. */
async function payHanging({ fixture, payer, pay, id, ask }: Awaited<ReturnType<typeof aPayment>>): Promise<Outcome> {
  const release = await hang(fixture, payer);
  try {
    await pay();
    await fixture.target.sql`
      update broker.approvals set created_at = created_at - ${LATER}::interval,
        started_at = started_at - ${LATER}::interval where id = ${id}`;
    const said = await saidMeanwhile(ask);
    await release();
    return { said, paid: await isPaid(fixture, payer, QUOTA) };
  } finally {
    await release();
  }
}

async function aSale(fixture: SaleFixture) {
  const { target, own } = fixture;
  const { origin } = target;
  const key = target.product.demo.merchant_keys.server_key;
  const backend = new HttpCaller(origin, () => ({ authorization: `Bearer ${key}` }));
  const { session } = (await backend.post("/v1/sessions", { kind: "recharge", origin, max_total: 100_000 })).body;
  const till = new HttpCaller(origin, () => ({ authorization: `Bearer ${session}`, origin }));
  const phone = "3119990011";
  await own.aUser({ phone });
  const { handle } = (await till.post("/v1/look-ups", { phone })).body;
  return { fixture, till, handle };
}

/** A top-up that is sold while the shop's account hangs, and looked for long afterwards. */
async function sellHanging({ fixture, till, handle }: Awaited<ReturnType<typeof aSale>>): Promise<Outcome> {
  const { target, own, shop } = fixture;
  const before = await own.available(shop);
  const release = await hang(fixture, shop);
  try {
    const sold = await till.post("/v1/recharges", { handle, amount: AMOUNT }, { "idempotency-key": "sale-1" });
    const { id } = sold.body;
    await target.sql`update broker.recharges set created_at = created_at - ${LATER}::interval where id = ${id}`;
    const said = await saidMeanwhile(async () => {
      const { body } = await till.get("/v1/recharges");
      return body.find((sale: { readonly id: string }) => sale.id === id)?.state;
    });
    await release();
    return { said, paid: await isPaid(fixture, shop, before) };
  } finally {
    await release();
  }
}

let payment: Outcome;
let sale: Outcome;
// Both at once, as each takes as long as the broker tries a call; in two worlds, as one writer would hang with both.
beforeAll(async () => {
  const [pending, selling] = [await aPayment(await aSaleFixture()), await aSale(await aSaleFixture())];
  [payment, sale] = await Promise.all([payHanging(pending), sellHanging(selling)]);
});

describe("while the service's database hangs", () => {
  attack("a payment is said to have failed, and is made afterwards", async () => {
    expect(payment).not.toEqual(lie);
  });

  attack("a sale is said to have failed, and is made afterwards", async () => {
    expect(sale).not.toEqual(lie);
  });

  it("a payment is told in the end as what it came to", async () => {
    const { fixture, payer, pay, ask } = await aPayment(await aSaleFixture());
    const release = await hang(fixture, payer);
    const paying = pay();
    await delay(1_000);
    await release();
    await paying;
    await expect.poll(ask, { timeout: 30_000 }).toBe("approved");
    expect(await isPaid(fixture, payer, QUOTA)).toBe(true);
  });
});
