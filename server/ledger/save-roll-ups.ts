import type { Tx } from "../database/connect.ts";
import { CREDIT_FIGURES } from "./credit-figures.ts";
import { digits, type Row, recordset } from "./insert-rows.ts";
import { type PayeeTotal, type RollUps, rollUpsOf, type TransactionDay } from "./roll-ups.ts";
import type { Changes, Moment } from "./state.ts";

/** Stands for no counterparty in a key. */
const NOBODY = "00000000-0000-0000-0000-000000000000";

function sortedBy(rows: readonly Row[], columns: readonly string[]): readonly Row[] {
  const keyOf = (row: Row): string => columns.map((column) => row[column]).join("|");
  return [...rows].sort((left, right) => (keyOf(left) < keyOf(right) ? -1 : 1));
}

/** Adds rows to a roll-up: sums where the key is there already. Rows come in the key's order, so nobody deadlocks. */
function add(tx: Tx, table: string, key: readonly string[], rows: readonly Row[]): Promise<unknown>[] {
  const [first] = rows;
  if (first === undefined) return [];
  const columns = Object.keys(first);
  const name = tx(`service.${table}`);
  const sums = columns
    .filter((column) => !key.includes(column))
    .flatMap((column, index) => [
      index === 0 ? tx`` : tx`, `,
      tx`${tx(column)} = t.${tx(column)} + excluded.${tx(column)}`,
    ]);
  return [
    tx`insert into ${name} as t (${tx(columns)})
      select ${tx(columns)} from json_populate_recordset(null::${name}, ${recordset(sortedBy(rows, key))}::text::json)
      on conflict (${tx(key as string[])}) do update set ${sums}`,
  ];
}

function ledgerDayRows({ ledgerDays }: Changes, slot: number): Row[] {
  return [...ledgerDays.values()].map(({ entityId, kind, counterpartyId, day, debit, credit }) => ({
    entity_id: entityId,
    kind,
    counterparty_id: counterpartyId ?? NOBODY,
    day,
    slot,
    debit: digits(debit),
    credit: digits(credit),
  }));
}

function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function creditDayRows({ creditDays }: Changes, slot: number): Row[] {
  return [...creditDays.values()].map(({ entityId, day, loanType, figures }) => ({
    entity_id: entityId,
    day,
    loan_type: loanType,
    slot,
    ...Object.fromEntries(CREDIT_FIGURES.map((name) => [snakeCase(name), digits(figures[name] ?? 0n)])),
  }));
}

function histogramOf({ buckets }: TransactionDay): { readonly buckets: number[]; readonly counts: number[] } {
  const sorted = [...buckets].filter(([, count]) => count !== 0).sort(([left], [right]) => left - right);
  return { buckets: sorted.map(([bucket]) => bucket), counts: sorted.map(([, count]) => count) };
}

function addTransactionDays(tx: Tx, days: RollUps["transactionDays"], slot: number): Promise<unknown>[] {
  if (days.length === 0) return [];
  const rows = days.map((each) => ({
    entity_id: each.entityId,
    day: each.day,
    kind: each.kind,
    status: each.status,
    slot,
    count: each.count,
    amount: digits(each.amount),
    ...histogramOf(each),
  }));
  const months = days.map((each) => ({
    entity_id: each.entityId,
    month: `${each.day.slice(0, 7)}-01`,
    kind: each.kind,
    status: each.status,
    slot,
    ...histogramOf(each),
  }));
  return [
    tx`insert into service.transaction_days as t
      select entity_id, day, kind, status, slot, count, amount, buckets, counts,
        service.bucket_at(buckets, counts, 0.5), service.bucket_at(buckets, counts, 0.95)
      from json_populate_recordset(null::service.transaction_days, ${recordset(rows)}::text::json)
      on conflict (entity_id, day, kind, status, slot) do update
      set (count, amount, buckets, counts, median_bucket, p95_bucket) = (
        select t.count + excluded.count, t.amount + excluded.amount, m.buckets, m.counts,
          service.bucket_at(m.buckets, m.counts, 0.5), service.bucket_at(m.buckets, m.counts, 0.95)
        from service.merge_histograms(t.buckets, t.counts, excluded.buckets, excluded.counts) m)`,
    ...addMonths(tx, months),
  ];
}

/** A batch may hold payments of several days of one month: a statement must not meet a row twice. */
function addMonths(tx: Tx, rows: readonly Row[]): Promise<unknown>[] {
  const groups = Map.groupBy(rows, (row) => [row.entity_id, row.month, row.kind, row.status].join("|"));
  const once = [...groups.values()].every((group) => group.length === 1);
  const passes = once ? [rows] : rows.map((row) => [row]);
  return passes.map(
    (pass) => tx`insert into service.transaction_months as t
      select entity_id, month, kind, status, slot, buckets, counts
      from json_populate_recordset(null::service.transaction_months, ${recordset(pass)}::text::json)
      on conflict (entity_id, month, kind, status, slot) do update
      set (buckets, counts) = (select m.buckets, m.counts
        from service.merge_histograms(t.buckets, t.counts, excluded.buckets, excluded.counts) m)`,
  );
}

function addPayeeTotals(tx: Tx, totals: readonly PayeeTotal[]): Promise<unknown>[] {
  if (totals.length === 0) return [];
  const rows = totals.map((each) => ({
    from_user_id: each.fromUserId,
    to_user_id: each.toUserId,
    to_creator_id: each.toCreatorId,
    from_creator_id: each.fromCreatorId,
    first_settled_id: each.firstSettledId,
    first_at: each.firstAt,
    last_at: each.lastAt,
    total: digits(each.total),
    pending: each.pending,
    approved: each.approved,
    rejected: each.rejected,
    reversed: each.reversed,
    latest: each.latest,
  }));
  return [
    tx`insert into service.payee_totals as t
      select * from json_populate_recordset(null::service.payee_totals, ${recordset(rows)}::text::json)
      on conflict (from_user_id, to_user_id) do update set
        first_settled_id = coalesce(t.first_settled_id, excluded.first_settled_id),
        last_at = greatest(t.last_at, excluded.last_at), total = t.total + excluded.total,
        pending = t.pending + excluded.pending, approved = t.approved + excluded.approved,
        rejected = t.rejected + excluded.rejected, reversed = t.reversed + excluded.reversed,
        latest = (excluded.latest || t.latest)[1:10]`,
  ];
}

/** Adds a batch to the roll-ups, in its own database transaction: so a report reads days, not transactions. */
export function saveRollUps(tx: Tx, changes: Changes, moment: Moment): Promise<unknown>[] {
  const { slot } = moment;
  const { transactionDays, rejectionDays, payeeTotals } = rollUpsOf(changes, moment);
  const rejections = rejectionDays.map(({ entityId, ...rest }) => ({ entity_id: entityId, ...rest, slot }));
  return [
    ...add(tx, "ledger_days", ["entity_id", "kind", "counterparty_id", "day", "slot"], ledgerDayRows(changes, slot)),
    ...add(tx, "credit_days", ["entity_id", "day", "loan_type", "slot"], creditDayRows(changes, slot)),
    ...add(tx, "rejection_days", ["entity_id", "day", "kind", "reason", "slot"], rejections),
    ...addTransactionDays(tx, transactionDays, slot),
    ...addPayeeTotals(tx, payeeTotals),
  ];
}
