import type * as contract from "../../../src/contract/service/transactions.ts";
import { ApiError, type ErrorCode } from "../../../src/contract/shared/errors.ts";
import type { Handler } from "../../../src/contract/shared/handler.ts";
import { parsePaymentReference } from "../../../src/payment-reference.ts";
import type { TransactionRecord } from "../../ledger/model/command.ts";
import { TRANSACTIONS } from "../../ledger/model/tables.ts";
import { columnsOf } from "../../ledger/storage/table-statements.ts";
import type { ApiCaller, ReadContext } from "../shared/service-context.ts";
import { findQr, type QrStateName } from "./find-qr.ts";
import { transactionAnswer, visibleTo } from "./transaction-answer.ts";

interface Absence {
  readonly code: ErrorCode;
  readonly detail: string;
}

const unpaid: Readonly<Partial<Record<QrStateName, Absence>>> = Object.freeze({
  unpaid: { code: "reference_unpaid", detail: "The QR code with that reference is not paid yet: ask again later." },
  expired: { code: "reference_expired", detail: "The QR code with that reference expired, and nobody had paid it." },
  cancelled: { code: "reference_cancelled", detail: "The QR code with that reference was cancelled before a payment." },
});

const absent: Absence = {
  code: "transaction_not_found",
  detail: "No transaction that you may see has that reference.",
};

/** Returns the 13 bare characters of a reference that people typed; throws `reference_mistyped` for a mistyped one. */
export function bareReference(text: string): string {
  const parsed = parsePaymentReference(text);
  if (parsed.ok) return parsed.reference;
  throw new ApiError("reference_mistyped", { detail: "The reference is mistyped: check its 13 characters." });
}

/** Looks up a payment by its reference; for a reserved one without a payment, the error names the state of its QR. */
export function findTransactionByReference(
  service: ReadContext,
): Handler<typeof contract.findTransactionByReference, ApiCaller> {
  const { sql } = service;
  return async ({ query, principal }) => {
    const reference = bareReference(query.reference);
    const [record] = await sql<TransactionRecord[]>`
      select ${columnsOf(sql, TRANSACTIONS)} from service.transactions
      where reference = ${reference} and ${visibleTo(sql, principal.entityId)}`;
    if (record !== undefined) return { body: transactionAnswer(record, principal.entityId, service) };
    const qr = await findQr(service, reference);
    const { code, detail } = (qr && unpaid[qr.state]) ?? absent;
    throw new ApiError(code, { detail });
  };
}
