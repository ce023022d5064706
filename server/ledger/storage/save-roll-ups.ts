import type { SqlPart, Tx } from "../../database/connect.ts";
import { CREDIT_FIGURES } from "../decide/credit-figures.ts";
import { type RollUps, rollUpsOf, type TransactionDay } from "../decide/roll-ups.ts";
import { snakeCase } from "../model/columns.ts";
import type { Changes, PostingTime } from "../model/state.ts";
import { PAYEE_CHANGES } from "../model/tables.ts";
import { digits, type Row, recordset } from "./recordset.ts";
import { insert } from "./table-statements.ts";

/** Stands for no counterparty in a key. */
const NOBODY = "00000000-0000-0000-0000-000000000000";

function sortedBy(rows: readonly Row[], columns: readonly string[]): readonly Row[] {
  const keyOf = (row: Row): string => columns.map((column) => row[column]).join("|");
  return [...rows].sort((left, right) => (keyOf(left) < keyOf(right) ? -1 : 1));
}

/** Adds rows to a roll-up: sums where the key is there already. Rows come in the key's order, so nobody deadlocks. */
function add(tx: Tx, table: string, key: readonly string[], rows: readonly Row[]): SqlPart[] {
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

function creditDayRows({ creditDays }: Changes, slot: number): Row[] {
  return [...creditDays.values()].map(({ entityId, day, loanType, figures }) => ({
    entity_id: entityId,
    day,
    loan_type: loanType,
    slot,
    ...Object.fromEntries(CREDIT_FIGURES.map((name) => [snakeCase(name), digits(figures[name] ?? 0n)])),
  }));
}

/** The histogram of all of these days together. */
function histogramOf(days: readonly TransactionDay[]): { readonly buckets: number[]; readonly counts: number[] } {
  const sums = new Map<number, number>();
  for (const [bucket, count] of days.flatMap(({ buckets }) => [...buckets])) {
    sums.set(bucket, (sums.get(bucket) ?? 0) + count);
  }
  const sorted = [...sums].filter(([, count]) => count !== 0).sort(([left], [right]) => left - right);
  return { buckets: sorted.map(([bucket]) => bucket), counts: sorted.map(([, count]) => count) };
}

function addTransactionDays(tx: Tx, days: RollUps["transactionDays"], slot: number): SqlPart[] {
  if (days.length === 0) return [];
  const rows = days.map((each) => ({
    entity_id: each.entityId,
    day: each.day,
    kind: each.kind,
    status: each.status,
    slot,
    count: each.count,
    amount: digits(each.amount),
    ...histogramOf([each]),
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
    addMonths(tx, monthRows(days, slot)),
  ];
}

const MONTH_KEY = ["entity_id", "month", "kind", "status"];

/** A batch may change payments of several days of one month: the statement meets each row once, in the key's order. */
function monthRows(days: RollUps["transactionDays"], slot: number): readonly Row[] {
  const firstOf = ({ day }: TransactionDay): string => `${day.slice(0, 7)}-01`;
  const groups = Map.groupBy(days, (each) => [each.entityId, firstOf(each), each.kind, each.status].join("|"));
  const rows = [...groups.values()].map((group) => {
    const [first] = group as [TransactionDay];
    const { entityId, kind, status } = first;
    return { entity_id: entityId, month: firstOf(first), kind, status, slot, ...histogramOf(group) };
  });
  return sortedBy(rows, MONTH_KEY);
}

function addMonths(tx: Tx, rows: readonly Row[]): SqlPart {
  return tx`insert into service.transaction_months as t
    select entity_id, month, kind, status, slot, buckets, counts
    from json_populate_recordset(null::service.transaction_months, ${recordset(rows)}::text::json)
    on conflict (entity_id, month, kind, status, slot) do update
    set (buckets, counts) = (select m.buckets, m.counts
      from service.merge_histograms(t.buckets, t.counts, excluded.buckets, excluded.counts) m)`;
}

/** Adds a batch to the roll-ups, in its own database transaction: so a report reads days, not transactions. */
export function saveRollUps(tx: Tx, changes: Changes, moment: PostingTime): SqlPart[] {
  const { slot } = moment;
  const { transactionDays, rejectionDays, payeeChanges } = rollUpsOf(changes, moment);
  const rejections = rejectionDays.map(({ entityId, ...rest }) => ({ entity_id: entityId, ...rest, slot }));
  return [
    ...add(tx, "ledger_days", ["entity_id", "kind", "counterparty_id", "day", "slot"], ledgerDayRows(changes, slot)),
    ...add(tx, "credit_days", ["entity_id", "day", "loan_type", "slot"], creditDayRows(changes, slot)),
    ...add(tx, "rejection_days", ["entity_id", "day", "kind", "reason", "slot"], rejections),
    ...addTransactionDays(tx, transactionDays, slot),
    ...insert(tx, PAYEE_CHANGES, payeeChanges),
  ];
}
