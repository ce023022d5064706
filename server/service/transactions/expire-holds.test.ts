import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "vitest";
import { businessTime } from "../../../src/business-time.ts";
import { aLedger, ledgerFaults, type TestLedger } from "../../../test/support/a-ledger.ts";
import { aCommand, anOrigin, aPayment } from "../../../test/support/ledger.ts";
import type { Payment } from "../../ledger/model/command.ts";
import { type LapseContext, lapseHolds } from "./expire-holds.ts";

const HOUR_MS = 3_600_000;

let ledger: TestLedger;
let clock: () => Date;

beforeAll(async () => {
  ledger = await aLedger();
  const start = Date.now();
  clock = () => new Date(start + HOUR_MS);
});
afterAll(() => ledger.drop());

function aProcess(slot: number): LapseContext {
  const writer = ledger.aWriter({ slot, clock });
  return { sql: ledger.sql, ledger: writer, clock, random: randomBytes, time: businessTime("America/Bogota") };
}

async function holds(count: number, expiresAt: Date) {
  const entity = await ledger.anEntity();
  const [payer, payee] = [await ledger.aUser(entity, 1_000n), await ledger.aUser(entity)];
  const more: Partial<Payment> = { requestedStatus: "pending", holdExpiresAt: expiresAt };
  const make = () => ledger.writer.post(aCommand(anOrigin(entity), aPayment(payer.id, payee.id, 1n, more)));
  await Promise.all(Array.from({ length: count }, make));
  return async () => {
    const rows = await ledger.sql<{ reason: string | null; count: bigint }[]>`
      select coalesce(reason, status) as reason, count(*) from service.transactions where from_user_id = ${payer.id}
      group by 1`;
    return Object.fromEntries(rows.map((row) => [row.reason, Number(row.count)]));
  };
}

it("releases all holds whose time is over, each once, whatever number of processes does so, and no other", async () => {
  const now = clock().getTime();
  const [over, last, lasting] = [
    await holds(620, new Date(now - 1)),
    await holds(1, new Date(now)),
    await holds(3, new Date(now + 1)),
  ];
  const statuses = async () =>
    Number((await ledger.sql`select count(*) from service.transaction_statuses where status = 'rejected'`)[0]?.count);
  await Promise.all([lapseHolds(aProcess(1)), lapseHolds(aProcess(2)), lapseHolds(aProcess(3))]);
  expect([await over(), await last(), await lasting()]).toEqual([
    { hold_expired: 620 },
    { hold_expired: 1 },
    { pending: 3 },
  ]);
  expect(await statuses()).toBe(621);
  await lapseHolds(aProcess(4));
  expect(await statuses()).toBe(621);
  expect(await ledgerFaults(ledger.sql)).toEqual([]);
});

it("looks at pending holds alone, whatever was paid", async () => {
  const { sql } = ledger;
  await sql`analyze service.transactions`;
  const lines = await sql<{ "QUERY PLAN": string }[]>`
    explain select * from service.transactions where status = 'pending' and hold_expires_at <= now()
    order by hold_expires_at limit 500`;
  expect(lines.map((line) => line["QUERY PLAN"]).join("\n")).toContain("transactions_held");
});
