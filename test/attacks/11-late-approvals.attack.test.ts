import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, expect } from "vitest";
import { holdTransaction } from "../support/held-transaction.ts";
import type { AppBrowser } from "./support/app-browser.ts";
import { attack } from "./support/attack.ts";
import type { EntityCaller } from "./support/entity-caller.ts";
import type { RawAnswer } from "./support/http-caller.ts";
import { Target } from "./support/target.ts";

const QUOTA = 50_000;
const AMOUNT = 1_000;
/** The lifetime of an approval in these attacks, which do not wait for two minutes. */
const LIFE_MS = 4_000;

let target: Target;
let own: EntityCaller;
beforeAll(async () => {
  target = await Target.start();
  own = await target.own();
});
afterAll(() => target.remove());

/** A person at Confirm, whose approval ends soon. */
interface Payer {
  readonly userId: string;
  readonly phone: AppBrowser;
  readonly approval: RawAnswer["body"];
}

async function aPayer(): Promise<Payer> {
  const userId = await own.aUser({ quota: QUOTA });
  const phone = await target.invite(userId);
  const to_user_id = target.product.demo.users.merchant.id;
  const { payload } = (await own.post("/create-transaction-qr", { to_user_id, amount: AMOUNT })).body;
  const { body } = await phone.post("/v1/approvals", { payload });
  return { userId, phone, approval: body };
}

/** The state of a payment that the person is shown, and true if it is made in the end. */
interface Outcome {
  readonly told: string;
  readonly paid: boolean;
}

async function isPaid({ userId }: Payer): Promise<boolean> {
  for (let second = 0; second < 10; second += 1) {
    if ((await own.available(userId)) < QUOTA) return true;
    await delay(1_000);
  }
  return false;
}

/**
 * Asks as the app does after a confirmation without an answer: it says that nothing was moved only once the approval is
 * withdrawn or has expired. A version without withdrawal is asked as its app did, which took an open approval for one
 * whose confirmation had not arrived.
 */
async function tellOf({ phone, approval: { id } }: Payer): Promise<string> {
  const asked = (await phone.get(`/v1/approvals/${id}`)).body.state;
  const { body } = await phone.post(`/v1/approvals/${id}/withdraw`);
  const state = body.state ?? asked;
  return ["open", "withdrawn", "expired"].includes(state) ? "nothing was moved" : state;
}

attack("a confirmation on its way is paid after its person was told that nothing was moved", async () => {
  const payer = await aPayer();
  const { phone, approval } = payer;
  const told = await tellOf(payer);
  // The confirmation waited at a proxy for longer than anybody waited for its answer.
  await phone.confirm(approval);
  const outcome: Outcome = { told, paid: await isPaid(payer) };
  expect(outcome).not.toEqual({ told: "nothing was moved", paid: true });
});

attack("a confirmation that waits for its turn is paid after its time, which was told to be over", async () => {
  const payer = await aPayer();
  const { phone, approval } = payer;
  const { id } = approval;
  await target.sql`update broker.approvals set expires_at = ${new Date(Date.now() + LIFE_MS)} where id = ${id}`;
  const { body } = await phone.get(`/v1/approvals/${id}`);
  const release = await holdTransaction(
    target.sql,
    (tx) => tx`select from broker.approvals where id = ${id} for update`,
  );
  const confirming = phone.confirm(body);
  await delay(LIFE_MS + 500);
  const asking = phone.get(`/v1/approvals/${id}`);
  // A version that reports the expiry before it is certain does so now.
  await Promise.race([asking, delay(1_000)]);
  await release();
  await confirming;
  const told = (await asking).body.state;
  const outcome: Outcome = { told, paid: await isPaid(payer) };
  expect(outcome).not.toEqual({ told: "expired", paid: true });
});
