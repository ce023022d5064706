import { ApiError, type ErrorCode } from "../../../../src/contract/shared/errors.ts";
import { type BrokerContext, invalidField, readAmount } from "../../access/broker-context.ts";
import { type KnownCode, lookUpCode } from "../codes/look-up-code.ts";
import { readPayload } from "../codes/read-payload.ts";
import { type OpenCall, type OpeningService, type PaymentToApprove, payeeHistory } from "./payment-to-approve.ts";

const UNPAYABLE: Readonly<Partial<Record<KnownCode["state"], readonly [ErrorCode, string]>>> = Object.freeze({
  cancelled: ["qr_cancelled", "This code was cancelled by the one who made it."],
  paid: ["qr_already_paid", "This code has been paid already."],
  pending: ["qr_already_paid", "Another payment of this code is under way."],
  expired: ["qr_expired", "This code has expired: ask for a new one."],
});

/**
 * Returns the amount, which a dynamic code states and the person types for a static one. Throws if the code cannot be
 * paid.
 */
function amountOf(broker: BrokerContext, { body, principal }: OpenCall, code: KnownCode): bigint {
  if (code.payeeId === principal.userId) throw new ApiError("not_allowed", { detail: "This code is your own." });
  if (code.currency !== broker.currency.code) {
    throw new ApiError("not_allowed", { detail: "This code is in another currency." });
  }
  const typed = body.amount === undefined ? undefined : readAmount(broker, body.amount);
  if (code.amount === undefined) {
    if (typed === undefined) throw invalidField("/amount", "is required: this code has no amount of its own");
    return typed;
  }
  const asked = readAmount(broker, code.amount);
  if (typed !== undefined && typed !== asked) {
    throw new ApiError("qr_mismatch", { detail: "The amount differs from the code's: leave it out." });
  }
  const [reason, detail] = UNPAYABLE[code.state] ?? [];
  if (reason !== undefined && detail !== undefined) throw new ApiError(reason, { detail });
  return asked;
}

/**
 * Builds the payment of a code to approve, with payee and amount from the service, or with the typed amount for a
 * static code. Throws if the code is not authentic, the person's own, or cannot be paid.
 */
export async function approveCode(
  broker: BrokerContext,
  call: OpenCall,
  service: OpeningService,
  payload: string,
): Promise<PaymentToApprove> {
  const code = await lookUpCode(broker, call.principal.userId, service, {
    ...{ kind: "code", payload },
    code: await readPayload(payload, broker),
  });
  const amount = amountOf(broker, call, code);
  return {
    ...{ operation: "pay", reverses: null, look_up_id: null, amount, payee_id: code.payeeId, payee: code.payee },
    ...(await payeeHistory(broker, service, call.principal.userId, code.payeeId)),
    ...{ currency: code.currency, payload: code.payload },
    ...{ reference: code.reference ?? null, check_code: code.checkCode },
  };
}
