import type { SqlPart, Tx } from "../../database/connect.ts";
import { CREDIT_FIGURES } from "../decide/credit-figures.ts";
import { type RollUps, rollUpsOf } from "../decide/roll-ups.ts";
import type { RecordOf } from "../model/columns.ts";
import { snakeCase } from "../model/columns.ts";
import type { Changes, PostingTime } from "../model/state.ts";
import { HISTOGRAM_CHANGES, PAYEE_CHANGES } from "../model/tables.ts";
import { digits, type Row, recordset } from "./recordset.ts";
import { insert } from "./table-statements.ts";

/** Stands for no counterparty in a key. */
const NOBODY = "00000000-0000-0000-0000-000000000000";
const DAY_KEY = ["entity_id", "day", "kind", "event", "slot"];

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

function transactionDayRows(days: RollUps["transactionDays"], slot: number): Row[] {
  return days.map(({ entityId, day, kind, event, count, amount }) => {
    return { entity_id: entityId, day, kind, event, slot, count, amount: digits(amount) };
  });
}

/** The histograms of a batch are kept as they are: to merge them into those of their days takes long. */
function histogramChanges(days: RollUps["transactionDays"], version: bigint): RecordOf<typeof HISTOGRAM_CHANGES>[] {
  return days.map(({ entityId, day, kind, event, buckets }) => {
    const histogram = { buckets: [...buckets.keys()], counts: [...buckets.values()].map(BigInt) };
    return { entityId, day, kind, event, version, ...histogram };
  });
}

/** Adds a batch to the roll-ups, in its own database transaction: so a report reads days, not transactions. */
export function saveRollUps(tx: Tx, changes: Changes, moment: PostingTime, version: bigint): SqlPart[] {
  const { slot } = moment;
  const { transactionDays, rejectionDays, payeeChanges } = rollUpsOf(changes);
  const rejections = rejectionDays.map(({ entityId, ...rest }) => ({ entity_id: entityId, ...rest, slot }));
  return [
    ...add(tx, "ledger_days", ["entity_id", "kind", "counterparty_id", "day", "slot"], ledgerDayRows(changes, slot)),
    ...add(tx, "credit_days", ["entity_id", "day", "loan_type", "slot"], creditDayRows(changes, slot)),
    ...add(tx, "rejection_days", ["entity_id", "day", "kind", "reason", "slot"], rejections),
    ...add(tx, "transaction_days", DAY_KEY, transactionDayRows(transactionDays, slot)),
    ...insert(tx, HISTOGRAM_CHANGES, histogramChanges(transactionDays, version)),
    ...insert(tx, PAYEE_CHANGES, payeeChanges),
  ];
}
