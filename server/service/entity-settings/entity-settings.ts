import type * as contract from "../../../src/contract/service/entity-settings.ts";
import type { Handler } from "../../../src/contract/shared/handler.ts";
import type { Sql, Tx } from "../../database/connect.ts";
import { type ApiCaller, type Currency, type ReadContext, toNumber } from "../shared/service-context.ts";

/**
 * The columns of an entity's row that hold its settings: the user statuses that may not pay, the limits in minor units
 * (null for no limit), and the entities that may assign quota to its users.
 */
export interface SettingsRow {
  readonly blockingStatuses: contract.EntitySettings["blocking_statuses"];
  readonly paymentLimit: bigint | null;
  readonly dailyLimit: bigint | null;
  readonly transferLimit: bigint | null;
  /** Null: all. */
  readonly lenders: readonly string[] | null;
  readonly foreignLenders: contract.EntitySettings["foreign_lenders"];
}

/** Builds the SQL of the columns of an entity's settings, named as {@link SettingsRow} names them. */
export function settingsColumns(sql: Sql | Tx) {
  return sql`blocking_statuses as "blockingStatuses", payment_limit as "paymentLimit", daily_limit as "dailyLimit",
    transfer_limit as "transferLimit", lenders, foreign_debts as "foreignLenders"`;
}

/** Builds the answer of an entity's settings: limits in currency units, null for no limit. */
export function settingsAnswer(row: SettingsRow, currency: Currency): contract.EntitySettings {
  const limit = (minor: bigint | null) => (minor === null ? null : toNumber(currency, minor));
  return {
    blocking_statuses: row.blockingStatuses,
    payment_limit: limit(row.paymentLimit),
    daily_limit: limit(row.dailyLimit),
    transfer_limit: limit(row.transferLimit),
    lenders: row.lenders === null ? "all" : [...row.lenders],
    foreign_lenders: row.foreignLenders,
  };
}

/**
 * Answers the settings of the caller's entity: which of its users may pay, how much, and who may assign quota to them.
 */
export function entitySettings({ sql, currency }: ReadContext): Handler<typeof contract.entitySettings, ApiCaller> {
  return async ({ principal }) => {
    const [row] = await sql<SettingsRow[]>`
      select ${settingsColumns(sql)} from service.entities where id = ${principal.entityId}`;
    return { body: settingsAnswer(row as SettingsRow, currency) };
  };
}
