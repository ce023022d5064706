import { ApiError, type ErrorCode } from "../../../../src/contract/shared/errors.ts";
import { type BrokerContext, readAmount, toNumber } from "../../access/broker-context.ts";
import type { OpenCall, OpeningService, PaymentToApprove } from "./payment-to-approve.ts";

type Received = Awaited<ReturnType<OpeningService["transaction"]>>["body"];

const NOT_REVERSIBLE: Readonly<Record<Received["status"], string | undefined>> = Object.freeze({
  pending: "This payment is only held: it has not arrived yet.",
  rejected: "This payment was rejected: it moved nothing that could be given back.",
  reversed: "This payment is given back already, all of it.",
  approved: undefined,
});

/** Codes by which the gate and the service report an absent payment: the person sees one, or it would tell which. */
const ABSENT: ReadonlySet<ErrorCode> = new Set(["qr_not_found", "transaction_not_found"]);

/** Reads a payment that the person received; anybody else's counts as absent. */
async function receivedPayment(service: OpeningService, id: string): Promise<Received> {
  try {
    return (await service.transaction({ id })).body;
  } catch (error) {
    if (!(error instanceof ApiError && ABSENT.has(error.code))) throw error;
    throw new ApiError("transaction_not_found", { detail: "You received no payment with this id.", cause: error });
  }
}

function refuseIrreversible({ kind, status }: Received): void {
  const detail = kind === "refund" ? "This is money given back: make a payment instead." : NOT_REVERSIBLE[status];
  if (detail !== undefined) throw new ApiError("transaction_not_reversible", { detail });
}

/**
 * Builds the refund to approve of a payment that the person received: of all that is left of it, or of the given
 * amount. Throws if the payment cannot be refunded or less of it is left.
 */
export async function approveRefund(
  broker: BrokerContext,
  { body }: OpenCall,
  service: OpeningService,
  transactionId: string,
): Promise<PaymentToApprove> {
  const payment = await receivedPayment(service, transactionId);
  refuseIrreversible(payment);
  const given = payment.reversed_amount ?? 0;
  const left = readAmount(broker, payment.amount) - (given === 0 ? 0n : readAmount(broker, given));
  const amount = body.amount === undefined ? left : readAmount(broker, body.amount);
  if (amount > left) {
    const most = `${toNumber(broker, left)} ${broker.currency.code}`;
    throw new ApiError("refund_too_large", { detail: `Of this payment ${most} is left to give back.` });
  }
  return {
    ...{ operation: "refund", reverses: payment.id, look_up_id: null, amount, currency: broker.currency.code },
    ...{ payee_id: payment.from_user_id, payee: payment.from_business_name ?? payment.from_user },
    ...{ first_time_payee: false, new_payee: false, reference: null, check_code: null, payload: null },
  };
}
