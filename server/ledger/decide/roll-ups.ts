import type { RecordOf } from "../model/columns.ts";
import type { TransactionRecord } from "../model/command.ts";
import type { Changes, PostingTime, TransactionChange } from "../model/state.ts";
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
 * The increments by which a batch changes the roll-up of an entity's payments of a business day, a kind and a status;
 * the entity is the one that made them.
 */
interface TransactionDay {
  readonly entityId: string;
  readonly day: string;
  readonly kind: string;
  readonly status: string;
  readonly count: number;
  readonly amount: bigint;
  /** How many more amounts lie in each bucket. */
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
 * The increments that a batch's payments make to the roll-ups: by day, kind and status; and by day, kind and reason of
 * rejection. Those of its entries and credits are in the changes already.
 */
export interface RollUps {
  readonly transactionDays: readonly TransactionDay[];
  readonly rejectionDays: readonly RejectionDay[];
  /** Of payments that were recorded before; the totals take new ones from their records. */
  readonly payeeChanges: readonly RecordOf<typeof PAYEE_CHANGES>[];
}

/** A payment that counts once more, or once less, on its day of recording. */
interface Counted {
  readonly record: TransactionRecord;
  readonly day: string;
  readonly sign: 1 | -1;
}

function countedIn(changes: Changes, { day }: Pick<PostingTime, "day">): Counted[] {
  const added = changes.transactions.map((record): Counted => ({ record, day, sign: 1 }));
  const changed = [...changes.changedTransactions.values()].flatMap(({ before, after, recordedOn }): Counted[] => [
    { record: before, day: recordedOn, sign: -1 },
    { record: after, day: recordedOn, sign: 1 },
  ]);
  return [...added, ...changed];
}

function transactionDayOf(group: readonly Counted[]): TransactionDay {
  const [first] = group as [Counted];
  const buckets = new Map<number, number>();
  let [count, amount] = [0, 0n];
  for (const { record, sign } of group) {
    const bucket = bucketOf(record.amount);
    buckets.set(bucket, (buckets.get(bucket) ?? 0) + sign);
    count += sign;
    amount += BigInt(sign) * record.amount;
  }
  const { madeBy, kind, status } = first.record;
  return { entityId: madeBy, day: first.day, kind, status, count, amount, buckets };
}

function rejectionDayOf(group: readonly Counted[]): RejectionDay {
  const [first] = group as [Counted];
  const { madeBy, kind, reason } = first.record;
  const count = group.reduce((sum, { sign }) => sum + sign, 0);
  return { entityId: madeBy, day: first.day, kind, reason: reason ?? "", count };
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
  counted: readonly Counted[],
  keyOf: (each: Counted) => string,
  rowOf: (group: Counted[]) => T,
): T[] {
  const groups = Map.groupBy(counted, keyOf);
  return [...groups.keys()].sort().map((key) => rowOf(groups.get(key) as Counted[]));
}

/** Computes what a batch adds to the roll-ups of payments. */
export function rollUpsOf(changes: Changes, moment: Pick<PostingTime, "day">): RollUps {
  const counted = countedIn(changes, moment);
  const dayKey = ({ record, day }: Counted): string => `${record.madeBy}|${day}|${record.kind}`;
  return {
    transactionDays: grouped(counted, (each) => `${dayKey(each)}|${each.record.status}`, transactionDayOf),
    rejectionDays: grouped(
      counted.filter(({ record }) => record.status === "rejected"),
      (each) => `${dayKey(each)}|${each.record.reason ?? ""}`,
      rejectionDayOf,
    ),
    payeeChanges: [...changes.changedTransactions.values()].map(payeeChangeOf),
  };
}
