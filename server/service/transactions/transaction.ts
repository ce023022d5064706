import type * as contract from "../../../src/contract/service/transactions.ts";
import { ApiError } from "../../../src/contract/shared/errors.ts";
import type { Handler } from "../../../src/contract/shared/handler.ts";
import type { TransactionRecord } from "../../ledger/model/command.ts";
import { TRANSACTIONS } from "../../ledger/model/tables.ts";
import { columnsOf } from "../../ledger/storage/table-statements.ts";
import type { ApiCaller, ReadContext } from "../shared/service-context.ts";
import { transactionAnswer, visibleTo } from "./transaction-answer.ts";

/** Looks up a payment by its id, among those that the caller may see. */
export function transaction(service: ReadContext): Handler<typeof contract.transaction, ApiCaller> {
  const { sql } = service;
  return async ({ query, principal }) => {
    const [record] = await sql<TransactionRecord[]>`
      select ${columnsOf(sql, TRANSACTIONS)} from service.transactions
      where id = ${query.id} and ${visibleTo(sql, principal.entityId)}`;
    if (record === undefined) {
      throw new ApiError("transaction_not_found", { detail: "No transaction that you may see has that id." });
    }
    return { body: transactionAnswer(record, principal.entityId, service) };
  };
}
