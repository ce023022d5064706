import type * as contract from "../../../src/contract/entity-settings.ts";
import type { Fault } from "../../../src/contract/errors.ts";
import type { Handler } from "../../../src/contract/handler.ts";
import { recordAccess } from "../record-access.ts";
import { type ApiCaller, readAmount, refuseFaults, type ServiceContext } from "../service-context.ts";
import { type SettingsRow, settingsAnswer, settingsColumns } from "./entity-settings.ts";

type Limit = "payment_limit" | "daily_limit";

/** Sets which users of the caller's entity may pay, and how much; what is left out stays. */
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
    refuseFaults(faults);
    const { blocking_statuses: statuses, foreign_lenders: lenders } = body;
    const row = await sql.begin("isolation level read committed", async (tx) => {
      const record = { madeBy: clientId, requestId, action: "putEntitySettings", subject: entityId, outcome: "done" };
      await recordAccess(tx, record, clock());
      // The update locks the entity's row, which every posting of its users reads under a share lock.
      const [changed] = await tx<SettingsRow[]>`
        update service.entities set payment_limit = ${paymentLimit}, daily_limit = ${dailyLimit},
          foreign_lenders = ${lenders === undefined ? sql`foreign_lenders` : sql`${lenders}`},
          blocking_statuses = ${statuses === undefined ? sql`blocking_statuses` : sql`${[...statuses]}::text[]`}
        where id = ${entityId} returning ${settingsColumns(tx)}`;
      return changed;
    });
    return { body: settingsAnswer(row as SettingsRow, currency) };
  };
}
