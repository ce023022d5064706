import { afterAll, beforeAll, expect, test } from "vitest";
import { type AnsweredPayment, aLedger, ledgerFaults, type TestLedger } from "../support/a-ledger.ts";
import { holdTransaction } from "../support/held-transaction.ts";
import { aCommand, anOrigin, aPayment, aReversal } from "../support/ledger.ts";

const COMMIT_WITHIN_MS = 300;

let ledger: TestLedger;

beforeAll(async () => {
  ledger = await aLedger();
});
afterAll(() => ledger.drop());

/** Posts while the account of a user is locked for longer than a commit may take, and lets the lock go after that. */
async function postHung(userId: string, post: () => Promise<unknown>): Promise<void> {
  const release = await holdTransaction(
    ledger.sql,
    (tx) => tx`select 1 from service.accounts where id = ${userId} for update`,
  );
  const started = performance.now();
  await expect(post()).rejects.toMatchObject({ code: "unavailable" });
  expect(performance.now() - started).toBeGreaterThanOrEqual(COMMIT_WITHIN_MS);
  await release();
}

test("a database that does not answer is told as away, and what it does later is not done twice", async () => {
  const entity = await ledger.anEntity();
  const payer = await ledger.aUser(entity, 10_000n);
  const payee = await ledger.aUser(entity);
  const paid = await ledger.post(entity, aPayment(payer.id, payee.id, 1_000n));
  const writer = ledger.aWriter({ commitWithinMs: COMMIT_WITHIN_MS });
  const refund = () => writer.post(aCommand(anOrigin(entity, "hung"), aReversal(paid as AnsweredPayment)));
  await postHung(payee.id, refund);

  // The late transaction takes place now; the same key finds its answer instead of paying back again.
  await expect.poll(() => ledger.balanceOf(payer)).toBe(10_000n);
  expect(await refund()).toMatchObject({ replayed: true });
  expect(await ledger.balanceOf(payee)).toBe(0n);
  expect(await ledgerFaults(ledger.sql)).toEqual([]);
});

test("a batch on remembered rows that is not answered is told as unknown, and is paid once all the same", async () => {
  const entity = await ledger.anEntity();
  const payer = await ledger.aUser(entity, 10_000n);
  const payee = await ledger.aUser(entity);
  const writer = ledger.aWriter({ commitWithinMs: COMMIT_WITHIN_MS, isDoubted: () => false });
  const pay = (key: string) => writer.post(aCommand(anOrigin(entity, key), aPayment(payer.id, payee.id, 1_000n)));
  await pay("before");
  await postHung(payer.id, () => pay("hung"));

  await pay("hung");
  expect(await pay("hung")).toMatchObject({ replayed: true });
  expect([await ledger.balanceOf(payer), await ledger.balanceOf(payee)]).toEqual([8_000n, 2_000n]);
  expect(await ledgerFaults(ledger.sql)).toEqual([]);
});
