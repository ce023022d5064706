import { createHash } from "node:crypto";
import type { Sql } from "../../database/connect.ts";
import { firstDayOf } from "./months.ts";

/**
 * A closed month of an entity, with its reports as they were computed when it was closed; they are sent unchanged
 * unless the month is reopened.
 */
export interface ClosedMonth {
  readonly month: string;
  readonly closedAt: Date;
  /** SHA-256 of the kept reports, hexadecimal. */
  readonly sha256: string;
  readonly trialBalanceCsv: string;
  /** The JSON text of the report by loan product; of all products under an empty name. */
  readonly reports: ReadonlyMap<string, string>;
}

/** The key in {@link ClosedMonth.reports} of the report over all loan products. */
export const ALL_PRODUCTS = "";

function hashOf(reports: string, trialBalanceCsv: string): Buffer {
  return createHash("sha256").update(reports).update("\n").update(trialBalanceCsv).digest();
}

/** Reads a closed month, undefined while it is open; throws where its reports do not match the hash that was kept. */
export async function findClosedMonth(sql: Sql, entityId: string, month: string): Promise<ClosedMonth | undefined> {
  const [row] = await sql<{ reports: string; trialBalanceCsv: string; hash: Uint8Array; closedAt: Date }[]>`
    select reports, trial_balance_csv as "trialBalanceCsv", hash, closed_at as "closedAt"
    from service.closed_months where entity_id = ${entityId} and month = ${firstDayOf(month)}`;
  if (row === undefined) return undefined;
  const { reports, trialBalanceCsv, closedAt } = row;
  const hash = hashOf(reports, trialBalanceCsv);
  if (!hash.equals(row.hash)) throw new Error(`the reports of ${month} of entity ${entityId} were changed`);
  const texts = Object.entries(JSON.parse(reports) as Record<string, string>);
  return { month, closedAt, trialBalanceCsv, sha256: hash.toString("hex"), reports: new Map(texts) };
}

/** Stores a closed month's reports with their hash; where another process has stored them already, those stay. */
export async function keepClosedMonth(
  sql: Sql,
  entityId: string,
  { month, closedAt, trialBalanceCsv, reports }: Omit<ClosedMonth, "sha256">,
): Promise<void> {
  const text = JSON.stringify(Object.fromEntries(reports));
  const hash = hashOf(text, trialBalanceCsv);
  await sql`
    insert into service.month_closes (entity_id, month, reports, trial_balance_csv, hash, closed_at, version)
    select ${entityId}, ${firstDayOf(month)}, ${text}, ${trialBalanceCsv}, ${hash}, ${closedAt}, 1 + count(*)
    from service.month_reopenings where entity_id = ${entityId} and month = ${firstDayOf(month)}
    on conflict (entity_id, month, version) do nothing`;
}
