import { v7 as uuid } from "uuid";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Writer } from "../../server/ledger/writer.ts";
import { closeMonths } from "../../server/service/closing/close-months.ts";
import type { ClosingContext } from "../../server/service/closing/closing-context.ts";
import { businessTime } from "../../src/business-time.ts";
import { aLedger, type TestLedger, type TestUser } from "../support/a-ledger.ts";
import { sureClock } from "../support/invented-clock.ts";
import { aCommand, aGrant, anOrigin, aPayment, aTestEntity, type TestEntity } from "../support/ledger.ts";

const time = businessTime("America/Bogota");
const TURN = time.startOf("2026-04-01").getTime();
const MICRO = { annualRateBps: 36_000, dayBasis: 360, afterDue: "continue", arrearAfter: 0, defaultAfter: 90 } as const;

let ledger: TestLedger;
let now = new Date(TURN - 86_400_000);

beforeAll(async () => {
  ledger = await aLedger();
});
afterAll(() => ledger.drop());

/** A process: a writer of its own, with a clock that may lag behind. */
function aProcess(slot: number, clock = () => now): ClosingContext & { readonly ledger: Writer } {
  const businessDay = (instant: Date) => time.dayOf(instant);
  const writer = ledger.aWriter({ clock, businessDay, nextId: uuid, slot });
  const currency = { code: "COP", numeric: "170", digits: 2 };
  return { sql: ledger.sql, ledger: writer, clock, clockWatch: sureClock, time, currency };
}

async function anEntity(): Promise<TestEntity> {
  const entity = aTestEntity();
  await ledger.sql`
    insert into service.entities (id, name, created_at) values (${entity.id}, 'An entity', ${now})`;
  return entity;
}

function pay(process: ClosingContext, from: TestUser, to: TestUser) {
  return process.ledger.post(aCommand(anOrigin(from.entity), aPayment(from.id, to.id, 1n)));
}

async function debitsIn(entity: TestEntity, from: string, to: string): Promise<bigint> {
  const [row] = await ledger.sql<{ debits: string }[]>`
    select coalesce(-sum(e.amount) filter (where e.amount < 0), 0)::text as debits
    from service.entries e join service.accounts a on a.id = e.account_id
    join service.postings p on p.id = e.posting_id
    where a.entity_id = ${entity.id} and p.business_day between ${from} and ${to}`;
  return BigInt(row?.debits ?? "0");
}

/** The debits that a closed month's report states, in minor units. */
function toldDebits(closed: { readonly reports: ReadonlyMap<string, string> }): bigint {
  const report = JSON.parse(closed.reports.get("") ?? "{}") as { trial_balance: { total: { debit: string } } };
  return BigInt(Math.round(Number(report.trial_balance.total.debit) * 100));
}

describe("closing a month", () => {
  it("has each payment at its turn in the month whose day it is booked on, though two processes close", async () => {
    const processes = [aProcess(1), aProcess(2)] as const;
    const entity = await anEntity();
    const [ana, luz] = [await ledger.aUser(entity), await ledger.aUser(entity)];
    const lent = aGrant(ana.id, 100_000n, { loanType: "micro", terms: MICRO, dueDate: "2026-12-31" });
    await processes[0].ledger.post(aCommand(anOrigin(entity), lent));
    const closings: Promise<Awaited<ReturnType<typeof closeMonths>>>[] = [];
    const payments: Promise<unknown>[] = [];
    for (let round = -20; round < 20; round += 1) {
      now = new Date(TURN + round);
      payments.push(...processes.flatMap((process) => [pay(process, ana, luz), pay(process, ana, luz)]));
      if (round === 0) closings.push(...processes.map((process) => closeMonths(process, entity.id, "2026-03")));
      await new Promise((resolve) => setTimeout(resolve, 3));
    }
    await Promise.all(payments);
    const [one, two] = await Promise.all(closings);
    expect(two).toEqual(one);
    const misplaced = await ledger.sql`
      select p.business_day, t.created_at from service.transactions t join service.postings p on p.id = t.posting_id
      where t.made_by = ${entity.id} and (p.business_day < '2026-04-01') <> (t.created_at < ${new Date(TURN)})`;
    expect(misplaced).toEqual([]);
    const march = await debitsIn(entity, "2026-03-01", "2026-03-31");
    expect(one && toldDebits(one)).toBe(march);
    expect(march).toBeGreaterThan(100_000n);
    expect(await debitsIn(entity, "2026-04-01", "2026-04-30")).toBeGreaterThan(0n);
  });

  it("lets no process book in it afterwards, also one whose clock is still in it", async () => {
    now = new Date(TURN - 86_400_000);
    const entity = await anEntity();
    const [ana, luz] = [await ledger.aUser(entity, 50n), await ledger.aUser(entity)];
    now = new Date(TURN + 1_000);
    const late = aProcess(3, () => new Date(TURN - 1_000));
    const closed = await closeMonths(aProcess(4), entity.id, "2026-03");
    await pay(late, ana, luz);
    const [{ day } = { day: "" }] = await ledger.sql<{ day: string }[]>`
      select p.business_day::text as day from service.transactions t join service.postings p on p.id = t.posting_id
      where t.from_user_id = ${ana.id}`;
    expect(day).toBe("2026-04-01");
    expect(toldDebits(closed)).toBe(await debitsIn(entity, "2026-03-01", "2026-03-31"));
  });

  it("waits for a commit that is under way, and reports it", async () => {
    now = new Date(TURN - 86_400_000);
    const entity = await anEntity();
    const ana = await ledger.aUser(entity, 50n);
    const holding = Promise.withResolvers<void>();
    const held = Promise.withResolvers<void>();
    // Locks the entity's row in share mode while it writes, as a commit does.
    const underway = ledger.sql.begin(async (tx) => {
      await tx`select id from service.entities where id = ${entity.id} for share`;
      held.resolve();
      await holding.promise;
      await tx`insert into service.ledger_days (entity_id, kind, counterparty_id, day, slot, debit, credit)
        values (${entity.id}, 'cash_clearing', ${"00000000-0000-0000-0000-000000000000"}, '2026-03-31', 9, 5, 5)`;
    });
    await held.promise;
    now = new Date(TURN + 1_000);
    let isClosed = false;
    const closing = closeMonths(aProcess(5), entity.id, "2026-03").finally(() => {
      isClosed = true;
    });
    await new Promise((resolve) => setTimeout(resolve, 150));
    expect(isClosed).toBe(false);
    holding.resolve();
    await underway;
    const march = await debitsIn(entity, "2026-03-01", "2026-03-31");
    expect(toldDebits(await closing)).toBe(march + 5n);
    expect(await ledger.balanceOf(ana)).toBe(50n);
  });
});
