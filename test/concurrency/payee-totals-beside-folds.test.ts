import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Sql } from "../../server/database/connect.ts";
import { foldHistograms } from "../../server/service/reports/fold-histograms.ts";
import { changesFrom } from "../../server/service/shared/changes-from.ts";
import { foldPayeeTotals } from "../../server/service/transactions/fold-payee-totals.ts";
import { type AnsweredPayment, aLedger, outcomeOf, type TestLedger, type TestUser } from "../support/a-ledger.ts";
import { aCommand, anOrigin, aPayment, aReversal, aSettlement } from "../support/ledger.ts";
import { currentPayeeTotals, paymentFaults } from "../support/payment-faults.ts";
import { aSlowWriter } from "../support/slow-writer.ts";

const LOAD_MS = 6_000;
/** How long ids are waited for that may be on their way (sync-page.ts of the service). */
const OVERLAP_MS = 32_000;
/** Ids of writers with one clock are on their way for two seconds at most: these are folded sooner. */
const SOONER_MS = OVERLAP_MS - 3_000;
const HOUR_MS = 3_600_000;

let ledger: TestLedger;

beforeAll(async () => {
  ledger = await aLedger();
});
afterAll(() => ledger.drop());

/** Folds as a process does whose clock is ahead. */
async function fold(aheadMs: number): Promise<void> {
  const { sql } = ledger;
  const from = changesFrom({ sql, clock: () => new Date() });
  const folding = { sql, changesFrom: async () => new Date((await from()).getTime() + aheadMs) };
  await Promise.all([foldPayeeTotals(folding), foldHistograms(folding)]);
}

async function countOf(sql: Sql, table: string): Promise<number> {
  const [row] = await sql<{ count: bigint }[]>`select count(*) from ${sql(`service.${table}`)}`;
  return Number(row?.count);
}

function anyOf<T>(all: readonly T[]): T {
  return all[Math.floor(Math.random() * all.length)] as T;
}

/** Makes, settles, releases and refunds payments among users, one after the other, until an instant. */
async function pay(users: readonly TestUser[], slot: number, untilMs: number): Promise<void> {
  const writer = ledger.aWriter({ slot });
  const made: AnsweredPayment[] = [];
  const one = async (): Promise<void> => {
    const [payer, payee, old] = [anyOf(users), anyOf(users), anyOf(made)];
    if (payer === payee) return;
    const origin = anOrigin(payer.entity);
    if (old !== undefined && Math.random() < 0.4) {
      const change = old.status === "pending" ? aSettlement(old, anyOf(["approved", "rejected"])) : aReversal(old, 1n);
      await outcomeOf(writer.post(aCommand(origin, change)));
      return;
    }
    const holdExpiresAt = new Date(Date.now() + HOUR_MS);
    const asked = anyOf([
      {},
      {},
      { requestedStatus: "pending", holdExpiresAt },
      { requestedStatus: "rejected" },
    ] as const);
    made.push((await writer.post(aCommand(origin, aPayment(payer.id, payee.id, 2n, asked)))).body as AnsweredPayment);
  };
  const line = async (): Promise<void> => {
    while (performance.now() < untilMs) await one();
  };
  await Promise.all(Array.from({ length: 8 }, line));
}

it("totals are the sum of the payments at every instant, beside writers and two processes that fold", async () => {
  const entity = await ledger.anEntity();
  const users = await Promise.all(Array.from({ length: 6 }, () => ledger.aUser(entity, 100_000n)));
  const untilMs = performance.now() + LOAD_MS;
  let checks = 0;
  const until = async (work: () => Promise<unknown>): Promise<void> => {
    while (performance.now() < untilMs) await work();
  };
  const check = async (): Promise<void> => {
    expect(await paymentFaults(ledger.sql)).toEqual([]);
    checks += 1;
  };
  const folding = [until(() => fold(SOONER_MS)), until(() => fold(SOONER_MS))];
  await Promise.all([pay(users, 1, untilMs), pay(users, 2, untilMs), ...folding, until(check)]);
  expect(checks).toBeGreaterThan(5);
  expect(await countOf(ledger.sql, "payee_totals")).toBe(30);

  const before = await ledger.sql`${currentPayeeTotals(ledger.sql)} order by 1, 2`;
  await fold(HOUR_MS);
  expect(await countOf(ledger.sql, "payee_changes")).toBe(0);
  expect(await ledger.sql`${currentPayeeTotals(ledger.sql)} order by 1, 2`).toEqual(before);
  const folded = await ledger.sql`select * from (${currentPayeeTotals(ledger.sql)}) t
    join service.payee_totals f using (from_user_id, to_user_id, total, latest, pending, approved, rejected, reversed)`;
  expect(folded).toHaveLength(30);
  expect(await paymentFaults(ledger.sql)).toEqual([]);
});

it("no payment is passed by while its commit is open, however long it takes", async () => {
  const { sql } = ledger;
  const entity = await ledger.anEntity();
  const [payer, payee] = [await ledger.aUser(entity, 9n), await ledger.aUser(entity)];
  const [later, other] = [await ledger.aUser(entity, 9n), await ledger.aUser(entity)];
  const slow = aSlowWriter({ sql, clock: () => new Date(), random: (length) => randomBytes(length), slot: 3 });
  await slow.begin({ id: entity.id, clientId: entity.clientId }, aPayment(payer.id, payee.id, 1n));
  await ledger.post(entity, aPayment(later.id, other.id, 1n));
  const ofEntity = sql`from_creator_id = ${entity.id}`;
  const payers = () => sql`select from_user_id from service.transactions where ${ofEntity}`;
  const folded = () => sql`select from_user_id from service.payee_totals where ${ofEntity}`;
  await fold(OVERLAP_MS);
  expect([await payers(), await folded()]).toEqual([[{ from_user_id: later.id }], []]);
  await slow.finish();
  expect(await paymentFaults(sql)).toEqual([]);
  await fold(HOUR_MS);
  expect(await folded()).toHaveLength(2);
  expect(await paymentFaults(sql)).toEqual([]);
});
