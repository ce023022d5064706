import { ApiError, type ErrorCode } from "../../../src/contract/errors.ts";
import type { Handler } from "../../../src/contract/handler.ts";
import type * as contract from "../../../src/contract/transactions.ts";
import { parsePaymentReference } from "../../../src/payment-reference.ts";
import type { TransactionRecord } from "../../ledger/command.ts";
import { findQr, type QrStateName } from "../qr/find-qr.ts";
import type { ApiCaller, ServiceContext } from "../service-context.ts";
import { transactionAnswer, transactionColumns, visibleTo } from "./transaction-answer.ts";

const unpaidCodes: Readonly<Partial<Record<QrStateName, ErrorCode>>> = Object.freeze({
  unpaid: "reference_unpaid",
  expired: "reference_expired",
  cancelled: "reference_cancelled",
});

/** The 13 bare characters of a reference that people typed; throws `invalid_request` for a mistyped one. */
export function bareReference(text: string): string {
  const parsed = parsePaymentReference(text);
  if (parsed.ok) return parsed.reference;
  throw new ApiError("reference_mistyped", { detail: "The reference is mistyped: check its 13 characters." });
}

/** Looks up a payment by its reference; a reserved one without a payment says how its QR stands. */
export function findTransactionByReference(
  service: ServiceContext,
): Handler<typeof contract.findTransactionByReference, ApiCaller> {
  const { sql, currency } = service;
  return async ({ query, principal }) => {
    const reference = bareReference(query.reference);
    const [record] = await sql<TransactionRecord[]>`
      select ${transactionColumns(sql)} from service.transactions
      where reference = ${reference} and ${visibleTo(sql, principal.entityId)}`;
    if (record !== undefined) return { body: transactionAnswer(record, principal.entityId, currency) };
    const qr = await findQr(service, reference);
    const code = qr && unpaidCodes[qr.state];
    throw new ApiError(code ?? "transaction_not_found", { detail: "No payment that you may see has that reference." });
  };
}
