import type { Tx } from "../../database/connect.ts";
import type { AccountKind } from "../../ledger/model/state.ts";

/** Debits and credits of an entity's accounts of a kind, before a period and within it, in minor units. */
export interface LedgerSums {
  readonly kind: AccountKind;
  /** The other entity, of due-to and due-from accounts. */
  readonly counterpartyId: string | null;
  readonly debitBefore: bigint;
  readonly creditBefore: bigint;
  readonly debit: bigint;
  readonly credit: bigint;
}

/** Stands for no counterparty in the roll-up. */
const NOBODY = "00000000-0000-0000-0000-000000000000";

type SumsRow = Pick<LedgerSums, "kind" | "counterpartyId"> &
  Readonly<Record<"debitBefore" | "creditBefore" | "debit" | "credit", string>>;

/**
 * Reads the debits and credits of an entity's books by kind of account and counterparty, before a period and within it.
 */
export async function readLedgerSums(
  tx: Tx,
  entityId: string,
  { firstDay, lastDay }: { readonly firstDay: string; readonly lastDay: string },
): Promise<LedgerSums[]> {
  const rows = await tx<SumsRow[]>`
    select kind, nullif(counterparty_id, ${NOBODY}::uuid) as "counterpartyId",
      coalesce(sum(debit) filter (where day < ${firstDay}), 0)::text as "debitBefore",
      coalesce(sum(credit) filter (where day < ${firstDay}), 0)::text as "creditBefore",
      coalesce(sum(debit) filter (where day >= ${firstDay}), 0)::text as debit,
      coalesce(sum(credit) filter (where day >= ${firstDay}), 0)::text as credit
    from service.ledger_days where entity_id = ${entityId} and day <= ${lastDay}
    group by kind, counterparty_id order by kind, counterparty_id`;
  return rows.map((row) => ({
    kind: row.kind,
    counterpartyId: row.counterpartyId,
    debitBefore: BigInt(row.debitBefore),
    creditBefore: BigInt(row.creditBefore),
    debit: BigInt(row.debit),
    credit: BigInt(row.credit),
  }));
}

/** Returns the debit balance of all of an entity's accounts of a kind at the end of the period, in minor units. */
export function debitBalance(sums: readonly LedgerSums[], kind: AccountKind): bigint {
  return sums
    .filter((each) => each.kind === kind)
    .reduce((sum, each) => sum + each.debitBefore + each.debit - each.creditBefore - each.credit, 0n);
}
