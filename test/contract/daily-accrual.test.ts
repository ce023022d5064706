import { randomBytes } from "node:crypto";
import { v7 } from "uuid";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { accrueCommand } from "../../server/commands/accrue-command.ts";
import { connect } from "../../server/database/connect.ts";
import { Writer } from "../../server/ledger/writer.ts";
import { accrueDueCredits } from "../../server/service/accrual/accrue-due-credits.ts";
import { ACCRUE_EVERY_MS, startServiceTasks } from "../../server/start/service-tasks.ts";
import { businessTime } from "../../src/business-time.ts";
import { addDays } from "../../src/calendar-day.ts";
import { commandSettings } from "../support/command-settings.ts";
import { accrueToday, aLoanType, businessDay, creditById, lend, passDays } from "../support/credit-calls.ts";
import { aService, aUser, type TestEntity, type TestService } from "../support/service.ts";
import { expectSoundBooks, standing, times } from "../support/service-calls.ts";
import { silentLog } from "../support/silent-log.ts";

const time = businessTime("America/Bogota");

let service: TestService;
let fintech: TestEntity;

beforeEach(async () => {
  service = await aService();
  fintech = await service.anEntity();
  await aLoanType(fintech);
});
afterEach(() => service.stop());

const inDays = (days: number): string => businessDay(service, days);

interface Accrual {
  readonly creditId: string;
  readonly day: string;
  readonly amount: bigint;
}

async function accruals(): Promise<readonly (Accrual & { readonly bookedOn: string })[]> {
  const rows = await service.sql<(Accrual & { readonly bookedOn: string })[]>`
    select a.credit_id as "creditId", a.day::text, a.amount, p.business_day::text as "bookedOn"
    from service.credit_accruals a join service.postings p on p.id = a.posting_id order by a.credit_id, a.day`;
  return rows.map((row) => ({ ...row }));
}

/** A(t) of the specification in the plainest form: the nearest whole of N / K, halves to even. */
function interestAfter(days: number, principal: bigint, bps: bigint, basis: bigint): bigint {
  const [numerator, divisor] = [principal * bps * BigInt(days), 10_000n * basis];
  const [whole, twice] = [numerator / divisor, (numerator % divisor) * 2n];
  const isUp = twice > divisor || (twice === divisor && whole % 2n === 1n);
  return isUp ? whole + 1n : whole;
}

/** Another process: a writer with a pool and a slot of its own. */
async function withAnotherProcess<T>(work: (ledger: Writer) => Promise<T>): Promise<T> {
  const sql = connect(service.databaseUrl, { max: 2, applicationName: "cupo test other process" });
  const { clock } = service;
  const businessDayOf = (now: Date): string => time.dayOf(now);
  const eventBody = () => "{}";
  const ledger = new Writer({
    sql,
    clock,
    nextId: () => v7(),
    businessDay: businessDayOf,
    slot: 15,
    counterpartyLimit: 0n,
    eventBody,
  });
  try {
    return await work(ledger);
  } finally {
    await ledger.close();
    await sql.end();
  }
}

