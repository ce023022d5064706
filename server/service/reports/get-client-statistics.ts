import type * as contract from "../../../src/contract/service/reports.ts";
import { ApiError } from "../../../src/contract/shared/errors.ts";
import type { Handler } from "../../../src/contract/shared/handler.ts";
import type { ApiCaller, ReadContext } from "../shared/service-context.ts";
import { clientStatistics } from "./client-statistics.ts";
import { isClient, readClients } from "./read-clients.ts";
import { readSnapshot } from "./read-snapshot.ts";
import { readReportPeriod, refuseLongPeriod } from "./report-period.ts";

/**
 * Answers statistics of the caller's entity's clients: of all where `uid` is the entity's id, of one where it is that
 * client's user id.
 */
export function getClientStatistics(service: ReadContext): Handler<typeof contract.getClientStatistics, ApiCaller> {
  return async ({ query, principal: { entityId } }) => {
    const period = readReportPeriod(service, query);
    const uid = query.uid.toLowerCase();
    const userId = uid === entityId ? null : uid;
    const { currency, clock, readSql } = service;
    return readSnapshot(readSql, clock, async (tx, asOf) => {
      if (userId !== null && !(await isClient(tx, entityId, userId))) {
        const detail = "Send the id of your own entity, or of one of its clients, as uid.";
        throw new ApiError("entity_not_yours", { detail });
      }
      refuseLongPeriod(period);
      const rows = await readClients(tx, service, { entityId, userId }, period);
      const scope = userId === null ? "entity" : "client";
      return { body: clientStatistics({ uid, scope }, rows, { currency, asOf, period }) };
    });
  };
}
