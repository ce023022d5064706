import { sumAmounts } from "../../../src/money.ts";
import type { RecordOf } from "../model/columns.ts";
import type { TransactionRecord } from "../model/command.ts";
import type { Changes, PaymentEvent, PaymentEventName, TransactionChange } from "../model/state.ts";
import type { PAYEE_CHANGES } from "../model/tables.ts";

/**
 * The factor from each bucket's bound to the next in the histograms of amounts: figures read from them are at most 2 %
 * off.
 */
export const BUCKET_GROWTH = 1.04;

/** The bucket that an amount of minor units lies in: above 1.04 ^ (bucket − 1), up to 1.04 ^ bucket. */
export function bucketOf(amount: bigint): number {
  return Math.ceil(Math.log(Number(amount)) / Math.log(BUCKET_GROWTH));
}

/**
 * The increments of a batch to the roll-up of what happened on a business day to an entity's payments of a kind; the
 * entity is the one that made them.
 */
interface TransactionDay {
  readonly entityId: string;
  readonly day: string;
  readonly kind: string;
  readonly event: PaymentEventName;
  readonly count: number;
  readonly amount: bigint;
  /** How many amounts lie in each bucket. */
  readonly buckets: ReadonlyMap<number, number>;
}

/** The increments of a batch to an entity's rejections of a day, a kind and a reason (empty: the caller's own). */
interface RejectionDay {
  readonly entityId: string;
  readonly day: string;
  readonly kind: string;
  readonly reason: string;
  readonly count: number;
}

/**
 * The increments that a batch's payments make to the roll-ups: by day, kind and event; and by day, kind and reason of
 * rejection. Those of its entries and credits are in the changes already.
 */
export interface RollUps {
  readonly transactionDays: readonly TransactionDay[];
  readonly rejectionDays: readonly RejectionDay[];
  /** Of payments that were recorded before; the totals take new ones from their records. */
  readonly payeeChanges: readonly RecordOf<typeof PAYEE_CHANGES>[];
}

function transactionDayOf(group: readonly PaymentEvent[]): TransactionDay {
  const [{ entityId, day, kind, event }] = group as [PaymentEvent];
  const buckets = new Map<number, number>();
  for (const { amount } of group) {
    const bucket = bucketOf(amount);
    buckets.set(bucket, (buckets.get(bucket) ?? 0) + 1);
  }
  const amount = sumAmounts(group.map((each) => each.amount));
  return { entityId, day, kind, event, count: group.length, amount, buckets };
}

function rejectionDayOf(group: readonly PaymentEvent[]): RejectionDay {
  const [{ entityId, day, kind, reason }] = group as [PaymentEvent];
  return { entityId, day, kind, reason: reason ?? "", count: group.length };
}

function isSettled({ status }: TransactionRecord): boolean {
  return status === "approved" || status === "reversed";
}

/** The settled amount of a payment less its refunds. */
function netOf(record: TransactionRecord): bigint {
  return isSettled(record) ? record.amount - record.reversedAmount : 0n;
}

function payeeChangeOf({ before, after, changeId }: TransactionChange): RecordOf<typeof PAYEE_CHANGES> {
  const changeOf = (status: string): number => Number(after.status === status) - Number(before.status === status);
  const { id: transactionId, fromUserId, toUserId, fromCreatorId, toCreatorId, createdAt, postingId } = after;
  return {
    changeId,
    transactionId,
    fromUserId,
    toUserId,
    fromCreatorId,
    toCreatorId,
    createdAt,
    // One that was held before this batch may be settled and given back in it.
    settledBy: isSettled(after) ? postingId : null,
    total: netOf(after) - netOf(before),
    pending: changeOf("pending"),
    approved: changeOf("approved"),
    rejected: changeOf("rejected"),
    reversed: changeOf("reversed"),
  };
}

/** Rows in one order for all processes, so that those that add to the same rows wait and never deadlock. */
function grouped<T>(
  events: readonly PaymentEvent[],
  keyOf: (each: PaymentEvent) => string,
  rowOf: (group: PaymentEvent[]) => T,
): T[] {
  const groups = Map.groupBy(events, keyOf);
  return [...groups.keys()].sort().map((key) => rowOf(groups.get(key) as PaymentEvent[]));
}

/** Computes what a batch adds to the roll-ups of payments. */
export function rollUpsOf({ paymentEvents, changedTransactions }: Changes): RollUps {
  const dayKey = ({ entityId, day, kind }: PaymentEvent): string => `${entityId}|${day}|${kind}`;
  const isRejection = ({ event }: PaymentEvent): boolean => event === "rejected" || event === "released";
  return {
    transactionDays: grouped(paymentEvents, (each) => `${dayKey(each)}|${each.event}`, transactionDayOf),
    rejectionDays: grouped(
      paymentEvents.filter(isRejection),
      (each) => `${dayKey(each)}|${each.reason ?? ""}`,
      rejectionDayOf,
    ),
    payeeChanges: [...changedTransactions.values()].map(payeeChangeOf),
  };
}
