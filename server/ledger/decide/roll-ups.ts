import type { TransactionRecord } from "../model/command.ts";
import type { Changes, PostingTime } from "../model/state.ts";

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
export interface TransactionDay {
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
 * The increments by which a batch changes the roll-up of one user's payments to another: their total less refunds,
 * their number by status, and the latest ones.
 */
export interface PayeeTotal {
  readonly fromUserId: string;
  readonly toUserId: string;
  readonly fromCreatorId: string;
  readonly toCreatorId: string;
  /** The first payment that this batch settled, if any. */
  readonly firstSettledId: string | null;
  readonly firstAt: Date;
  readonly lastAt: Date;
  readonly total: bigint;
  readonly pending: number;
  readonly approved: number;
  readonly rejected: number;
  readonly reversed: number;
  /** New payments, latest first, at most ten. */
  readonly latest: readonly string[];
}

/**
 * The increments that a batch's payments make to the roll-ups: by day, kind and status; by day, kind and reason of
 * rejection; and by payer and payee. Those of its entries and credits are in the changes already.
 */
export interface RollUps {
  readonly transactionDays: readonly TransactionDay[];
  readonly rejectionDays: readonly RejectionDay[];
  readonly payeeTotals: readonly PayeeTotal[];
}

/** A payment that counts once more, or once less, on its day of recording. */
interface Counted {
  readonly record: TransactionRecord;
  readonly day: string;
  readonly sign: 1 | -1;
  readonly isNew: boolean;
}

const LATEST_LENGTH = 10;

function countedIn(changes: Changes, { day }: Pick<PostingTime, "day">): Counted[] {
  const added = changes.transactions.map((record): Counted => ({ record, day, sign: 1, isNew: true }));
  const changed = [...changes.changedTransactions.values()].flatMap(({ before, after, recordedOn }): Counted[] => [
    { record: before, day: recordedOn, sign: -1, isNew: false },
    { record: after, day: recordedOn, sign: 1, isNew: false },
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

/** The settled amount of a payment less its refunds. */
function netOf({ status, amount, reversedAmount }: TransactionRecord): bigint {
  return status === "approved" || status === "reversed" ? amount - reversedAmount : 0n;
}

function payeeTotalOf(group: readonly Counted[]): PayeeTotal {
  const [first] = group as [Counted];
  const { fromUserId, toUserId, fromCreatorId, toCreatorId } = first.record;
  const times = group.map(({ record }) => record.createdAt).sort((left, right) => left.getTime() - right.getTime());
  // One that was held before this batch may be settled and given back in it.
  const settled = group.filter(
    ({ record: { status }, sign }) => sign === 1 && ["approved", "reversed"].includes(status),
  );
  const countOf = (status: string): number =>
    group.reduce((sum, { record, sign }) => sum + (record.status === status ? sign : 0), 0);
  return {
    fromUserId,
    toUserId,
    fromCreatorId,
    toCreatorId,
    firstSettledId: settled[0]?.record.id ?? null,
    firstAt: times[0] as Date,
    lastAt: times.at(-1) as Date,
    total: group.reduce((sum, { record, sign }) => sum + BigInt(sign) * netOf(record), 0n),
    pending: countOf("pending"),
    approved: countOf("approved"),
    rejected: countOf("rejected"),
    reversed: countOf("reversed"),
    latest: group
      .filter(({ isNew }) => isNew)
      .map(({ record }) => record.id)
      .reverse()
      .slice(0, LATEST_LENGTH),
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
    payeeTotals: grouped(
      counted.filter(({ record }) => record.kind !== "refund"),
      ({ record }) => `${record.fromUserId}|${record.toUserId}`,
      payeeTotalOf,
    ),
  };
}
