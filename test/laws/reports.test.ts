import fc from "fast-check";
import { v7 as uuid } from "uuid";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findClosedMonth } from "../../server/service/reports/closed-months.ts";
import { getAccountingReport } from "../../server/service/reports/get-accounting-report.ts";
import { getClientStatistics } from "../../server/service/reports/get-client-statistics.ts";
import { getHarvestStatistics } from "../../server/service/reports/get-harvest-statistics.ts";
import { getTransactionStatistics } from "../../server/service/reports/get-transaction-statistics.ts";
import { lastDayOf, monthOf } from "../../server/service/reports/months.ts";
import { businessTime } from "../../src/business-time.ts";
import { addDays } from "../../src/calendar-day.ts";
import * as contract from "../../src/contract/service/reports.ts";
import { ApiError } from "../../src/contract/shared/errors.ts";
import type { Operation } from "../../src/contract/shared/operation.ts";
import { fits } from "../../src/contract/shared/validate.ts";
import { parseAmount } from "../../src/money.ts";
import { aLedger, type TestLedger } from "../support/a-ledger.ts";
import { creditFaults } from "../support/credit-faults.ts";
import {
  createdOf,
  dayOfEvent,
  expectedAccounting,
  expectedClients,
  expectedHarvest,
  expectedTransactions,
  groupsOf,
  nearestRank,
} from "./report-expectations.ts";
import { ReportFixture, type Stage } from "./report-fixture.ts";
import { aHistory, type DrawnDays, type DrawnHistory, type Probe, someDays } from "./report-history.ts";
import type { Reference } from "./report-reference.ts";
import { type EventRow, type RawRows, readRawRows } from "./report-rows.ts";

/** Histories that run side by side: their moves share commits, as in production, and the thousand take less time. */
const SIDE_BY_SIDE = 10;
const HISTORIES = 1_000;
/** The moves that must not only have been tried, but have succeeded again and again. */
const MOVES = [
  ..."payment batch settle reverse transfer grant discharge repay pay-off end import".split(" "),
  ..."accrue register close".split(" "),
];
const START = new Date("2026-01-20T13:00:00Z");
const DAY_MS = 86_400_000;

const time = businessTime("America/Bogota");
let now = START;
let ledger: TestLedger;
let stage: Stage;
const outcomes = new Map<string, number>();

beforeAll(async () => {
  ledger = await aLedger();
  const options = { clock: () => now, nextId: uuid, businessDay: (instant: Date) => time.dayOf(instant) };
  const writers = [ledger.aWriter({ ...options, slot: 3 }), ledger.aWriter({ ...options, slot: 11 })] as const;
  stage = { sql: ledger.sql, writers, time, clock: () => now };
});
afterAll(() => ledger.drop());

/** Asks for a report, and checks its answer against its contract row. */
async function ask(row: Operation, handler: unknown, call: object): Promise<Record<string, unknown>> {
  const run = handler as (call: object) => Promise<{ body: unknown; media?: { content: string } }>;
  const { body, media } = await run({ mediaType: "application/json", ...call });
  expect(fits(row.answer, body)).toBe(true);
  if (media !== undefined) expect(JSON.parse(media.content)).toEqual(body);
  const { as_of: _, currency, period, ...report } = body as Record<string, unknown>;
  expect(currency).toBe("COP");
  expect(period).toMatchObject({ days: expect.any(Number) });
  return report;
}

/** Takes the medians and percentiles out of statistics, checking that none is more than 2 % off. */
function withoutPercentiles(group: Record<string, unknown>, events: readonly EventRow[]): object {
  const { median, percentile_95, ...rest } = group;
  for (const [told, hundredths] of [
    [median, 50],
    [percentile_95, 95],
  ] as const) {
    const exact = nearestRank(events, hundredths);
    if (exact === null) expect(told).toBeNull();
    else
      expect(Math.abs(Number(parseAmount(told as string, 2) - exact))).toBeLessThanOrEqual(Number(exact) * 0.02 + 0.5);
  }
  return rest;
}

async function checkTransactions(fixture: ReportFixture, uid: string, reference: Reference): Promise<void> {
  const { rows, firstDay, lastDay } = reference;
  const call = { query: { uid, "from-date": firstDay, "to-date": lastDay }, principal: { entityId: uid } };
  const report = await ask(contract.getTransactionStatistics, getTransactionStatistics(fixture.context), call);
  const inPeriod = (first: string, last: string) =>
    rows.events.filter((each) => dayOfEvent(each, time) >= first && dayOfEvent(each, time) <= last);
  const strip = (groups: unknown, events: readonly EventRow[]) =>
    (groups as Record<string, unknown>[]).map((group, index) =>
      withoutPercentiles(group, groupsOf(events)[index]?.[2] ?? []),
    );
  const all = inPeriod(firstDay, lastDay);
  const total = report.total as Record<string, unknown>;
  const days = (report.days as Record<string, unknown>[]).map((each) => ({
    ...each,
    by_kind_and_event: strip(each.by_kind_and_event, inPeriod(each.day as string, each.day as string)),
  }));
  const groups = strip(total.by_kind_and_event, all);
  const plain = { ...withoutPercentiles(total, createdOf(all)), by_kind_and_event: groups };
  expect({ ...report, total: plain, days }).toEqual(expectedTransactions(reference));
}

