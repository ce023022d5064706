import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bogota, goTo, todayOf } from "../support/business-days.ts";
import { openToLenders } from "../support/credit-calls.ts";
import { aService, aUser, type TestEntity, type TestService } from "../support/service.ts";
import { rawClient, refusalOf } from "../support/service-calls.ts";

let service: TestService;
let fintech: TestEntity;
let other: TestEntity;

/** 36.5 % a year of 365 days: 1 000 000 costs 1 000 a day. */
const TERMS = { annual_rate_bps: 3_650, day_basis: 365, after_due: "continue" } as const;

beforeAll(async () => {
  service = await aService();
  goTo(service, "2029-03-05");
  [fintech, other] = [await service.anEntity(), await service.anEntity("Other")];
  await openToLenders([fintech, other]);
  await fintech.client.putLoanType({ params: { loan_type: "gold" }, body: TERMS });
});
afterAll(() => service.stop());

async function lend(entity: TestEntity, id: string, amount: number, days: number, loanType = "gold"): Promise<void> {
  const payment_date = bogota.addDays(todayOf(service), days);
  await entity.client.addQuota({ body: { id, amount: String(amount), loan_type: loanType, payment_date } });
}

async function repay(id: string, amount: number): Promise<void> {
  await fintech.client.repayCredit({ body: { id, amount: String(amount), source: "cash" } });
}

describe("get-harvest-statistics", () => {
  it("tells by hand what accrued, what was due, and what was paid of it, in time and late", async () => {
    const [ana, luz] = [await aUser(fintech), await aUser(fintech)];
    await lend(fintech, ana.id, 1_000_000, 10);
    await lend(fintech, luz.id, 1_000_000, 4);
    goTo(service, 3);
    await repay(ana.id, 3_000);
    goTo(service, 7);
    // Ten days of 1 000 each; Luz's ran past its due date, six days ago.
    await repay(luz.id, 10_000);
    await repay(ana.id, 1_007_000);
    const { body } = await fintech.client.getHarvestStatistics({ query: { uid: fintech.entityId } });
    expect(body.total).toEqual({
      interest_accrued: "20000",
      interest_paid: "20000",
      harvest_rate_bps: 10_000,
      interest_due: "14000",
      interest_paid_on_time: "10000",
      on_time_rate_bps: 7_143,
      late_interest_paid: "10000",
      late_principal_paid: "0",
    });
    const rolled = { opening: "0", accrued: "20000", cancelled: "0", paid: "20000", written_off: "0", closing: "0" };
    expect(body.interest).toEqual(rolled);
    expect(body.period).toMatchObject({ from_date: "2029-03-01T05:00:00.000Z", days: 15 });
    expect(body.days.map(({ day }) => day)).toEqual(
      Array.from({ length: 15 }, (_, index) => `2029-03-${String(index + 1).padStart(2, "0")}`),
    );
    expect(body.days[8]).toMatchObject({ day: "2029-03-09", interest_accrued: "2000", interest_due: "4000" });
  });

  it("rolls what is owed from one period to the next, and may harvest more than accrued", async () => {
    const eva = await aUser(fintech);
    await lend(fintech, eva.id, 1_000_000, 60);
    goTo(service, 20);
    await repay(eva.id, 1);
    const day = goTo(service, 1);
    await repay(eva.id, 15_000);
    const query = { uid: fintech.entityId, "from-date": day };
    const { body } = await fintech.client.getHarvestStatistics({ query });
    // On that day Luz's 1 000 and Eva's 1 000 accrued, of which Luz's is older than the period.
    expect(body.total).toMatchObject({ interest_paid: "15000", interest_due: "0", on_time_rate_bps: null });
    const { opening, accrued, paid, closing } = body.interest;
    expect(Number(closing)).toBe(Number(opening) + Number(accrued) - Number(paid));
    expect(body.total.harvest_rate_bps).toBe(Math.round((15_000 / Number(accrued)) * 10_000));
  });
});

