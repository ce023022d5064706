import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { aPlace, type Place } from "../e2e/support/product.ts";
import { attack } from "./support/attack.ts";
import type { EntityCaller } from "./support/entity-caller.ts";
import { Target } from "./support/target.ts";
import { businessDay, WallClock } from "./support/wall-clock.ts";

const PRINCIPAL = 1_000_000;

let place: Place;
let target: Target;
const clock = new WallClock();

beforeAll(async () => {
  place = await aPlace();
  target = await Target.start({ place, environment: clock.environment });
});
afterEach(() => clock.setAhead(0));
afterAll(async () => {
  await target?.remove();
  clock.remove();
});

/** An entity with a loan type of 24 % a year. */
async function aLender(name: string): Promise<EntityCaller> {
  const lender = await target.entity(name);
  const body = { annual_rate_bps: 2_400, day_basis: 365, after_due: "continue" };
  await (await lender.asAdministrator()).put("/loan-types/monthly", body);
  await lender.put("/loan-types/monthly", body);
  return lender;
}

async function lend(lender: EntityCaller): Promise<string> {
  const id = await lender.aUser();
  const lent = { id, amount: String(PRINCIPAL), loan_type: "monthly", payment_date: businessDay(60) };
  const { status } = await lender.post("/add-quota", lent);
  expect(status).toBe(200);
  return id;
}

/** The interest that was posted on a user's credits, in currency units. */
async function billedTo(userId: string): Promise<number> {
  const [row] = await target.sql<{ billed: string }[]>`
    select coalesce(sum(accrued), 0)::text as billed from service.credits where user_id = ${userId}`;
  return Number(row?.billed) / 100;
}

/** The same client with a token of the present clock. */
function again(caller: EntityCaller): Promise<EntityCaller> {
  return (caller.constructor as typeof EntityCaller).of(target.product.demo.auth_url, caller.credentials);
}

const thisMonth = () => ({ year: businessDay().slice(0, 4), month: businessDay().slice(5, 7) });

describe("rule 13: clocks", () => {
  it("accrues the days that are over, and pays, by a clock that is right", async () => {
    const lender = await aLender("Right");
    const id = await lender.aUser();
    const owed = { principal: "1000", outstanding: "1000", unpaid_interest: "0" };
    const days = { opened_on: businessDay(-30), accrued_through: businessDay(-11) };
    const imported = await lender.post("/import-credit", { id, loan_type: "monthly", ...owed, ...days });
    expect(imported.status).toBe(200);
    // Of ten days that are over: 10 × 1 000 × 0.24 ÷ 365.
    expect(await billedTo(id)).toBeGreaterThanOrEqual(6.58);
    expect((await target.command("accrue")).code).toBe(0);
    expect((await lender.get("/get-accounting-report", thisMonth())).status).toBe(200);
  });

  attack("an accrual by a clock three days ahead bills 1 972.60 of interest today", async () => {
    const debtor = await lend(await aLender("Command"));
    await clock.setAhead(3);
    await target.commandIn(clock.environment, "accrue");
    expect(await billedTo(debtor)).toBe(0);
  });

  attack("a repayment while the service's clock is three days ahead pays that interest", async () => {
    const lender = await aLender("Repaid");
    const debtor = await lend(lender);
    await clock.setAhead(3);
    await (await again(lender)).post("/repay-credit", { id: debtor, amount: "10", source: "cash" });
    expect(await billedTo(debtor)).toBe(0);
  });

  attack("a day bills interest before it is over", async () => {
    const lender = await aLender("Early");
    const id = await lender.aUser();
    const owed = { principal: String(PRINCIPAL), outstanding: String(PRINCIPAL), unpaid_interest: "0" };
    const days = { opened_on: businessDay(-5), accrued_through: businessDay(-1) };
    await lender.post("/import-credit", { id, loan_type: "monthly", ...owed, ...days });
    await target.command("accrue");
    expect(await billedTo(id)).toBe(0);
  });

  attack("a clock past the month's end closes the month for good", async () => {
    const lender = await aLender("Closed");
    await clock.setAhead(32);
    const [year, month] = [businessDay().slice(0, 4), businessDay().slice(5, 7)];
    const late = await again(lender);
    await late.post("/close-month", { month: `${year}-${month}` });
    await clock.setAhead(0);
    const report = await (await again(lender)).get("/get-accounting-report", { year, month });
    expect(report.body.closed).toBe(false);
  });

  attack("the accounting report answers 500 when something was posted past the day's border", async () => {
    const lender = await aLender("Border");
    await clock.setAhead(1);
    const late = await again(lender);
    const user = await late.post("/create-user", { name: "Late", nit: "777001", phone: "3007770011", quota: 10 });
    await late.post("/add-quota", {
      id: user.body.id,
      amount: "5",
      loan_type: "default",
      payment_date: businessDay(9),
    });
    await clock.setAhead(0);
    const report = await (await again(lender)).get("/get-accounting-report", thisMonth());
    expect(report.status).toBe(200);
  });

  attack("after a restart with an earlier clock, a new payment is listed below an older one", async () => {
    const { payer, merchant } = target.product.demo.users;
    const pay = async (): Promise<string | undefined> => {
      const body = { from_user_id: payer.id, to_user_id: merchant.id, amount: 1 };
      const paid = await (await target.own()).post("/create-transaction", body);
      return paid.body.id;
    };
    const restart = async (ahead: number): Promise<void> => {
      await target.sql.end();
      await target.product.stop();
      await clock.setAhead(ahead);
      target = await Target.start({ place, environment: clock.environment });
    };
    await restart(3);
    await pay();
    await restart(0);
    const latest = await pay();
    const listed = await (await target.own()).get("/transaction-history", { "user-id": merchant.id });
    expect(listed.body[0].id).toBe(latest);
  });
});
