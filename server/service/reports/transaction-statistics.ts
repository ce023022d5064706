import { ReportedReason, type TransactionStatistics } from "../../../src/contract/service/report-answers.ts";
import { sumAmounts } from "../../../src/money.ts";
import type { PaymentEventName } from "../../ledger/model/state.ts";
import { bucketAmount, PERCENTILE_ERROR_BPS } from "./bucket-amount.ts";
import { meanOf, rateOf, sharesOf } from "./rates.ts";
import {
  type CountedGroup,
  type CountedRejections,
  CREATED,
  type DayGroup,
  type TransactionFigures,
} from "./read-transaction-days.ts";
import { type AmountWriter, amountWriter, frameAnswer, type ReportFrame } from "./report-frame.ts";
import { daysOf } from "./report-period.ts";

type Group = TransactionStatistics["total"]["by_kind_and_event"][number];

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
    event: group.event,
    ...amountsAnswer(group, write),
    median: write(bucketAmount(group.median)),
    percentile_95: write(bucketAmount(group.percentile95)),
  };
}

function compareGroups(left: CountedGroup, right: CountedGroup): number {
  return `${left.kind}|${left.event}` < `${right.kind}|${right.event}` ? -1 : 1;
}

/** The groups of all days together, with the figures of their merged histograms. */
function totalGroups({ days, spreads }: TransactionFigures): CountedGroup[] {
  const groups = Map.groupBy(days, ({ kind, event }) => `${kind}|${event}`);
  return [...groups.values()]
    .map((group): CountedGroup => {
      const [{ kind, event }] = group as [DayGroup];
      const spread = spreads.find((each) => each.kind === kind && each.event === event);
      const percentiles = { median: spread?.median ?? null, percentile95: spread?.percentile95 ?? null };
      return { kind, event, ...sumsOf(group), ...percentiles };
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

/** The outcomes of payments with the events that add up to each. */
const OUTCOMES = Object.freeze({
  created: CREATED,
  settled: ["approved", "settled"],
  rejected: ["rejected", "released"],
  refunded: ["refunded"],
} as const satisfies Record<string, readonly PaymentEventName[]>);
type Outcome = keyof typeof OUTCOMES;

/** Count and sum of an outcome of payments; refunds, which are transactions too, are left out. */
function sumsOfOutcome(groups: readonly CountedGroup[], outcome: Outcome) {
  const events: readonly PaymentEventName[] = OUTCOMES[outcome];
  return sumsOf(groups.filter(({ kind, event }) => kind !== "refund" && events.includes(event)));
}

function outcomesAnswer(groups: readonly CountedGroup[], write: AmountWriter) {
  const answerOf = (outcome: Outcome) => amountsAnswer(sumsOfOutcome(groups, outcome), write);
  return {
    created: answerOf("created"),
    settled: answerOf("settled"),
    rejected: answerOf("rejected"),
    refunded: answerOf("refunded"),
  };
}

function refundsAnswer(groups: readonly CountedGroup[], write: AmountWriter): TransactionStatistics["refunds_made"] {
  const { count, amount } = sumsOf(groups.filter(({ kind }) => kind === "refund"));
  return { count: Number(count), sum: write(amount) };
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
  const [settled, rejected] = [sumsOfOutcome(groups, "settled").count, sumsOfOutcome(groups, "rejected").count];
  return {
    entity_id: entityId,
    ...frameAnswer(frame),
    percentile_error_bps: PERCENTILE_ERROR_BPS,
    total: {
      ...outcomesAnswer(groups, write),
      median: write(bucketAmount(whole?.median ?? null)),
      percentile_95: write(bucketAmount(whole?.percentile95 ?? null)),
      by_kind_and_event: groups.map((group) => groupAnswer(group, write)),
    },
    approval_rate_bps: rateOf(settled, settled + rejected),
    rejections: rejectionsAnswer(figures.rejections),
    refunds_made: refundsAnswer(groups, write),
    days: daysOf(frame.period).map((day) => {
      const ofDay = byDay.get(day) ?? [];
      return {
        day,
        ...outcomesAnswer(ofDay, write),
        by_kind_and_event: ofDay.map((group) => groupAnswer(group, write)),
      };
    }),
  };
}
