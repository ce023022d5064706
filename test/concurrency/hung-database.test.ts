import { afterAll, beforeAll, expect, test } from "vitest";
import { aLedger, ledgerFaults, type TestLedger } from "../support/a-ledger.ts";
import { holdTransaction } from "../support/held-transaction.ts";
import { aCommand, anOrigin, aPayment } from "../support/ledger.ts";

const COMMIT_WITHIN_MS = 300;

let ledger: TestLedger;

beforeAll(async () => {
  ledger = await aLedger();
});
afterAll(() => ledger.drop());

test("a database that does not answer is told as away, and what it does later is not done twice", async () => {
  const entity = await ledger.anEntity();
  const payer = await ledger.aUser(entity, 10_000n);
  const payee = await ledger.aUser(entity);
  const writer = ledger.aWriter({ commitWithinMs: COMMIT_WITHIN_MS });
  const pay = () => writer.post(aCommand(anOrigin(entity, "hung"), aPayment(payer.id, payee.id, 1_000n)));

  const release = await holdTransaction(
    ledger.sql,
    (tx) => tx`select 1 from service.accounts where id = ${payer.id} for update`,
  );
  const started = performance.now();
  await expect(pay()).rejects.toMatchObject({ code: "unavailable" });
  expect(performance.now() - started).toBeGreaterThanOrEqual(COMMIT_WITHIN_MS);
  await release();

  // The late transaction takes place now; the same key finds its answer instead of paying again.
  await expect.poll(() => ledger.balanceOf(payer)).toBe(9_000n);
  expect(await pay()).toMatchObject({ replayed: true });
  expect(await ledger.balanceOf(payee)).toBe(1_000n);
  expect(await ledgerFaults(ledger.sql)).toEqual([]);
});
