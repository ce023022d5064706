import { ReportedReason, type TransactionStatistics } from "../../../src/contract/service/report-answers.ts";
import { sumAmounts } from "../../../src/money.ts";
import { bucketAmount, PERCENTILE_ERROR_BPS } from "./bucket-amount.ts";
import { meanOf, rateOf, sharesOf } from "./rates.ts";
import type { CountedGroup, CountedRejections, DayGroup, TransactionFigures } from "./read-transaction-days.ts";
import { type AmountWriter, amountWriter, frameAnswer, type ReportFrame } from "./report-frame.ts";
import { daysOf } from "./report-period.ts";

type Group = TransactionStatistics["total"]["by_kind_and_status"][number];

const REASONS = ReportedReason.options;

function sumsOf(groups: readonly Pick<CountedGroup, "count" | "amount">[]): { count: bigint; amount: bigint } {
  return {
    count: sumAmounts(groups.map(({ count }) => count)),
    amount: sumAmounts(groups.map(({ amount }) => amount)),
  };
}

function amountsAnswer({ count, amount }: { count: bigint; amount: bigint }, write: AmountWriter) {
  return { count: Number(count), sum: write(amount), mean: write(meanOf(amount, count)) };
}

function groupAnswer(group: CountedGroup, write: AmountWriter): Group {
  return {
    kind: group.kind as Group["kind"],
    status: group.status as Group["status"],
    ...amountsAnswer(group, write),
    median: write(bucketAmount(group.median)),
    percentile_95: write(bucketAmount(group.percentile95)),
  };
}

function compareGroups(left: CountedGroup, right: CountedGroup): number {
  return `${left.kind}|${left.status}` < `${right.kind}|${right.status}` ? -1 : 1;
}

/** The groups of all days together, with the figures of their merged histograms. */
function totalGroups({ days, spreads }: TransactionFigures): CountedGroup[] {
  const groups = Map.groupBy(days, ({ kind, status }) => `${kind}|${status}`);
  return [...groups.values()]
    .map((group): CountedGroup => {
      const [{ kind, status }] = group as [DayGroup];
      const spread = spreads.find((each) => each.kind === kind && each.status === status);
      const percentiles = { median: spread?.median ?? null, percentile95: spread?.percentile95 ?? null };
      return { kind, status, ...sumsOf(group), ...percentiles };
    })
    .sort(compareGroups);
}

function reasonOf({ kind, reason }: CountedRejections): string {
  if (reason !== "") return reason;
  return kind === "batch" ? "with_batch" : "requested";
}

function rejectionsAnswer(rejections: readonly CountedRejections[]): TransactionStatistics["rejections"] {
  const counts = REASONS.map((reason) =>
    sumAmounts(rejections.filter((each) => reasonOf(each) === reason).map(({ count }) => count)),
  );
  const shares = sharesOf(counts);
  return REASONS.map((reason, index) => ({
    reason,
    count: Number(counts[index] ?? 0n),
    share_bps: shares[index] ?? null,
  }));
}

function countOf(groups: readonly CountedGroup[], statuses: readonly string[]): bigint {
  return sumsOf(groups.filter(({ kind, status }) => kind !== "refund" && statuses.includes(status))).count;
}

function reversalsAnswer(groups: readonly CountedGroup[], write: AmountWriter): TransactionStatistics["reversals"] {
  const sums = (isMeant: (group: CountedGroup) => boolean) => {
    const { count, amount } = sumsOf(groups.filter(isMeant));
    return { count: Number(count), sum: write(amount) };
  };
  return {
    refunds: sums(({ kind }) => kind === "refund"),
    reversed_payments: sums(({ kind, status }) => kind !== "refund" && status === "reversed"),
  };
}

/** Computes the statistics of the payments that an entity made, from their figures by day. */
export function transactionStatistics(
  entityId: string,
  figures: TransactionFigures,
  frame: ReportFrame,
): TransactionStatistics {
  const write = amountWriter(frame.currency);
  const groups = totalGroups(figures);
  const whole = figures.spreads.find(({ kind }) => kind === null);
  const byDay = Map.groupBy(figures.days, ({ day }) => day);
  return {
    entity_id: entityId,
    ...frameAnswer(frame),
    percentile_error_bps: PERCENTILE_ERROR_BPS,
    total: {
      ...amountsAnswer(sumsOf(groups), write),
      median: write(bucketAmount(whole?.median ?? null)),
      percentile_95: write(bucketAmount(whole?.percentile95 ?? null)),
      by_kind_and_status: groups.map((group) => groupAnswer(group, write)),
    },
    approval_rate_bps: rateOf(
      countOf(groups, ["approved", "reversed"]),
      countOf(groups, ["approved", "reversed", "rejected"]),
    ),
    rejections: rejectionsAnswer(figures.rejections),
    reversals: reversalsAnswer(groups, write),
    days: daysOf(frame.period).map((day) => {
      const ofDay = byDay.get(day) ?? [];
      return {
        day,
        ...amountsAnswer(sumsOf(ofDay), write),
        by_kind_and_status: ofDay.map((group) => groupAnswer(group, write)),
      };
    }),
  };
}
