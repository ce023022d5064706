import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { foldHistograms } from "../../server/service/reports/fold-histograms.ts";
import { bogota, goTo } from "../support/business-days.ts";
import { aService, aUser, type TestEntity, type TestService } from "../support/service.ts";
import { NOBODY, rawClient, refusalOf } from "../support/service-calls.ts";

let service: TestService;
let fintech: TestEntity;
let other: TestEntity;

beforeAll(async () => {
  service = await aService();
  goTo(service, 1);
  [fintech, other] = [await service.anEntity(), await service.anEntity("Other")];
});
afterAll(() => service.stop());

/** Reads the statistics, which are the same once the histograms of what was paid before are folded. */
async function statistics(query: object = {}, entity = fintech) {
  const read = async () =>
    (await entity.client.getTransactionStatistics({ query: { uid: entity.entityId, ...query } })).body;
  const told = await read();
  await foldHistograms(service);
  const { as_of, period } = told;
  expect({ ...(await read()), as_of, period }).toEqual(told);
  return told;
}

const near = (exact: number) => (text: string | null | undefined) =>
  expect(Math.abs(Number(text) - exact)).toBeLessThan(exact * 0.02 + 0.01);

describe("get-transaction-statistics", () => {
  it("counts a day's payments by kind and status, and shows reversals without netting them", async () => {
    const day = goTo(service, 1);
    const [ana, shop] = [await aUser(fintech, { quota: 1_000 }), await aUser(fintech)];
    const pay = async (amount: number) =>
      (await fintech.client.createTransaction({ body: { amount, from_user_id: ana.id, to_user_id: shop.id } })).body;
    const paid = [await pay(100), await pay(250.5), await pay(0.25)];
    await pay(5_000);
    await fintech.client.reverseTransaction({ body: { id: paid[0]?.id ?? "" } });
    await fintech.client.reverseTransaction({ body: { id: paid[1]?.id ?? "", amount: 50 } });
    const list = { from_user_id: ana.id, payments: [10, 9_000].map((amount) => ({ amount, to_user_id: shop.id })) };
    await fintech.client.createPaymentTransaction({ body: list });
    const asked = { amount: 1, from_user_id: ana.id, to_user_id: shop.id, status: "rejected" } as const;
    await fintech.client.createTransaction({ body: asked });

    const report = await statistics({ "from-date": bogota.addDays(day, -2), "to-date": day });
    expect(report).toMatchObject({
      entity_id: fintech.entityId,
      currency: "COP",
      period: { from_date: bogota.startOf(bogota.addDays(day, -2)).toISOString(), days: 3 },
      percentile_error_bps: 200,
      total: { count: 9, sum: "14511.75", mean: "1612.42" },
      // Of seven payments, refunds left out: two approved, one reversed in full, four rejected.
      approval_rate_bps: 4_286,
      reversals: { refunds: { count: 2, sum: "150" }, reversed_payments: { count: 1, sum: "100" } },
    });
    const groups = report.total.by_kind_and_status;
    expect(groups.map(({ kind, status, count, sum, mean }) => [kind, status, count, sum, mean])).toEqual([
      ["batch", "rejected", 2, "9010", "4505"],
      ["payment", "approved", 2, "250.75", "125.38"],
      ["payment", "rejected", 2, "5001", "2500.5"],
      ["payment", "reversed", 1, "100", "100"],
      ["refund", "approved", 2, "150", "75"],
    ]);
    near(0.25)(groups[1]?.median);
    near(250.5)(groups[1]?.percentile_95);
    near(100)(report.total.median);
    near(9_000)(report.total.percentile_95);
    const reasons = report.rejections.filter(({ count }) => count > 0);
    expect(reasons).toEqual([
      { reason: "insufficient_balance", count: 2, share_bps: 5_000 },
      { reason: "requested", count: 1, share_bps: 2_500 },
      { reason: "with_batch", count: 1, share_bps: 2_500 },
    ]);
    const nothing = { count: 0, sum: "0", mean: null, by_kind_and_status: [] };
    const days = [-2, -1].map((back) => ({ day: bogota.addDays(day, back), ...nothing }));
    expect(report.days.slice(0, 2)).toEqual(days);
    expect(report.days[2]).toMatchObject({ day, count: 9, sum: "14511.75", by_kind_and_status: groups });
  });

  it("covers what the entity's clients made, whoever the payees are", async () => {
    goTo(service, 1);
    const [ana, luz] = [await aUser(fintech, { quota: 100 }), await aUser(other)];
    const before = (await statistics({}, other)).total;
    await fintech.client.createTransaction({ body: { amount: 7, from_user_id: ana.id, to_user_id: luz.id } });
    expect((await statistics({}, other)).total).toEqual(before);
    expect((await statistics({ "from-date": bogota.dayOf(service.clock()) })).total).toMatchObject({
      count: 1,
      sum: "7",
    });
  });

  it("has no rates, means and medians of nothing", async () => {
    const empty = await statistics({}, await service.anEntity());
    expect(empty).toMatchObject({ approval_rate_bps: null, total: { mean: null, median: null, percentile_95: null } });
    expect(empty.rejections.every(({ share_bps }) => share_bps === null)).toBe(true);
  });
});

describe.each(["getTransactionStatistics", "getHarvestStatistics", "getClientStatistics"] as const)("%s", (name) => {
  it("refuses, in order: what is wrong in the query, another's uid, a period that is too long", async () => {
    const raw = await rawClient(service, fintech);
    const long = { "from-date": "2020-01-01", "to-date": "2024-01-01" };
    const wrong: [string, Record<string, string>][] = [
      ["invalid_request from-date to-date uid", { uid: "1", "from-date": "2026-02-30", "to-date": "soon" }],
      ["invalid_request from-date", { uid: NOBODY, "from-date": "2024-01-02", "to-date": "2024-01-01" }],
      ["invalid_request from-date", { uid: NOBODY, "from-date": "2999-12-31" }],
      ["invalid_request days", { uid: fintech.entityId, days: "7" }],
      ["entity_not_yours", { uid: other.entityId, ...long }],
      ["entity_not_yours", { uid: NOBODY, ...long }],
      ["period_too_long", { uid: fintech.entityId, ...long }],
      ["period_too_long", { uid: fintech.entityId, "from-date": "2020-01-01" }],
    ];
    for (const [code, query] of wrong) expect((await refusalOf(await raw(name, { query }))).join(" ")).toBe(code);
    expect((await raw(name, { query: { uid: fintech.entityId.toUpperCase() } })).status).toBe(200);
  });
});
