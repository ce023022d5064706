import { ApiError, type Fault } from "../../../src/contract/errors.ts";
import type { TransactionInput } from "../../../src/contract/transactions.ts";
import { createPaymentReference } from "../../../src/payment-reference.ts";
import type { Payment } from "../../ledger/command.ts";
import { readAmount, refuseFaults, type ServiceContext } from "../service-context.ts";
import { readDate } from "./read-date.ts";

/** Reads a body into the plain payment that it asks for, or throws with every fault; what it pays is not looked at. */
export function readPayment(service: ServiceContext, body: TransactionInput): Payment {
  const faults: Fault[] = [];
  const amount = readAmount(service.currency, body.amount, "/amount", faults);
  const date = readDate(service, body.date, faults);
  const fromUserId = body.from_user_id.toLowerCase();
  const toUserId = body.to_user_id.toLowerCase();
  if (fromUserId === toUserId) faults.push({ pointer: "/to_user_id", detail: "must differ from from_user_id" });
  refuseFaults(faults);
  if (body.status === "pending") throw new ApiError("not_implemented", { detail: "Holds come with a later version." });
  return {
    type: "payment",
    kind: "payment",
    requestedStatus: body.status ?? "approved",
    holdExpiresAt: undefined,
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
