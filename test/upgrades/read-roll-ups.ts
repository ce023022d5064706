import type { Sql } from "../../server/database/connect.ts";
import { businessTime } from "../../src/business-time.ts";
import { type LedgerRows, readLedgerRows } from "./ledger-rows.ts";

/** A table's content as one text per key. */
type Content = Readonly<Record<string, string>>;

/** A table, or a part of it, that repeats what other rows say: how it is read, and what it must hold. */
interface RollUp {
  /** The query, which returns `key` and `value`; slots are summed. */
  readonly stored: string;
  readonly expected: (rows: LedgerRows) => Content;
}

const NOBODY = "00000000-0000-0000-0000-000000000000";
const time = businessTime("America/Bogota");

function keyOf(...parts: readonly (string | null)[]): string {
  return parts.join("|");
}

/** Computes the value of each group of items, by their key. */
function grouped<T>(
  items: readonly T[],
  key: (item: T) => string,
  value: (group: readonly T[]) => string | number | bigint,
): Content {
  const groups = Object.entries(Object.groupBy(items, key));
  return Object.fromEntries(groups.map(([name, group = []]) => [name, String(value(group))]));
}

function sum(amounts: readonly bigint[]): bigint {
  return amounts.reduce((total, amount) => total + amount, 0n);
}

/** The least bucket whose upper end, 1.04 to the power of its number, is no less than the amount; in integers. */
function bucketOf(amount: bigint): number {
  for (let bucket = 0, upper = 1n, scale = 1n; ; bucket++, upper *= 104n, scale *= 100n) {
    if (upper >= amount * scale) return bucket;
  }
}

/** The amount at the nearest rank of a share in percent. */
function nearestRank(amounts: readonly bigint[], percent: number): bigint {
  const sorted = amounts.toSorted((left, right) => (left < right ? -1 : 1));
  return sorted[Math.ceil((sorted.length * percent) / 100) - 1] as bigint;
}

type Entry = LedgerRows["entries"][number];
type Transaction = LedgerRows["transactions"][number];

const ofUsers = ({ entries }: LedgerRows): readonly Entry[] => entries.filter(({ kind }) => kind === "user_quota");
const lastDay = (entries: readonly Entry[]): string => String(entries.at(-1)?.day);

/** A rejected transaction has no posting: its business day is that of its recording. */
const dayOf = ({ postedOn, createdAt }: Transaction): string => postedOn ?? time.dayOf(createdAt);

/** Something that happened to a payment, on its own day. */
interface PaymentEvent {
  readonly madeBy: string;
  readonly day: string;
  readonly kind: string;
  readonly event: string;
  readonly amount: bigint;
  readonly reason: string | null;
}

/** The events of the transactions: how each was recorded, how a hold ended, and what was given back. */
function eventsOf({ transactions }: LedgerRows): readonly PaymentEvent[] {
  const byId = new Map(transactions.map((each) => [each.id, each]));
  return transactions.flatMap((each) => {
    const { amount, changedAt, createdAt, heldAmount, kind, madeBy, postedOn, reason, reverses, status } = each;
    const told = (event: string, more: Partial<PaymentEvent> = {}): PaymentEvent => {
      return { madeBy, day: dayOf(each), kind, event, amount, reason, ...more };
    };
    const original = byId.get(reverses ?? "");
    const given = original && told("refunded", { madeBy: original.madeBy, kind: original.kind });
    const back = given === undefined ? [] : [given];
    if (heldAmount === null) return [told(postedOn === null ? "rejected" : "approved"), ...back];
    const held = told("pending", { day: time.dayOf(createdAt), amount: heldAmount });
    if (postedOn !== null) return [held, told("settled")];
    return status === "rejected" ? [held, told("released", { day: time.dayOf(changedAt) })] : [held];
  });
}

const dayKey = ({ madeBy, day, kind, event }: PaymentEvent): string => keyOf(madeBy, day, kind, event);
const monthKey = ({ madeBy, day, kind, event }: PaymentEvent): string =>
  keyOf(madeBy, `${day.slice(0, 7)}-01`, kind, event);

