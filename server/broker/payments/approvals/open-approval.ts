import { ApiError } from "../../../../src/contract/shared/errors.ts";
import { refuseReusedKey } from "../../../shared/answer-once.ts";
import { type BrokerContext, invalidField } from "../../access/broker-context.ts";
import type { GatedHandler } from "../../access/policy/gate.ts";
import { refuseOverLimit } from "../../people/protection/refuse-over-limit.ts";
import { approvalAnswer } from "./approval-answer.ts";
import { type ApprovalRow, findOfAttempt, insertionOf } from "./approval-store.ts";
import { approveCode } from "./approve-code.ts";
import { approveRefund } from "./approve-refund.ts";
import { approveTransfer } from "./approve-transfer.ts";
import type { OpenCall, OpeningService, PaymentToApprove } from "./payment-to-approve.ts";
import { withdrawIfOver } from "./withdraw.ts";

/** Time in which a person may approve what is about to be paid. */
const LIFE_MS = 2 * 60_000;
const RANDOM_BYTES = 32;
const ANOTHER_PAYMENT = "The key was used for another payment: send a new one.";

function readPayment(broker: BrokerContext, call: OpenCall, service: OpeningService): Promise<PaymentToApprove> {
  const { payload, handle, contact_id: contactId, transaction_id: transactionId } = call.body;
  if (payload !== undefined) return approveCode(broker, call, service, payload);
  if (handle !== undefined) return approveTransfer(broker, call, service, { handle });
  if (contactId !== undefined) return approveTransfer(broker, call, service, { contactId });
  if (transactionId !== undefined) return approveRefund(broker, call, service, transactionId);
  throw invalidField("", "must have exactly one of payload, handle, contact_id and transaction_id");
}

function factsOf({ operation, payee_id: payee, amount, currency }: PaymentToApprove) {
  return { operation, payee, amount: String(amount), currency };
}

async function holdToLimits(broker: BrokerContext, { principal, requestId }: OpenCall, what: PaymentToApprove) {
  try {
    await refuseOverLimit(broker, broker.sql, principal.userId, what);
  } catch (error) {
    if (error instanceof ApiError && broker.refusalLimit.take(`approve:${principal.personId}`).allowed) {
      const record = { action: "open approval", outcome: error.code, facts: factsOf(what) };
      await broker.audit(broker.sql, { requestId, principal, ...record });
    }
    throw error;
  }
}

async function openNew(broker: BrokerContext, call: OpenCall, service: OpeningService) {
  const { body, principal, idempotency, requestId } = call;
  const { userId, method } = principal;
  const what = await readPayment(broker, call, service);
  await holdToLimits(broker, call, what);
  const createdAt = broker.clock();
  const id = broker.newId();
  const insertion = insertionOf(broker.sql, {
    ...what,
    ...{ id, random: broker.random(RANDOM_BYTES), user_id: userId, payer_id: userId },
    ...{ note: body.note ?? null, method },
    ...{ attempt_key: idempotency?.key ?? null, attempt_fingerprint: idempotency?.fingerprint ?? null },
    ...{ created_at: createdAt, expires_at: new Date(createdAt.getTime() + LIFE_MS) },
  });
  const record = { action: "open approval", subject: id, outcome: "open", facts: factsOf(what) };
  return broker.audit.beside<ApprovalRow>(broker.sql, insertion, { requestId, principal, ...record });
}

/** The approval that the same attempt opened before; throws when that attempt asked for something else. */
async function openedBefore(broker: BrokerContext, call: OpenCall) {
  if (call.idempotency === undefined) return undefined;
  const { key, fingerprint } = call.idempotency;
  const row = await findOfAttempt(broker.sql, call.principal.userId, key);
  if (row === undefined) return undefined;
  refuseReusedKey(row.attempt_fingerprint ?? "", fingerprint, ANOTHER_PAYMENT);
  return withdrawIfOver(broker, call, row);
}

/**
 * Handles `openApproval`: stores what the person is about to approve, with payee and amount as the service knows them,
 * if it is within the limits (security: Approval of a payment, 1). A repeated attempt gets the approval that it opened.
 */
export function openApproval(broker: BrokerContext): GatedHandler<"person", "openApproval"> {
  return async (call, service) => {
    const { principal } = call;
    const before = await openedBefore(broker, call);
    if (before !== undefined) return { body: await approvalAnswer(broker, before, principal), replayed: true };
    const opened = await openNew(broker, call, service);
    const row = opened ?? (await openedBefore(broker, call));
    if (row === undefined) throw new Error("an approval of the same attempt was neither stored nor found");
    return { body: await approvalAnswer(broker, row, principal) };
  };
}
