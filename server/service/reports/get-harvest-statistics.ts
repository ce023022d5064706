import type * as contract from "../../../src/contract/service/reports.ts";
import type { Handler } from "../../../src/contract/shared/handler.ts";
import type { ApiCaller, ReadContext } from "../shared/service-context.ts";
import { harvestStatistics } from "./harvest-statistics.ts";
import { requireOwnEntity } from "./own-entity.ts";
import { readCreditFigures } from "./read-credit-figures.ts";
import { debitBalance, readLedgerSums } from "./read-ledger-sums.ts";
import { readSnapshot } from "./read-snapshot.ts";
import { readReportPeriod, refuseLongPeriod } from "./report-period.ts";

/** Answers how much of the interest that accrued to the caller's entity was paid. */
export function getHarvestStatistics(service: ReadContext): Handler<typeof contract.getHarvestStatistics, ApiCaller> {
  return async ({ query, principal: { entityId, ...principal } }) => {
    const period = readReportPeriod(service, query);
    requireOwnEntity(query.uid, { entityId, ...principal });
    refuseLongPeriod(period);
    const { currency, clock, readSql } = service;
    return readSnapshot(readSql, clock, async (tx, asOf) => {
      const [rows, sums] = await Promise.all([
        readCreditFigures(tx, entityId, period),
        readLedgerSums(tx, entityId, period),
      ]);
      const interestReceivable = debitBalance(sums, "interest_receivable");
      return { body: harvestStatistics(entityId, { rows, interestReceivable }, { currency, asOf, period }) };
    });
  };
}
