import { afterAll, beforeAll, expect, test } from "vitest";
import { aLedger, type TestLedger, type TestUser } from "../../../test/support/a-ledger.ts";
import { aCommand, anOrigin, aPayment } from "../../../test/support/ledger.ts";
import { forgetUnpaidQrs } from "./forget-unpaid-qrs.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
const NOW = new Date();

let ledger: TestLedger;
let payer: TestUser;
let payee: TestUser;

beforeAll(async () => {
  ledger = await aLedger();
  const entity = await ledger.anEntity();
  payer = await ledger.aUser(entity, 1_000n);
  payee = await ledger.aUser(entity);
});
afterAll(() => ledger.drop());

/** Makes a code as if it had expired so many days ago. */
async function aCode(daysAgo: number, isPaid = false): Promise<string> {
  const { reference } = await ledger.aQr(payee, 1n);
  const qr = { reference, payeeId: payee.id, amount: 1n };
  if (isPaid) await ledger.writer.post(aCommand(anOrigin(payer.entity), aPayment(payer.id, payee.id, 1n, { qr })));
  const expiresAt = new Date(NOW.getTime() - daysAgo * DAY_MS);
  await ledger.sql`update service.qr_reservations set expires_at = ${expiresAt} where reference = ${reference}`;
  return reference;
}

function tellThrough(daysAgo: number) {
  const through = new Date(NOW.getTime() - daysAgo * DAY_MS);
  return ledger.sql`
    insert into service.told_expiries (id, told_through) values (true, ${through})
    on conflict (id) do update set told_through = ${through}`;
}

async function left(): Promise<readonly string[]> {
  return (await ledger.sql<{ reference: string }[]>`select reference from service.qr_reservations`).map(
    ({ reference }) => reference,
  );
}

test("a code that nobody paid is forgotten 90 days after its expiry, one that was paid never", async () => {
  const [old, paid, recent] = [await aCode(91), await aCode(400, true), await aCode(89)];
  expect(await forgetUnpaidQrs(ledger.sql, NOW)).toBe(0);
  await tellThrough(92);
  expect(await forgetUnpaidQrs(ledger.sql, NOW)).toBe(0);
  expect(new Set(await left())).toEqual(new Set([old, paid, recent]));
  await tellThrough(0);
  expect(await forgetUnpaidQrs(ledger.sql, NOW)).toBe(1);
  expect(new Set(await left())).toEqual(new Set([paid, recent]));
  const later = new Date(NOW.getTime() + 2 * DAY_MS);
  expect(await forgetUnpaidQrs(ledger.sql, later)).toBe(1);
  expect(await left()).toEqual([paid]);
});
