import type { SqlPart, Tx } from "../../database/connect.ts";
import type { Expected } from "../memory/remembered-rows.ts";
import type { Expectations } from "../memory/remembered-state.ts";
import { clockColumns } from "./clock-marks.ts";

/** The clock readings that a decision took for granted. */
export interface ExpectedClock {
  /** The database's clock at the decision, as far as known. */
  readonly databaseAt: Date;
  /** The id of the latest word on the clock. */
  readonly markId: bigint | null;
}

/** A decision that reaches the database later than this is refused: its ids are too old for readers of changes. */
export const ON_ITS_WAY_MS = 2_000;

/** An idempotency key; its fingerprint is undefined where the decision took it for new. */
interface DecidedKey {
  readonly entity_id: string;
  readonly operation: string;
  readonly key: string;
  readonly fingerprint: string | undefined;
}

/** The rows that a decision read, and its idempotency keys. */
interface DecidedOn extends Expectations {
  readonly keys: readonly DecidedKey[];
}

/** Says that the rows of these keys have these versions, as a condition that also locks them. */
function areAsRemembered(
  tx: Tx,
  table: string,
  { keys, versions }: Expected,
  lock: "locked" | "shared" | "seen",
): SqlPart {
  const [key, type] = table === "qr_reservations" ? ["reference", "text"] : ["id", "uuid"];
  const locks = { locked: tx`for no key update of t`, shared: tx`for share of t`, seen: tx`` };
  return tx`${keys.length} = (select count(*) from (
    select from unnest(${keys as string[]}::${tx.unsafe(type)}[], ${versions as bigint[]}::bigint[])
        as r (${tx(key)}, version)
      join ${tx(`service.${table}`)} t using (${tx(key)}, version) order by ${tx(key)} ${locks[lock]}) same)`;
}

/**
 * Requires, ahead of the writes of a batch, that every row which its decision read has the version that it is
 * remembered by: else the batch fails. Rows that may change are locked first, in the order of any batch; what those
 * locks guard is seen by a later statement, whose snapshot is taken behind them. The last answers the clock readings,
 * for the next decision.
 */
export function checkRemembered(tx: Tx, expected: DecidedOn, slot: number, clock: ExpectedClock): SqlPart[] {
  const { users, entities, accounts, qrs, exposures, keys } = expected;
  const creditors = exposures.keys.map((key) => key.slice(0, key.indexOf("|")));
  const debtors = exposures.keys.map((key) => key.slice(key.indexOf("|") + 1));
  const ofQrs = qrs.keys.length === 0 ? tx`` : tx`${areAsRemembered(tx, "qr_reservations", qrs, "locked")} and`;
  const locks = tx`select service.require_remembered(
    ${ofQrs} ${areAsRemembered(tx, "accounts", accounts, "locked")}
    and ${areAsRemembered(tx, "entities", entities, "shared")})`;
  const slices = tx`select from service.counterparty_slices s
    join unnest(${creditors}::uuid[], ${debtors}::uuid[]) as r (creditor_id, debtor_id) using (creditor_id, debtor_id)
    where slot = ${slot} order by creditor_id, debtor_id for no key update of s`;
  const seen = tx`select ${clockColumns(tx)}, service.require_remembered(
    ${areAsRemembered(tx, "users", users, "seen")}
    and ${exposures.keys.length} = (select count(*)
      from unnest(${creditors}::uuid[], ${debtors}::uuid[], ${exposures.versions.map(String)}::numeric[])
        as r (creditor_id, debtor_id, version)
      join service.counterparty_limits l using (creditor_id, debtor_id)
      where r.version = l.version + (select sum(s.version) from service.counterparty_slices s
        where s.creditor_id = r.creditor_id and s.debtor_id = r.debtor_id))
    and not exists (select from unnest(${keys.map((each) => each.entity_id)}::uuid[],
        ${keys.map(({ operation }) => operation)}::text[], ${keys.map(({ key }) => key)}::text[],
        ${keys.map(({ fingerprint }) => fingerprint ?? null)}::text[]) as r (entity_id, operation, key, fingerprint)
      left join service.idempotency_records i using (entity_id, operation, key)
      where i.fingerprint is distinct from r.fingerprint)
    and ${clock.markId} is not distinct from (
      select id from service.clock_marks where kind <> 'seen' order by id desc limit 1)
    and abs(extract(epoch from clock_timestamp() - ${clock.databaseAt}::timestamptz)) * 1000 < ${ON_ITS_WAY_MS})`;
  return exposures.keys.length === 0 ? [locks, seen] : [locks, slices, seen];
}
