import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { aLedger, type TestLedger } from "../../test/support/a-ledger.ts";
import { aCommand, aGrant, anOrigin } from "../../test/support/ledger.ts";
import { type ClockFault, ClockWatch } from "./clock-watch.ts";
import type { MachineClock } from "./model/machine-clock.ts";

const DAY_MS = 86_400_000;
const TERMS = { annualRateBps: 3650, dayBasis: 365, afterDue: "continue", arrearAfter: 0, defaultAfter: 90 } as const;

let ledger: TestLedger;
let faults: ClockFault[];
/** How far the wall clock, the machine and the database are from the real time. */
let ahead: { wall: number; machine: number; database: number };

const clock = (): Date => new Date(Date.now() + ahead.wall);
const machine: MachineClock = {
  id: "a machine",
  upMs: () => performance.now() + ahead.machine,
  databaseTime: (told) => new Date(told.getTime() + ahead.database),
};
const start = (more: Partial<MachineClock> = {}) =>
  ClockWatch.start({
    sql: ledger.sql,
    clock,
    machine: { ...machine, ...more },
    onFault: (fault) => faults.push(fault),
  });

/** Moves the clock of a machine that is the database's too. */
function jump(ms: number): void {
  ahead = { ...ahead, wall: ahead.wall + ms, database: ahead.database + ms };
}

async function confirm(): Promise<void> {
  await ledger.sql`insert into service.clock_marks (kind, machine, at, up_ms, newest_posting_id, note)
    values ('confirmed', 'a machine', now(), 0, (select id from service.postings order by id desc limit 1),
      'a person')`;
}

beforeAll(async () => {
  ledger = await aLedger();
});
afterAll(() => ledger.drop());
beforeEach(async () => {
  ahead = { wall: 0, machine: 0, database: 0 };
  faults = [];
  await confirm();
});

/** A loan of the day before yesterday, and what accrues it by a watched writer. */
async function aLoan() {
  const entity = await ledger.anEntity();
  const user = await ledger.aUser(entity);
  const clockWatch = await start();
  const writer = ledger.aWriter({ clock, clockWatch });
  const lend = ledger.aWriter({ clock: () => new Date(Date.now() - 2 * DAY_MS) });
  await lend.post(aCommand(anOrigin(entity), aGrant(user.id, 100_000n, { terms: TERMS, loanType: "monthly" })));
  const [credit] = await ledger.sql<{ id: string }[]>`select id from service.credits where user_id = ${user.id}`;
  const credits = [{ creditId: credit?.id ?? "", userId: user.id }];
  const accrue = () => writer.post(aCommand(anOrigin(entity), { type: "accrue", through: "2999-12-31", credits }));
  const reference = "repaid";
  const repayment = { type: "repay-credit", userId: user.id, creditId: undefined, source: "cash", reference } as const;
  const repay = () => writer.post(aCommand(anOrigin(entity), { ...repayment, amount: 1n }));
  const grant = () => writer.post(aCommand(anOrigin(entity), aGrant(user.id, 5n, { loanType: "default" })));
  return { clockWatch, accrue, repay, grant };
}

describe("a commit", () => {
  it.each([-121_000, 121_000])(
    "is refused when its clock is %d ms off the database's, and logs it once",
    async (ms) => {
      const { accrue, grant } = await aLoan();
      ahead.wall = ms;
      for (const post of [accrue, grant, grant]) {
        await expect(post()).rejects.toMatchObject({ code: "unavailable", detail: undefined });
      }
      expect(faults).toHaveLength(1);
      const apart = new Date(faults[0]?.own ?? 0).getTime() - new Date(faults[0]?.other ?? 0).getTime();
      expect(Math.abs(apart - ms)).toBeLessThan(5_000);
      ahead.wall = 0;
      await grant();
      ahead.wall = ms;
      await expect(grant()).rejects.toMatchObject({ code: "unavailable" });
      expect(faults).toHaveLength(2);
    },
  );

  it.each([-100_000, 100_000])("is made within two minutes: %d ms", async (ms) => {
    const { grant } = await aLoan();
    ahead.wall = ms;
    await grant();
    expect(faults).toEqual([]);
  });

  it("refuses each of many that wait together in one look at the clock", async () => {
    const { grant } = await aLoan();
    ahead.wall = DAY_MS;
    const told = await Promise.allSettled(Array.from({ length: 50 }, grant));
    expect(told.every(({ status }) => status === "rejected")).toBe(true);
  });
});

describe("a machine whose wall clock jumps, and with it the database's", () => {
  it.each([3 * DAY_MS, -3 * DAY_MS])("accrues and closes nothing until a person confirms the time: %d", async (ms) => {
    const { clockWatch, accrue, repay, grant } = await aLoan();
    jump(ms);
    await expect(accrue()).rejects.toMatchObject({ code: "unavailable" });
    // Payments, and what accrues nothing, go on.
    await grant();
    if (ms > 0) await expect(repay()).rejects.toMatchObject({ code: "unavailable" });
    await clockWatch.close();
    await expect(clockWatch.requireSure()).rejects.toThrow("npm run clock -- confirm");
    // Nor when it is right again by itself, nor in another process, nor in one of later.
    jump(-ms);
    await expect(accrue()).rejects.toMatchObject({ code: "unavailable" });
    await expect((await start()).requireSure()).rejects.toThrow("Nothing is accrued or closed");
    await confirm();
    expect((await accrue()).body).toMatchObject({ credits: 1 });
    await clockWatch.requireSure();
  });

  it("is noticed also when it jumped while no process ran", async () => {
    await start();
    jump(3 * DAY_MS);
    await expect((await start()).requireSure()).rejects.toThrow("Nothing is accrued or closed");
    expect(faults).toEqual([expect.objectContaining({ fault: "the wall clock jumped ahead by 259200 s" })]);
  });

  it("is not said to have jumped when it slept, or was started anew", async () => {
    const watch = await start();
    [ahead.wall, ahead.machine, ahead.database] = [DAY_MS, DAY_MS, DAY_MS];
    await watch.requireSure();
    [ahead.wall, ahead.machine, ahead.database] = [5 * DAY_MS, -1_000, 5 * DAY_MS];
    await (await start()).requireSure();
    expect(faults).toEqual([]);
  });

  it("goes on from the time that was confirmed, in processes that run", async () => {
    const { clockWatch, accrue } = await aLoan();
    jump(DAY_MS);
    await expect(accrue()).rejects.toMatchObject({ code: "unavailable" });
    await clockWatch.close();
    await confirm();
    expect((await accrue()).body).toMatchObject({ credits: 1 });
    jump(DAY_MS);
    await expect(accrue()).rejects.toMatchObject({ code: "unavailable" });
    await clockWatch.close();
  });
});

describe("a process that starts with postings ahead of its clock", () => {
  it("accrues and closes nothing until a person confirms the time, and then also beside these postings", async () => {
    const { grant } = await aLoan();
    await grant();
    [ahead.wall, ahead.database] = [-DAY_MS, -DAY_MS];
    const other = { id: "another machine" };
    await expect((await start(other)).requireSure()).rejects.toThrow("Nothing is accrued or closed");
    expect(faults.map(({ fault }) => fault)).toEqual([
      expect.stringMatching(/^the newest posting is 86\d\d\d s ahead of the wall clock$/),
    ]);
    await confirm();
    await (await start(other)).requireSure();
  });
});