describe("get-client-statistics", () => {
  it("counts an entity's clients: whom it made, and who borrowed of it; and one client alone", async () => {
    goTo(service, "2030-06-03");
    const [lender, maker] = [await service.anEntity("Lender"), await service.anEntity("Maker")];
    await openToLenders([maker], [lender.entityId]);
    const [own, idle, borrower] = [await aUser(lender), await aUser(lender), await aUser(maker)];
    await lend(lender, own.id, 500, 5, "default");
    await lend(lender, borrower.id, 300, 40, "default");
    await lender.client.updateUser({ body: { id: own.id, status: "arrear" } });
    const statistics = async (query: object = {}) =>
      (await lender.client.getClientStatistics({ query: { uid: lender.entityId, ...query } })).body;
    expect(await statistics()).toMatchObject({
      uid: lender.entityId,
      scope: "entity",
      ...{ registered: 3, new: 3, active: 2, borrowers: 2, dormant: 1, outstanding: "800" },
      by_set_status: [
        { status: "active", clients: 2, share_bps: 6_667, outstanding: "300" },
        { status: "arrear", clients: 1, share_bps: 3_333, outstanding: "500" },
        { status: "default", clients: 0, share_bps: 0, outstanding: "0" },
      ],
    });
    const day = goTo(service, 40);
    const late = await statistics({ "from-date": day });
    expect(late).toMatchObject({ registered: 3, new: 0, active: 0, borrowers: 2, dormant: 1 });
    expect(late.by_days_past_due.filter(({ clients }) => clients > 0)).toEqual([
      { bucket: "current", clients: 2, share_bps: 6_667 },
      { bucket: "31-60", clients: 1, share_bps: 3_333 },
    ]);
    expect(await statistics({ uid: borrower.id })).toMatchObject({
      scope: "client",
      registered: 1,
      outstanding: "300",
    });
    const past = await statistics({ "to-date": bogota.addDays(day, -10) });
    expect(past.by_days_past_due.find(({ bucket }) => bucket === "1-30")).toMatchObject({ clients: 1 });
    goTo(service, 60);
    expect(await statistics()).toMatchObject({ dormant: 3, borrowers: 2 });
    // Both borrowers' quota moved last on 3 June: 31 August is the last of 90 days with it.
    expect(await statistics({ "to-date": "2030-08-31" })).toMatchObject({ dormant: 1 });
    expect(await statistics({ "to-date": "2030-09-01" })).toMatchObject({ dormant: 3 });

    const { body: ofMaker } = await maker.client.getClientStatistics({ query: { uid: maker.entityId } });
    expect(ofMaker).toMatchObject({ registered: 1, borrowers: 0, outstanding: "0" });
    const asMaker = await rawClient(service, maker);
    for (const uid of [lender.entityId, own.id, idle.id]) {
      expect(await refusalOf(await asMaker("getClientStatistics", { query: { uid } }))).toEqual(["entity_not_yours"]);
    }
  });

  it("counts of another entity's user what moved between the two alone", async () => {
    goTo(service, "2031-02-03");
    const [lender, maker] = [await service.anEntity("Lender"), await service.anEntity("Maker")];
    await openToLenders([maker], [lender.entityId]);
    const [borrower, shop, seller] = [await aUser(maker), await aUser(maker), await aUser(lender)];
    await lend(lender, borrower.id, 300, 400, "default");
    const moved = async (entity: typeof lender, uid: string, day: string) => {
      const query = { uid, "from-date": day, "to-date": day };
      const { active, dormant } = (await entity.client.getClientStatistics({ query })).body;
      return { active, dormant };
    };
    const pay = (to: string) =>
      maker.client.createTransaction({ body: { amount: 10, from_user_id: borrower.id, to_user_id: to } });
    expect(await moved(lender, borrower.id, "2031-02-03")).toEqual({ active: 1, dormant: 0 });
    const day = goTo(service, 120);
    await pay(shop.id);
    for (const uid of [borrower.id, lender.entityId]) {
      expect(await moved(lender, uid, day)).toMatchObject({ active: 0 });
    }
    expect(await moved(lender, borrower.id, day)).toEqual({ active: 0, dormant: 1 });
    expect(await moved(maker, borrower.id, day)).toEqual({ active: 1, dormant: 0 });
    const next = goTo(service, 1);
    await pay(seller.id);
    expect(await moved(lender, borrower.id, next)).toEqual({ active: 1, dormant: 0 });
    expect(await moved(lender, borrower.id, day)).toEqual({ active: 0, dormant: 1 });
    const last = goTo(service, 1);
    await lender.client.dischargeQuota({ body: { id: borrower.id, amount: "5" } });
    expect(await moved(lender, borrower.id, last)).toEqual({ active: 1, dormant: 0 });
  });

  it("counts whoever was written off apart from the day on, never as current, whatever else is owed", async () => {
    const lender = await service.anEntity("Loser");
    const [lost, fine] = [await aUser(lender), await aUser(lender)];
    await lend(lender, lost.id, 500, 40, "default");
    await lend(lender, fine.id, 300, 40, "default");
    const before = goTo(service, 1);
    const [credit] = (await lender.client.credits({ query: { "user-id": lost.id } })).body;
    goTo(service, 1);
    await lender.client.writeOffCredit({ body: { credit_id: credit?.id ?? "" } });
    await lend(lender, lost.id, 7, 40, "default");
    const buckets = async (query: object = {}) => {
      const { body } = await lender.client.getClientStatistics({ query: { uid: lender.entityId, ...query } });
      return body.by_days_past_due.flatMap(({ bucket, clients }) => (clients === 0 ? [] : [[bucket, clients]]));
    };
    const apart = [
      ["current", 1],
      ["written-off", 1],
    ];
    expect(await buckets()).toEqual(apart);
    expect(await buckets({ uid: lost.id })).toEqual([["written-off", 1]]);
    expect(await buckets({ "to-date": before })).toEqual([["current", 2]]);
    await lender.client.repayCredit({ body: { id: lost.id, amount: "507", source: "cash" } });
    expect(await buckets()).toEqual(apart);
  });

  it("has a client whom another entity made from its first credit on, and for ever", async () => {
    const raw = await rawClient(service, fintech);
    const luz = await aUser(other);
    const uid = luz.id;
    expect(await refusalOf(await raw("getClientStatistics", { query: { uid } }))).toEqual(["entity_not_yours"]);
    await lend(fintech, uid, 100, 5, "default");
    await repay(uid, 100);
    goTo(service, 1);
    const { body } = await fintech.client.getClientStatistics({ query: { uid } });
    expect(body).toMatchObject({ registered: 1, borrowers: 0, outstanding: "0" });
  });
});
