import type * as contract from "../../../src/contract/service/entity-settings.ts";
import type { Fault } from "../../../src/contract/shared/errors.ts";
import type { Handler } from "../../../src/contract/shared/handler.ts";
import { recordAccess } from "../shared/record-access.ts";
import { type ApiCaller, readAmount, refuseFaults, type ServiceContext } from "../shared/service-context.ts";
import { type SettingsRow, settingsAnswer, settingsColumns } from "./entity-settings.ts";

type Limit = "payment_limit" | "daily_limit" | "transfer_limit";

/** A fault for each lender that is no entity: a typing error would leave out the lender that was meant. */
async function lenderFaults({ sql }: ServiceContext, lenders: readonly string[]): Promise<Fault[]> {
  if (lenders.length === 0) return [];
  const rows = await sql<{ id: string }[]>`select id from service.entities where id = any(${[...lenders]})`;
  const known = new Set(rows.map(({ id }) => id));
  return lenders.flatMap((id, index) =>
    known.has(id) ? [] : [{ pointer: `/lenders/${index}`, detail: "is the id of no entity" }],
  );
}

/**
 * Sets which users of the caller's entity may pay, how much, and who may assign quota to them; what is left out stays.
 */
export function putEntitySettings(service: ServiceContext): Handler<typeof contract.putEntitySettings, ApiCaller> {
  const { sql, currency, clock } = service;
  return async ({ body, principal: { entityId, clientId }, requestId }) => {
    const faults: Fault[] = [];
    const limit = (name: Limit) => {
      const sent = body[name];
      if (sent === undefined) return sql`${sql(name)}`;
      return sql`${sent === null ? null : readAmount(currency, sent, `/${name}`, faults)}::bigint`;
    };
    const [paymentLimit, dailyLimit] = [limit("payment_limit"), limit("daily_limit")];
    const transferLimit = limit("transfer_limit");
    const { blocking_statuses: statuses, foreign_lenders: foreignLenders } = body;
    const lenders = Array.isArray(body.lenders) ? body.lenders.map((id) => id.toLowerCase()) : body.lenders;
    if (Array.isArray(lenders)) faults.push(...(await lenderFaults(service, lenders)));
    refuseFaults(faults);
    const row = await sql.begin("isolation level read committed", async (tx) => {
      const record = { madeBy: clientId, requestId, action: "putEntitySettings", subject: entityId, outcome: "done" };
      await recordAccess(tx, record, clock());
      // The update locks the entity's row, which every posting of its users reads under a share lock.
      const [changed] = await tx<SettingsRow[]>`
        update service.entities set payment_limit = ${paymentLimit}, daily_limit = ${dailyLimit},
          transfer_limit = ${transferLimit},
          foreign_debts = ${foreignLenders === undefined ? sql`foreign_debts` : sql`${foreignLenders}`},
          lenders = ${lenders === undefined ? sql`lenders` : sql`${lenders === "all" ? null : lenders}::uuid[]`},
          blocking_statuses = ${statuses === undefined ? sql`blocking_statuses` : sql`${[...statuses]}::text[]`}
        where id = ${entityId} returning ${settingsColumns(tx)}`;
      return changed;
    });
    return { body: settingsAnswer(row as SettingsRow, currency) };
  };
}
