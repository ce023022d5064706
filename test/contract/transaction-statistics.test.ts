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

/** Seven payments, of which four are rejected, and refunds of two. */
async function payAndRefund(): Promise<void> {
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
}

describe("get-transaction-statistics", () => {
  it("counts a day's payments by kind and event, and shows refunds without netting them", async () => {
    const day = goTo(service, 1);
    await payAndRefund();
    const report = await statistics({ "from-date": bogota.addDays(day, -2), "to-date": day });
    expect(report).toMatchObject({
      entity_id: fintech.entityId,
      currency: "COP",
      period: { from_date: bogota.startOf(bogota.addDays(day, -2)).toISOString(), days: 3 },
      percentile_error_bps: 200,
      total: {
        created: { count: 7, sum: "14361.75", mean: "2051.68" },
        settled: { count: 3, sum: "350.75", mean: "116.92" },
        rejected: { count: 4, sum: "14011", mean: "3502.75" },
        refunded: { count: 2, sum: "150", mean: "75" },
      },
      // Of seven payments, refunds left out: three settled, four rejected.
      approval_rate_bps: 4_286,
      refunds_made: { count: 2, sum: "150" },
    });
    const groups = report.total.by_kind_and_event;
    expect(groups.map(({ kind, event, count, sum, mean }) => [kind, event, count, sum, mean])).toEqual([
      ["batch", "rejected", 2, "9010", "4505"],
      ["payment", "approved", 3, "350.75", "116.92"],
      ["payment", "refunded", 2, "150", "75"],
      ["payment", "rejected", 2, "5001", "2500.5"],
      ["refund", "approved", 2, "150", "75"],
    ]);
    near(100)(groups[1]?.median);
    near(250.5)(groups[1]?.percentile_95);
    near(100)(report.total.median);
    near(9_000)(report.total.percentile_95);
    const reasons = report.rejections.filter(({ count }) => count > 0);
    expect(reasons).toEqual([
      { reason: "insufficient_balance", count: 2, share_bps: 5_000 },
      { reason: "requested", count: 1, share_bps: 2_500 },
      { reason: "with_batch", count: 1, share_bps: 2_500 },
    ]);
    const none = { count: 0, sum: "0", mean: null };
    const nothing = { created: none, settled: none, rejected: none, refunded: none, by_kind_and_event: [] };
    const days = [-2, -1].map((back) => ({ day: bogota.addDays(day, back), ...nothing }));
    expect(report.days.slice(0, 2)).toEqual(days);
    expect(report.days[2]).toMatchObject({ day, created: { count: 7, sum: "14361.75" }, by_kind_and_event: groups });
  });

  it("counts what becomes of a payment later on its own day, and leaves a day that is over as it was", async () => {
    const first = goTo(service, 1);
    const [ana, shop] = [await aUser(fintech, { quota: 1_000 }), await aUser(fintech)];
    const pay = async (amount: number, status: "approved" | "pending") => {
      const body = { amount, from_user_id: ana.id, to_user_id: shop.id, status };
      return (await fintech.client.createTransaction({ body })).body.id;
    };
    const [paid, held, released] = [await pay(100, "approved"), await pay(60, "pending"), await pay(7, "pending")];
    const daysOf = async (from: string, to: string) => {
      const { days, total } = await statistics({ "from-date": from, "to-date": to });
      return { days, total };
    };
    const before = await daysOf(first, first);
    const second = goTo(service, 1);
    await fintech.client.settleTransaction({ body: { id: held, status: "approved", amount: 50 } });
    await fintech.client.settleTransaction({ body: { id: released, status: "rejected" } });
    const third = goTo(service, 1);
    await fintech.client.reverseTransaction({ body: { id: paid, amount: 40 } });
    await fintech.client.reverseTransaction({ body: { id: paid } });
    expect(await daysOf(first, first)).toEqual(before);
    const { days } = await daysOf(first, third);
    const told = days.map((each) => ({
      day: each.day,
      sums: [each.created.sum, each.settled.sum, each.rejected.sum, each.refunded.sum],
      groups: each.by_kind_and_event.map(({ kind, event, count, sum }) => [kind, event, count, sum]),
    }));
    expect(told).toEqual([
      {
        ...{ day: first, sums: ["167", "100", "0", "0"] },
        groups: [
          ["payment", "approved", 1, "100"],
          ["payment", "pending", 2, "67"],
        ],
      },
      {
        ...{ day: second, sums: ["0", "50", "7", "0"] },
        groups: [
          ["payment", "released", 1, "7"],
          ["payment", "settled", 1, "50"],
        ],
      },
      {
        ...{ day: third, sums: ["0", "0", "0", "100"] },
        groups: [
          ["payment", "refunded", 2, "100"],
          ["refund", "approved", 2, "100"],
        ],
      },
    ]);
  });

  it("counts a refund for the entity that made the payment, and as made by the one that gave it", async () => {
    const day = goTo(service, 1);
    const [ana, luz] = [await aUser(fintech, { quota: 100 }), await aUser(other)];
    const asked = { amount: 9, from_user_id: ana.id, to_user_id: luz.id };
    const { body: paid } = await fintech.client.createTransaction({ body: asked });
    await other.client.reverseTransaction({ body: { id: paid.id, amount: 4 } });
    const [ours, theirs] = [await statistics({ "from-date": day }), await statistics({ "from-date": day }, other)];
    expect([ours.total.refunded.sum, ours.refunds_made.sum]).toEqual(["4", "0"]);
    expect([theirs.total.refunded.sum, theirs.refunds_made.sum, theirs.total.created.count]).toEqual(["0", "4", 0]);
  });

  it("covers what the entity's clients made, whoever the payees are", async () => {
    goTo(service, 1);
    const [ana, luz] = [await aUser(fintech, { quota: 100 }), await aUser(other)];
    const before = (await statistics({}, other)).total;
    await fintech.client.createTransaction({ body: { amount: 7, from_user_id: ana.id, to_user_id: luz.id } });
    expect((await statistics({}, other)).total).toEqual(before);
    expect((await statistics({ "from-date": bogota.dayOf(service.clock()) })).total).toMatchObject({
      created: { count: 1, sum: "7" },
    });
  });

  it("has no rates, means and medians of nothing", async () => {
    const empty = await statistics({}, await service.anEntity());
    expect(empty).toMatchObject({
      approval_rate_bps: null,
      total: { created: { mean: null }, median: null, percentile_95: null },
    });
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
