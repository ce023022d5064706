import type { TransactionInput } from "../../../src/contract/service/transactions.ts";
import type { Fault } from "../../../src/contract/shared/errors.ts";
import { createPaymentReference } from "../../../src/payment-reference.ts";
import type { Payment } from "../../ledger/model/command.ts";
import { readDate } from "../shared/read-date.ts";
import { readAmount, refuseFaults, type ServiceContext } from "../shared/service-context.ts";

/** How long a hold keeps its money: 7 days. */
const HOLD_MS = 7 * 24 * 60 * 60 * 1000;

/** Reads a body into the plain payment that it asks for, or throws with every fault; ignores a QR in its details. */
export function readPayment(service: ServiceContext, body: TransactionInput): Payment {
  const faults: Fault[] = [];
  const amount = readAmount(service.currency, body.amount, "/amount", faults);
  const date = readDate(service, body.date, faults);
  const fromUserId = body.from_user_id.toLowerCase();
  const toUserId = body.to_user_id.toLowerCase();
  if (fromUserId === toUserId) faults.push({ pointer: "/to_user_id", detail: "must differ from from_user_id" });
  refuseFaults(faults);
  const holdExpiresAt = body.status === "pending" ? new Date(service.clock().getTime() + HOLD_MS) : undefined;
  return {
    type: "payment",
    kind: "payment",
    requestedStatus: body.status ?? "approved",
    holdExpiresAt,
    fromUserId,
    toUserId,
    fromName: body.from_user,
    toName: body.to_user,
    amount,
    date,
    details: JSON.stringify(body.details ?? {}),
    reference: createPaymentReference(service.random),
    qr: undefined,
  };
}