describe("the daily run", () => {
  it("catches up 400 days off exactly: each day its own interest, booked on that day", async () => {
    await aLoanType(fintech, "odd", { annual_rate_bps: 2_417, day_basis: 360 });
    const ana = await aUser(fintech);
    const openedOn = inDays(0);
    const { id } = await lend(fintech, ana.id, "333.33", { loan_type: "odd", payment_date: inDays(30) });
    passDays(service, 401);
    const posted = await accrueToday(service);
    const expected = times(400, (index) => {
      const day = addDays(openedOn, index + 1);
      const of = (days: number): bigint => interestAfter(days, 33_333n, 2_417n, 360n);
      return { creditId: id, day, amount: of(index + 1) - of(index), bookedOn: day };
    });
    expect(await accruals()).toEqual(expected);
    const total = interestAfter(400, 33_333n, 2_417n, 360n);
    expect(posted.amount).toBe(total);
    // Paid today it costs the interest of today too, which is not accrued before the day is over.
    const today = Number(interestAfter(401, 33_333n, 2_417n, 360n)) / 100;
    expect(await creditById(fintech, id)).toMatchObject({ accrued_interest: today, outstanding: 333.33 });
    await expectSoundBooks(service);
  });

  it("comes to the same when it runs every day, or in pieces", async () => {
    const [ana, eva] = [await aUser(fintech), await aUser(fintech)];
    const daily = await lend(fintech, ana.id, "7.77", { payment_date: inDays(30) });
    for (const days of times(12, () => 1)) {
      passDays(service, days);
      await accrueToday(service);
    }
    const pieces = await lend(fintech, eva.id, "7.77", { payment_date: inDays(30) });
    for (const days of [5, 0, 7]) {
      passDays(service, days);
      await accrueToday(service);
    }
    const rows = await accruals();
    const amounts = (creditId: string) => rows.filter((row) => row.creditId === creditId).map(({ amount }) => amount);
    // 0.777 cents a day: a cent on most days, none where the fraction waits.
    expect(amounts(pieces.id)).toEqual(times(9, () => 1n));
    expect(amounts(daily.id).slice(0, 9)).toEqual(amounts(pieces.id));
  });

  it("posts nothing more when it runs again the same day", async () => {
    const ana = await aUser(fintech);
    await lend(fintech, ana.id, "1000", { payment_date: inDays(1) });
    passDays(service, 4);
    expect(await accrueToday(service)).toEqual({ credits: 1, amount: 300n });
    const before = [await standing(service), await accruals()];
    expect(await accrueToday(service)).toEqual({ credits: 0, amount: 0n });
    expect([await standing(service), await accruals()]).toEqual(before);
  });

  it("posts every credit and day once when two processes run at the same time, of several entities", async () => {
    const other = await service.anEntity("Other");
    await aLoanType(other);
    for (const entity of [fintech, other]) {
      const users = await Promise.all(times(25, () => aUser(entity)));
      const terms = { amount: "1000", loan_type: "micro", payment_date: inDays(10) };
      const bodies = users.flatMap(({ id }) => times(10, () => ({ id, ...terms })));
      await Promise.all(bodies.map((body) => entity.client.addQuota({ body })));
    }
    passDays(service, 41);
    const { sql } = service;
    const through = inDays(0);
    const totals = await withAnotherProcess((ledger) =>
      Promise.all([service.ledger, ledger].map((each) => accrueDueCredits({ sql, ledger: each, through }))),
    );
    expect(totals.reduce((sum, { amount }) => sum + amount, 0n)).toBe(500n * 40n * 100n);
    const rows = await accruals();
    expect(rows).toHaveLength(500 * 40);
    expect(new Set(rows.map(({ creditId, day }) => `${creditId} ${day}`)).size).toBe(500 * 40);
    expect(rows.every(({ amount }) => amount === 100n)).toBe(true);
    await expectSoundBooks(service);
  }, 60_000);

  it("leaves credits alone that days bring no interest: no rate, stopped at the due date, not open", async () => {
    await aLoanType(fintech, "stops", { after_due: "stop" });
    const ana = await aUser(fintech, { quota: 10 });
    const stopped = await lend(fintech, ana.id, "1000", { loan_type: "stops", payment_date: inDays(2) });
    const ended = await lend(fintech, ana.id, "1000", { payment_date: inDays(2) });
    await fintech.client.writeOffCredit({ body: { credit_id: ended.id } });
    passDays(service, 5);
    expect(await accrueToday(service)).toEqual({ credits: 1, amount: 200n });
    expect((await accruals()).map(({ creditId }) => creditId)).toEqual([stopped.id, stopped.id]);
    passDays(service, 5);
    const post: Writer["post"] = () => Promise.reject(new Error("something was posted"));
    await accrueDueCredits({ sql: service.sql, ledger: { post }, through: inDays(0) });
  });

  it("stops between two commits when it is told to, and goes on with the next run", async () => {
    const users = await Promise.all(times(3, () => aUser(fintech)));
    const terms = { amount: "1000", loan_type: "micro", payment_date: inDays(10) };
    // All at once would be more than a slow machine commits before it refuses the rest.
    for (const { id } of users) {
      await Promise.all(times(75, () => fintech.client.addQuota({ body: { id, ...terms } })));
    }
    passDays(service, 2);
    let commits = 0;
    const isStopped = (): boolean => {
      commits += 1;
      return commits > 1;
    };
    const { sql, ledger } = service;
    expect(await accrueDueCredits({ sql, ledger, through: inDays(0), isStopped })).toEqual({
      credits: 200,
      amount: 20_000n,
    });
    expect(await accrueToday(service)).toEqual({ credits: 25, amount: 2_500n });
  });

  it("costs the other entities nothing when one cannot be accrued, and says so in the end", async () => {
    const other = await service.anEntity("Other");
    await aLoanType(other);
    for (const entity of [fintech, other]) {
      await lend(entity, (await aUser(entity)).id, "1000", { payment_date: inDays(10) });
    }
    passDays(service, 2);
    const post: Writer["post"] = (command) =>
      command.origin.entityId === fintech.entityId ? Promise.reject(new Error("a bug")) : service.ledger.post(command);
    const run = { sql: service.sql, ledger: { post }, through: inDays(0) };
    await expect(accrueDueCredits(run)).rejects.toThrow("a bug");
    expect(await accruals()).toHaveLength(1);
    expect(await accrueToday(service)).toEqual({ credits: 1, amount: 100n });
  });

  it("accrues one entity alone, through an earlier day, when it is asked for that", async () => {
    const other = await service.anEntity("Other");
    await aLoanType(other);
    for (const entity of [fintech, other]) {
      await lend(entity, (await aUser(entity)).id, "1000", { payment_date: inDays(10) });
    }
    passDays(service, 6);
    const { sql, ledger } = service;
    const run = { sql, ledger, through: inDays(-3), entityId: other.entityId };
    expect(await accrueDueCredits(run)).toEqual({ credits: 1, amount: 300n });
    expect(await accrueToday(service)).toEqual({ credits: 2, amount: 700n });
  });

  it("looks for what is due through its own index", async () => {
    const plan = await service.sql.begin(async (tx) => {
      await tx`set local enable_seqscan = off`;
      return tx`
        explain select id from service.credits
        where state = 'open' and outstanding > 0 and annual_rate_bps > 0
          and (after_due = 'continue' or due_date is null or accrued_through < due_date)
          and accrued_through < ${inDays(0)}
        order by accrued_through, entity_id, id limit 200`;
    });
    const text = plan.map((row) => row["QUERY PLAN"]).join("\n");
    expect(text).toContain("credits_to_accrue");
    expect(text).not.toContain("Sort");
  });
});

