import type * as contract from "../../../src/contract/service/reports.ts";
import type { Handler } from "../../../src/contract/shared/handler.ts";
import type { ApiCaller, ReadContext } from "../shared/service-context.ts";
import { requireOwnEntity } from "./own-entity.ts";
import { readSnapshot } from "./read-snapshot.ts";
import { readTransactionDays } from "./read-transaction-days.ts";
import { readReportPeriod, refuseLongPeriod } from "./report-period.ts";
import { transactionStatistics } from "./transaction-statistics.ts";

/** Answers the statistics of the payments that the caller's entity made. */
export function getTransactionStatistics(
  service: ReadContext,
): Handler<typeof contract.getTransactionStatistics, ApiCaller> {
  return async ({ query, principal }) => {
    const period = readReportPeriod(service, query);
    requireOwnEntity(query.uid, principal);
    refuseLongPeriod(period);
    const { currency, clock, readSql } = service;
    return readSnapshot(readSql, clock, async (tx, asOf) => {
      const figures = await readTransactionDays(tx, principal.entityId, period);
      return { body: transactionStatistics(principal.entityId, figures, { currency, asOf, period }) };
    });
  };
}
