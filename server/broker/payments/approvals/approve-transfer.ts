import { ApiError } from "../../../../src/contract/shared/errors.ts";
import { WholeAmount } from "../../../../src/contract/shared/fields.ts";
import { fits } from "../../../../src/contract/shared/validate.ts";
import { type BrokerContext, invalidField, readAmount } from "../../access/broker-context.ts";
import { hashToken } from "../../access/opaque-token.ts";
import { isContact } from "../../people/contacts/contact-store.ts";
import { namedUser, namesFor } from "../../people/contacts/tell-names.ts";
import { findUser } from "../../people/look-ups/find-user.ts";
import { askerOf } from "../../people/look-ups/look-up.ts";
import { findHandle } from "../../people/look-ups/look-up-store.ts";
import { type OpenCall, type OpeningService, type PaymentToApprove, payeeHistory } from "./payment-to-approve.ts";

/** The receiver of a transfer, named as the person is told it. */
type Receiver = Pick<PaymentToApprove, "payee_id" | "payee" | "look_up_id">;

/** The user whom the person looked up; throws `look_up_expired` after five minutes. */
async function lookedUp({ sql, clock }: BrokerContext, { principal }: OpenCall, handle: string): Promise<Receiver> {
  const found = await findHandle(sql, { ...askerOf(principal), at: clock() }, hashToken(handle));
  if (!found?.is_good) {
    throw new ApiError("look_up_expired", { detail: "Look the person up again: a look-up is good for five minutes." });
  }
  return { payee_id: found.user_id, payee: found.masked_name, look_up_id: found.id };
}

/** A contact of the person; throws `look_up_expired` for anybody else. */
async function contactOf(
  { sql }: BrokerContext,
  { principal }: OpenCall,
  service: OpeningService,
  contactId: string,
): Promise<Receiver> {
  const id = contactId.toLowerCase();
  const user = (await isContact(sql, principal.userId, id)) ? await findUser(service, { id }) : undefined;
  if (user === undefined) {
    throw new ApiError("look_up_expired", { detail: "This is no contact of yours: look the person up." });
  }
  const named = namedUser(user);
  const nameOf = await namesFor(sql, principal.userId, [named]);
  return { payee_id: id, payee: nameOf(named), look_up_id: null };
}

/** Builds the transfer to approve, to the user whom the person looked up, or to a contact of the person. */
export async function approveTransfer(
  broker: BrokerContext,
  call: OpenCall,
  service: OpeningService,
  to: { readonly handle: string } | { readonly contactId: string },
): Promise<PaymentToApprove> {
  const { amount } = call.body;
  if (amount === undefined) throw invalidField("/amount", "is required for a transfer");
  if (!fits(WholeAmount, amount)) throw invalidField("/amount", "must be a whole number of currency units");
  const receiver =
    "handle" in to ? await lookedUp(broker, call, to.handle) : await contactOf(broker, call, service, to.contactId);
  return {
    ...{ operation: "transfer", ...receiver },
    ...(await payeeHistory(broker, service, call.principal.userId, receiver.payee_id)),
    ...{ amount: readAmount(broker, amount), currency: broker.currency.code },
    ...{ reference: null, check_code: null, payload: null, reverses: null },
  };
}