describe("the daily run by itself", () => {
  it("begins a few minutes after the start, and ends when the service does", async () => {
    const ana = await aUser(fintech);
    await lend(fintech, ana.id, "1000", { payment_date: inDays(1) });
    passDays(service, 3);
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    try {
      const { sql, ledger, clock, clockWatch } = service;
      const { currency } = commandSettings;
      const shared = {
        sql,
        ledger,
        clock,
        clockWatch,
        changesFrom: async () => clock(),
        time,
        currency,
        random: (length: number) => randomBytes(length),
      };
      const tasks = startServiceTasks({ ...shared, log: silentLog });
      vi.advanceTimersByTime(ACCRUE_EVERY_MS);
      // The task checks the clock first; if it is stopped meanwhile, it accrues nothing.
      await vi.waitFor(async () => expect(await accruals()).not.toEqual([]), { timeout: 10_000 });
      await tasks.stop();
    } finally {
      vi.useRealTimers();
    }
    expect((await accruals()).map(({ amount }) => amount)).toEqual([100n, 100n]);
  });
});

describe("npm run accrue", () => {
  const accrue = () => {
    const { sql, key, clock, machine } = service;
    const chance = { random: (length: number) => randomBytes(length), newId: () => v7() };
    return accrueCommand.plan([])({ sql, key, clock, ...chance, ...commandSettings, machine });
  };

  it("does it by hand, beside a running service, and says how much it posted", async () => {
    const ana = await aUser(fintech);
    await lend(fintech, ana.id, "1000", { payment_date: inDays(1) });
    passDays(service, 4);
    expect(await accrue()).toEqual({
      text: `3 COP of interest posted, up to ${inDays(-1)}.`,
      data: { through: inDays(-1), amount: "3", currency: "COP" },
    });
    expect((await accrue()).text).toBe(`Nothing was missing up to ${inDays(-1)}.`);
    await expectSoundBooks(service);
  });

  it("takes no words", () => {
    expect(() => accrueCommand.plan(["now"])).toThrow('"now" is one word too many.');
  });
});
