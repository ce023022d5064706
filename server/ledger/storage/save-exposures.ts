import type { SqlPart, Tx } from "../../database/connect.ts";
import type { ExposureChange } from "../model/exposure.ts";
import { directionRows } from "./load-exposures.ts";
import { digits, recordset } from "./recordset.ts";

/** This writer's slot, and the version of the rows that are changed. */
interface SliceChange {
  readonly slot: number;
  readonly version: bigint;
}

function saveSlices(tx: Tx, changes: readonly ExposureChange[], { slot, version }: SliceChange): SqlPart {
  const rows = changes.map((each) => ({
    creditor_id: each.creditorId,
    debtor_id: each.debtorId,
    used: digits(each.used),
    held: digits(each.held),
    granted: digits(each.granted),
  }));
  return tx`update service.counterparty_slices s
    set used = r.used, held = r.held, granted = r.granted, version = ${version}
    from json_populate_recordset(null::service.counterparty_slices, ${recordset(rows)}::text::json) r
    where s.creditor_id = r.creditor_id and s.debtor_id = r.debtor_id and s.slot = ${slot}`;
}

/** Takes what is left of other slots' slices, which are locked. */
function reclaimSlices(tx: Tx, changes: readonly ExposureChange[], slot: number): SqlPart[] {
  const reclaimed = changes.filter(({ reclaims }) => reclaims);
  if (reclaimed.length === 0) return [];
  return [
    tx`update service.counterparty_slices s set granted = s.used
      from json_to_recordset(${directionRows(reclaimed)}::text::json) as d(creditor_id uuid, debtor_id uuid)
      where s.creditor_id = d.creditor_id and s.debtor_id = d.debtor_id and s.slot <> ${slot}
        and s.granted > s.used`,
  ];
}

function saveLimits(tx: Tx, changes: readonly ExposureChange[]): SqlPart[] {
  const divided = changes.filter(({ isWhole }) => isWhole);
  if (divided.length === 0) return [];
  const rows = divided.map((each) => ({
    creditor_id: each.creditorId,
    debtor_id: each.debtorId,
    limit_amount: digits(each.setLimit),
    is_near: each.isNear,
  }));
  return [
    tx`update service.counterparty_limits l set limit_amount = r.limit_amount, is_near = r.is_near
      from json_populate_recordset(null::service.counterparty_limits, ${recordset(rows)}::text::json) r
      where l.creditor_id = r.creditor_id and l.debtor_id = r.debtor_id
        and (l.limit_amount, l.is_near) is distinct from (r.limit_amount, r.is_near)`,
  ];
}

/** Writes what a batch made entities owe one another, and limits that it divided anew. */
export function saveExposures(tx: Tx, changes: readonly ExposureChange[], change: SliceChange): SqlPart[] {
  if (changes.length === 0) return [];
  return [saveSlices(tx, changes, change), ...reclaimSlices(tx, changes, change.slot), ...saveLimits(tx, changes)];
}