function payeeTotal(payments: readonly Transaction[]): string {
  const settled = payments.filter(({ status }) => status === "approved");
  const dates = [payments[0], payments.at(-1)].map((each) => each?.createdAt.toISOString() ?? null);
  const counts = ["pending", "approved", "rejected", "reversed"].map((status) =>
    String(payments.filter((payment) => payment.status === status).length),
  );
  const latest = payments.map(({ id }) => id).toReversed();
  return keyOf(
    ...[payments[0]?.fromCreatorId ?? null, payments[0]?.toCreatorId ?? null, settled[0]?.id ?? "none"],
    ...[...dates, String(sum(settled.map(({ amount }) => amount))), ...counts, latest.slice(0, 10).join()],
  );
}

/** Returns the day of a payer's latest payment and the sum that it sent on that day. */
function spentLast(payments: readonly Transaction[]): string {
  const days = payments.map(dayOf);
  const last = String(days.at(-1));
  const amounts = payments.filter((_, index) => days[index] === last).map(({ amount }) => amount);
  return keyOf(last, String(sum(amounts)));
}

const histogramOf = (table: string, period: string): string => `
  select concat_ws('|', entity_id, ${period}, kind, event, bucket) as key, sum(n)::text as value
  from service.${table}, unnest(buckets, counts) as histogram(bucket, n)
  group by entity_id, ${period}, kind, event, bucket`;