async function checkAccounting(fixture: ReportFixture, rows: RawRows, { monthsBack, loanType }: Probe): Promise<void> {
  const { entityId } = rows;
  const today = time.dayOf(now);
  let month = monthOf(today);
  for (let back = 0; back < monthsBack; back += 1) month = monthOf(addDays(`${month}-01`, -1));
  const lastDay = lastDayOf(month) < today ? lastDayOf(month) : today;
  const closed = await findClosedMonth(stage.sql, entityId, month);
  const known =
    loanType === null || (closed === undefined ? knownTypes(rows) : [...closed.reports.keys()]).includes(loanType);
  const query = { year: month.slice(0, 4), month: String(Number(month.slice(5))) };
  const call = {
    query: { ...query, ...(loanType === null ? {} : { "loan-product": loanType }) },
    principal: { entityId },
  };
  const asked = ask(contract.getAccountingReport, getAccountingReport(fixture.context), call);
  if (!known) return expect(asked).rejects.toThrow(ApiError);
  const reference = { rows, time, firstDay: `${month}-01`, lastDay };
  const expected = { ...expectedAccounting(reference, month, loanType), closed: closed !== undefined };
  expect(await asked).toEqual(expected);
}

function knownTypes(rows: RawRows): string[] {
  const moved = rows.credits.filter(({ movements }) => movements.length > 0);
  return ["default", ...moved.map(({ loanType }) => loanType)];
}

async function checkProbe(fixture: ReportFixture, probe: Probe): Promise<void> {
  const entityId = fixture.entities[probe.entity]?.id ?? "";
  const rows = await readRawRows(
    stage.sql,
    entityId,
    fixture.users.map(({ id }) => id),
  );
  const lastDay = addDays(time.dayOf(now), -probe.ends);
  const firstDay = addDays(lastDay, -probe.length);
  const reference = { rows, time, firstDay, lastDay };
  const query = { uid: entityId, "from-date": firstDay, "to-date": lastDay };
  const principal = { entityId };
  const harvest = ask(contract.getHarvestStatistics, getHarvestStatistics(fixture.context), { query, principal });
  const clients = getClientStatistics(fixture.context);
  const ofAll = ask(contract.getClientStatistics, clients, { query, principal });
  const user = fixture.users[probe.user % fixture.users.length] ?? { id: "", entity: -1 };
  const isClient = user.entity === probe.entity || rows.credits.some(({ userId }) => userId === user.id);
  const ofOne = ask(contract.getClientStatistics, clients, { query: { ...query, uid: user.id }, principal });
  await Promise.all([
    checkTransactions(fixture, entityId, reference),
    expect(harvest).resolves.toEqual(expectedHarvest(reference)),
    expect(ofAll).resolves.toEqual(expectedClients(reference, undefined)),
    isClient
      ? expect(ofOne).resolves.toEqual(expectedClients(reference, user.id))
      : expect(ofOne).rejects.toMatchObject({ code: "entity_not_yours" }),
    checkAccounting(fixture, rows, probe),
  ]);
}

async function play(days: DrawnDays, histories: readonly DrawnHistory[]): Promise<void> {
  now = START;
  const worlds = histories.map(() => new ReportFixture(stage));
  await Promise.all(worlds.map((fixture) => fixture.begin()));
  for (const [index, { daysLater, minute }] of days.entries()) {
    const midnight = Math.floor(now.getTime() / DAY_MS) * DAY_MS;
    now = new Date(Math.max(midnight + daysLater * DAY_MS + minute * 60_000, now.getTime() + 1_000));
    await Promise.all(worlds.map((fixture, which) => fixture.step(histories[which]?.steps[index] ?? [])));
  }
  now = new Date(now.getTime() + 1_000);
  await Promise.all(
    worlds.flatMap((fixture, which) => (histories[which]?.probes ?? []).map((probe) => checkProbe(fixture, probe))),
  );
  for (const outcome of worlds.flatMap((fixture) => fixture.outcomes))
    outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
}

describe("every report", () => {
  it("equals one that is computed from the raw rows alone, on 1 000 histories of two entities", async () => {
    const histories = fc.array(aHistory, { minLength: SIDE_BY_SIDE, maxLength: SIDE_BY_SIDE });
    const law = fc.asyncProperty(someDays, histories, play);
    await fc.assert(law, { numRuns: HISTORIES / SIDE_BY_SIDE, endOnFailure: true });
    expect(await creditFaults(stage.sql)).toEqual([]);
    for (const move of MOVES) {
      expect([move, (outcomes.get(`${move}: done`) ?? 0) > HISTORIES / 20]).toEqual([move, true]);
    }
  }, 600_000);
});
