import fc from "fast-check";
import { v7 as uuid } from "uuid";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { accountStatement } from "../../server/service/books/account-statement.ts";
import { lastDayOf, monthOf, monthsBetween } from "../../server/service/reports/months.ts";
import { businessTime } from "../../src/business-time.ts";
import * as contract from "../../src/contract/service/books.ts";
import type { AnswerOf } from "../../src/contract/shared/operation.ts";
import { fits } from "../../src/contract/shared/validate.ts";
import { numberToAmountText, parseAmount, sumAmounts } from "../../src/money.ts";
import { aLedger, type TestLedger } from "../support/a-ledger.ts";
import { ReportFixture, type Stage } from "./report-fixture.ts";
import { aHistory, type DrawnDays, type DrawnHistory, someDays } from "./report-history.ts";

const SIDE_BY_SIDE = 10;
const HISTORIES = 200;
const START = new Date("2026-01-20T13:00:00Z");
const DAY_MS = 86_400_000;
/** One process is further behind the other than any clock may be: it mostly books on the day before. */
const BEHIND_MS = 20 * 3_600_000;

type Statement = AnswerOf<typeof contract.accountStatement>;
type User = ReportFixture["users"][number];

const time = businessTime("America/Bogota");
let now = START;
let ledger: TestLedger;
let stage: Stage;
/** How often an entry followed one of a later day, and how many statements were final before the end. */
const seen = { outOfOrder: 0, final: 0 };

beforeAll(async () => {
  ledger = await aLedger();
  const options = { clock: () => now, nextId: uuid };
  const behind = (at: Date): string => time.dayOf(new Date(at.getTime() - BEHIND_MS));
  const writers = [
    ledger.aWriter({ ...options, slot: 3, businessDay: (at) => time.dayOf(at) }),
    ledger.aWriter({ ...options, slot: 11, businessDay: behind }),
  ] as const;
  stage = { sql: ledger.sql, writers, time, clock: () => now };
});
afterAll(() => ledger.drop());

/** Reads the whole statement of a user's month by pages of two; each page must tell the same balances. */
async function statementOf(fixture: ReportFixture, { id, entity }: User, month: string): Promise<Statement> {
  const handler = accountStatement({ ...fixture.context, changesFrom: async () => now }) as (
    call: object,
  ) => Promise<{ body: Statement; nextCursor?: string }>;
  const principal = { entityId: fixture.entities[entity]?.id };
  const query = { "user-id": id, "from-day": `${month}-01`, "to-day": lastDayOf(month), limit: "2" };
  let page = await handler({ query, principal });
  const { entries, ...frame } = page.body;
  const all = [...entries];
  while (page.nextCursor !== undefined) {
    page = await handler({ query: { ...query, cursor: page.nextCursor }, principal });
    expect({ ...page.body, entries: undefined }).toEqual({ ...frame, entries: undefined });
    all.push(...page.body.entries);
  }
  expect(fits(contract.accountStatement.answer, page.body)).toBe(true);
  return { ...frame, entries: all };
}

const minor = (amount: number): bigint => parseAmount(numberToAmountText(amount), 2);

/** The posting and amount of each entry of a user by month, in the order of day and number, from the rows alone. */
async function entriesOf({ id }: User): Promise<ReadonlyMap<string, readonly [string, bigint][]>> {
  const rows = await stage.sql<{ day: string; postingId: string; amount: bigint; number: bigint }[]>`
    select p.business_day::text as day, p.id as "postingId", e.amount, e.sequence_number as number
    from service.entries e join service.postings p on p.id = e.posting_id
    where e.account_id = ${id} order by p.business_day, e.sequence_number`;
  const numbers = rows.map(({ number }) => number);
  if (numbers.some((number, index) => number < (numbers[index - 1] ?? 0n))) seen.outOfOrder += 1;
  const months = Map.groupBy(rows, ({ day }) => monthOf(day));
  return new Map([...months].map(([month, own]) => [month, own.map((row) => [row.postingId, row.amount])]));
}

/** Checks every month of a user against the entries, against the month before it, and the last against the account. */
async function checkUser(fixture: ReportFixture, user: User, printed: ReadonlyMap<string, Statement>): Promise<void> {
  const [rows, [account]] = [
    await entriesOf(user),
    await stage.sql<{ posted: bigint }[]>`select posted from service.accounts where id = ${user.id}`,
  ];
  let balance = 0n;
  for (const month of monthsBetween(monthOf(time.dayOf(START)), monthOf(time.dayOf(now)))) {
    const statement = await statementOf(fixture, user, month);
    const { closing_balance, entries, opening_balance } = statement;
    expect([month, minor(opening_balance)]).toEqual([month, balance]);
    const amounts = entries.map(({ amount }) => minor(amount));
    expect(entries.map(({ posting_id }, index) => [posting_id, amounts[index]])).toEqual(rows.get(month) ?? []);
    for (const [index, { balance_after }] of entries.entries()) {
      balance += amounts[index] as bigint;
      expect(minor(balance_after)).toBe(balance);
    }
    expect(minor(closing_balance)).toBe(minor(opening_balance) + sumAmounts(amounts));
    expect(minor(closing_balance)).toBe(balance);
    const earlier = printed.get(`${user.id} ${month}`);
    if (earlier !== undefined) expect(statement).toEqual(earlier);
  }
  expect(balance).toBe(account?.posted);
}

/** Prints what is final after a step, and was not before. */
async function print(fixture: ReportFixture, printed: Map<string, Statement>): Promise<void> {
  const month = monthOf(time.dayOf(new Date(time.startOf(`${monthOf(time.dayOf(now))}-01`).getTime() - 1)));
  for (const user of fixture.users) {
    const key = `${user.id} ${month}`;
    const statement = printed.has(key) ? undefined : await statementOf(fixture, user, month);
    if (statement?.final !== true) continue;
    printed.set(key, statement);
    seen.final += 1;
  }
}

async function play(days: DrawnDays, histories: readonly DrawnHistory[]): Promise<void> {
  now = START;
  const worlds = histories.map(() => new ReportFixture(stage));
  const printed = new Map<string, Statement>();
  await Promise.all(worlds.map((fixture) => fixture.begin()));
  for (const [index, { daysLater, minute }] of days.entries()) {
    const midnight = Math.floor(now.getTime() / DAY_MS) * DAY_MS;
    now = new Date(Math.max(midnight + daysLater * DAY_MS + minute * 60_000, now.getTime() + 1_000));
    await Promise.all(worlds.map((fixture, which) => fixture.step(histories[which]?.steps[index] ?? [])));
    await Promise.all(worlds.map((fixture) => print(fixture, printed)));
  }
  for (const fixture of worlds) for (const user of fixture.users) await checkUser(fixture, user, printed);
}

describe("the statements of an account", () => {
  it("lead from month to month to its balance, and stay as they were once final, on 200 histories", async () => {
    const histories = fc.array(aHistory, { minLength: SIDE_BY_SIDE, maxLength: SIDE_BY_SIDE });
    const law = fc.asyncProperty(someDays, histories, play);
    await fc.assert(law, { numRuns: HISTORIES / SIDE_BY_SIDE, endOnFailure: true });
    expect(seen.outOfOrder).toBeGreaterThan(HISTORIES / 20);
    expect(seen.final).toBeGreaterThan(HISTORIES);
  }, 600_000);
});