const instantText = (column: string): string =>
  `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/** Every roll-up and copy that a migration fills from earlier rows, by what it is. */
const ROLL_UPS: Readonly<Record<string, RollUp>> = Object.freeze({
  ledger_days: {
    stored: `select concat_ws('|', entity_id, kind, counterparty_id, day) as key,
      concat_ws('|', sum(debit), sum(credit)) as value
      from service.ledger_days group by entity_id, kind, counterparty_id, day`,
    expected: ({ entries }) =>
      grouped(
        entries,
        ({ entityId, kind, counterpartyId, day }) => keyOf(entityId, kind, counterpartyId ?? NOBODY, day),
        (group) => {
          const amounts = group.map(({ amount }) => amount);
          const debit = -sum(amounts.filter((amount) => amount < 0n));
          return keyOf(String(debit), String(sum(amounts.filter((amount) => amount > 0n))));
        },
      ),
  },
  entity_entries: {
    stored: `select concat_ws('|', entity_id, kind, posting_id, account_id, sequence_number) as key, '1' as value
      from service.entity_entries`,
    expected: ({ entries }) =>
      grouped(
        entries.filter(({ kind }) => kind !== "user_quota"),
        (entry) => keyOf(entry.entityId, entry.kind, entry.postingId, entry.accountId, String(entry.sequenceNumber)),
        (group) => group.length,
      ),
  },
  account_days: {
    stored: "select concat_ws('|', account_id, day, first_entry) as key, '' as value from service.account_days",
    expected: (rows) =>
      grouped(
        ofUsers(rows).filter(({ accountId, day }, index, all) => {
          const before = all[index - 1];
          return before?.accountId !== accountId || before.day !== day;
        }),
        ({ accountId, day, sequenceNumber }) => keyOf(accountId, day, String(sequenceNumber)),
        () => "",
      ),
  },
  "accounts: latest activity": {
    stored: `select id::text as key, active_on::text as value from service.accounts
      where kind = 'user_quota' and active_on is not null`,
    expected: (rows) => grouped(ofUsers(rows), ({ accountId }) => accountId, lastDay),
  },
  "accounts: spent": {
    stored: `select id::text as key, concat_ws('|', spent_on, spent) as value from service.accounts
      where spent_on is not null`,
    expected: ({ transactions }) =>
      grouped(
        transactions.filter(({ status }) => status === "approved"),
        ({ fromUserId }) => fromUserId,
        spentLast,
      ),
  },
  credit_days: {
    stored: `select concat_ws('|', entity_id, day, loan_type) as key, concat_ws('|', sum(granted), sum(repaid +
      cancelled + written_off + recovered + late_principal + interest_accrued + interest_paid + interest_cancelled +
      interest_written_off + interest_due + interest_on_time + late_interest)) as value
      from service.credit_days group by entity_id, day, loan_type`,
    expected: ({ credits }) =>
      grouped(
        credits,
        ({ entityId, bookedOn, loanType }) => keyOf(entityId, bookedOn, loanType),
        (group) => keyOf(String(sum(group.map(({ principal }) => principal))), "0"),
      ),
  },
  credit_movements: {
    stored: `select credit_id::text as key, concat_ws('|', sequence_number, kind, day, principal, interest, posting_id)
      as value from service.credit_movements`,
    expected: ({ credits }) =>
      grouped(
        credits,
        ({ id }) => id,
        ([credit]) => keyOf("1|granted", `${credit?.bookedOn}|${credit?.principal}|0`, `${credit?.postingId}`),
      ),
  },
  "credits: terms and standing": {
    stored: `select id::text as key, concat_ws('|', state, reference, accrued_through, accrued, unpaid_interest,
      movement_count, changed_id) as value from service.credits`,
    expected: ({ credits }) =>
      grouped(
        credits,
        ({ id }) => id,
        ([credit]) => keyOf("open", `${credit?.postingReference}|${credit?.openedOn}`, "0|0|1", `${credit?.id}`),
      ),
  },
  payee_totals: {
    stored: `select concat_ws('|', from_user_id, to_user_id) as key, concat_ws('|', from_creator_id, to_creator_id,
      coalesce(first_settled_id::text, 'none'), ${instantText("first_at")}, ${instantText("last_at")}, total, pending,
      approved, rejected, reversed, array_to_string(latest, ',')) as value from service.payee_totals`,
    expected: ({ transactions }) =>
      grouped(
        transactions.filter(({ kind }) => kind !== "refund"),
        ({ fromUserId, toUserId }) => keyOf(fromUserId, toUserId),
        payeeTotal,
      ),
  },
  "transactions: how many statuses": {
    stored: `select id::text as key, concat_ws('|', status_count, held_amount, reversed_amount) as value
      from service.transactions`,
    expected: ({ transactions }) =>
      grouped(
        transactions,
        ({ id }) => id,
        ([transaction]) => keyOf(String(transaction?.statusCount), "0"),
      ),
  },
  transaction_days: {
    stored: `select concat_ws('|', entity_id, day, kind, event) as key,
      concat_ws('|', sum(count), sum(amount)) as value
      from service.transaction_days group by entity_id, day, kind, event`,
    expected: (rows) =>
      grouped(eventsOf(rows), dayKey, (group) =>
        keyOf(String(group.length), String(sum(group.map(({ amount }) => amount)))),
      ),
  },
  transaction_histograms: {
    stored: histogramOf("transaction_histograms", "day"),
    expected: (rows) =>
      grouped(
        eventsOf(rows),
        (each) => keyOf(dayKey(each), String(bucketOf(each.amount))),
        (group) => group.length,
      ),
  },
  "transaction_histograms: median and 95th percentile": {
    stored: `select concat_ws('|', entity_id, day, kind, event) as key, concat_ws('|', median_bucket, p95_bucket)
      as value from service.transaction_histograms`,
    expected: (rows) =>
      grouped(eventsOf(rows), dayKey, (group) => {
        const amounts = group.map(({ amount }) => amount);
        return [50, 95].map((percent) => bucketOf(nearestRank(amounts, percent))).join("|");
      }),
  },
  transaction_months: {
    stored: histogramOf("transaction_months", "month"),
    expected: (rows) =>
      grouped(
        eventsOf(rows),
        (each) => keyOf(monthKey(each), String(bucketOf(each.amount))),
        (group) => group.length,
      ),
  },
  rejection_days: {
    stored: `select concat_ws('|', entity_id, day, kind, reason) as key, sum(count)::text as value
      from service.rejection_days group by entity_id, day, kind, reason`,
    expected: (rows) =>
      grouped(
        eventsOf(rows).filter(({ event }) => event === "rejected" || event === "released"),
        ({ madeBy, day, kind, reason }) => keyOf(madeBy, day, kind, reason ?? ""),
        (group) => group.length,
      ),
  },
});

/** The tables that {@link readRollUps} looks at. */
export const ROLL_UP_TABLES: ReadonlySet<string> = new Set(
  Object.keys(ROLL_UPS).map((name) => name.split(":")[0] as string),
);

/** Every roll-up as it is stored, and as the entries, transactions and credits say that it must be. */
export async function readRollUps(sql: Sql): Promise<Record<"stored" | "expected", Record<string, Content>>> {
  const rows = await readLedgerRows(sql);
  const stored: Record<string, Content> = {};
  const expected: Record<string, Content> = {};
  for (const [name, rollUp] of Object.entries(ROLL_UPS)) {
    const found = await sql.unsafe<{ key: string; value: string }[]>(rollUp.stored);
    stored[name] = grouped(
      found,
      ({ key }) => key,
      (group) => group.map(({ value }) => value).join(" and "),
    );
    expected[name] = rollUp.expected(rows);
  }
  return { stored, expected };
}
