import type { Tx } from "../../database/connect.ts";
import type { VersionedExposure } from "../memory/remembered-state.ts";
import { type Direction, directionKey, type Exposure, wholeExposure } from "../model/exposure.ts";
import { recordset } from "./recordset.ts";

/** How exposures are read: which of a limit's slices are this writer's, and what limit holds where none is set. */
export interface ExposureReading {
  readonly slot: number;
  readonly defaultLimit: bigint;
  /** Directions that are read with all of their slices, by key; a commit locks these. */
  readonly whole: ReadonlySet<string> | "all";
}

type Numbers = "limitWhereUnset" | "used" | "held" | "granted" | "othersUsed" | "othersHeld" | "othersUnused";
type ExposureRow = Direction &
  Pick<Exposure, "isNear"> & { readonly version: string; readonly sliceVersion: bigint | null } & Readonly<
    Record<Numbers, string>
  > & {
    readonly setLimit: string | null;
  };

/** Directions as the rows of a statement. */
export function directionRows(directions: readonly Direction[], whole?: ReadonlySet<string>): string {
  const rows = directions.map((each) => ({
    creditor_id: each.creditorId,
    debtor_id: each.debtorId,
    is_whole: whole?.has(directionKey(each)) ?? false,
  }));
  return recordset(rows);
}

/** Opens the limits and this slot's slices of directions that have none yet. */
export async function openSlices(tx: Tx, directions: readonly Direction[], slot: number): Promise<void> {
  if (directions.length === 0) return;
  const rows = directionRows(directions);
  await Promise.all([
    tx`insert into service.counterparty_limits (creditor_id, debtor_id)
      select creditor_id, debtor_id
      from json_to_recordset(${rows}::text::json) as d(creditor_id uuid, debtor_id uuid) order by 1, 2
      on conflict do nothing`,
    tx`insert into service.counterparty_slices (creditor_id, debtor_id, slot)
      select creditor_id, debtor_id, ${slot}::smallint
      from json_to_recordset(${rows}::text::json) as d(creditor_id uuid, debtor_id uuid) order by 1, 2
      on conflict do nothing`,
  ]);
}

/** The limits that are divided anew are locked first, then slices: of those limits all, of the others this slot's. */
async function lockSlices(
  tx: Tx,
  rows: string,
  { slot, dividesAny }: { readonly slot: number; readonly dividesAny: boolean },
): Promise<void> {
  const divided = tx`select from service.counterparty_limits l
    join json_to_recordset(${rows}::text::json) as d(creditor_id uuid, debtor_id uuid, is_whole boolean)
      using (creditor_id, debtor_id)
    where is_whole order by creditor_id, debtor_id for no key update of l`;
  const slices = tx`select from service.counterparty_slices s
    join json_to_recordset(${rows}::text::json) as d(creditor_id uuid, debtor_id uuid, is_whole boolean)
      using (creditor_id, debtor_id)
    where is_whole or slot = ${slot} order by creditor_id, debtor_id, slot for no key update of s`;
  await Promise.all(dividesAny ? [divided, slices] : [slices]);
}

function exposureOf(row: ExposureRow, whole: ReadonlySet<string>): VersionedExposure {
  const { creditorId, debtorId, isNear, sliceVersion } = row;
  const setLimit = row.setLimit === null ? null : BigInt(row.setLimit);
  const limitWhereUnset = BigInt(row.limitWhereUnset);
  const exposure: VersionedExposure = {
    version: BigInt(row.version),
    sliceVersion,
    creditorId,
    debtorId,
    limit: setLimit ?? limitWhereUnset,
    setLimit,
    limitWhereUnset,
    used: BigInt(row.used),
    held: BigInt(row.held),
    granted: BigInt(row.granted),
    others: { used: BigInt(row.othersUsed), held: BigInt(row.othersHeld), unused: BigInt(row.othersUnused) },
    isNear,
    isWhole: false,
  };
  return whole.has(directionKey(exposure)) ? { ...exposure, ...wholeExposure(exposure) } : exposure;
}

/**
 * Locks the slices of a writer and reads what is owed, others' slices too: those only looked at, unless they are
 * locked. A preview locks nothing, and sees all of each limit; a writer that will check their versions locks nothing.
 */
export async function loadExposures(
  tx: Tx,
  directions: readonly Direction[],
  { locks, ...reading }: ExposureReading & { readonly locks: boolean },
): Promise<Map<string, VersionedExposure>> {
  if (directions.length === 0) return new Map();
  const { slot, defaultLimit } = reading;
  const whole = reading.whole === "all" ? new Set(directions.map(directionKey)) : reading.whole;
  const given = directionRows(directions, whole);
  const [, rows] = await Promise.all([
    locks ? lockSlices(tx, given, { slot, dividesAny: whole.size > 0 }) : undefined,
    tx<ExposureRow[]>`
      select creditor_id as "creditorId", debtor_id as "debtorId",
        l.limit_amount::text as "setLimit",
        greatest(l.least_limit, ${String(defaultLimit)}::numeric)::text as "limitWhereUnset",
        coalesce(l.is_near, false) as "isNear", (coalesce(l.version, 0) + s.versions)::text as version, s.*
      from json_to_recordset(${given}::text::json) as d(creditor_id uuid, debtor_id uuid)
      left join service.counterparty_limits l using (creditor_id, debtor_id)
      cross join lateral (
        select coalesce(sum(version), 0) as versions,
          max(version) filter (where slot = ${slot}) as "sliceVersion",
          coalesce(sum(used) filter (where slot = ${slot}), 0)::text as used,
          coalesce(sum(held) filter (where slot = ${slot}), 0)::text as held,
          coalesce(sum(granted) filter (where slot = ${slot}), 0)::text as granted,
          coalesce(sum(used) filter (where slot <> ${slot}), 0)::text as "othersUsed",
          coalesce(sum(held) filter (where slot <> ${slot}), 0)::text as "othersHeld",
          coalesce(sum(granted - used) filter (where slot <> ${slot} and granted > used), 0)::text as "othersUnused"
        from service.counterparty_slices c where c.creditor_id = d.creditor_id and c.debtor_id = d.debtor_id) s`,
  ]);
  return new Map(rows.map((row) => [directionKey(row), exposureOf(row, whole)]));
}
