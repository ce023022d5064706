import { ApiError } from "../../../../src/contract/shared/errors.ts";
import { WholeAmount } from "../../../../src/contract/shared/fields.ts";
import { fits } from "../../../../src/contract/shared/validate.ts";
import { type BrokerContext, invalidField, readAmount } from "../../access/broker-context.ts";
import { hashToken } from "../../access/opaque-token.ts";
import { askerOf } from "../../people/look-ups/look-up.ts";
import { findHandle, type KnownHandle } from "../../people/look-ups/look-up-store.ts";
import { type OpenCall, type OpeningService, type PaymentToApprove, payeeHistory } from "./payment-to-approve.ts";

async function receiverOf(
  { sql, clock }: BrokerContext,
  { principal }: OpenCall,
  handle: string,
): Promise<KnownHandle> {
  const receiver = await findHandle(sql, { ...askerOf(principal), at: clock() }, hashToken(handle));
  if (!receiver?.is_good) {
    throw new ApiError("look_up_expired", { detail: "Look the person up again: a look-up is good for five minutes." });
  }
  return receiver;
}

/**
 * Builds the transfer to approve, to the user whom the person looked up. The receiver's name stays masked, as it was
 * found; throws `look_up_expired` after five minutes.
 */
export async function approveTransfer(
  broker: BrokerContext,
  call: OpenCall,
  service: OpeningService,
  handle: string,
): Promise<PaymentToApprove> {
  const { amount } = call.body;
  if (amount === undefined) throw invalidField("/amount", "is required for a transfer");
  if (!fits(WholeAmount, amount)) throw invalidField("/amount", "must be a whole number of currency units");
  const receiver = await receiverOf(broker, call, handle);
  return {
    ...{ operation: "transfer", payee_id: receiver.user_id, payee: receiver.masked_name },
    ...(await payeeHistory(broker, service, call.principal.userId, receiver.user_id)),
    ...{ amount: readAmount(broker, amount), currency: broker.currency.code },
    ...{ reference: null, check_code: null, payload: null, reverses: null, look_up_id: receiver.id },
  };
}
