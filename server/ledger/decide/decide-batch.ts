import type { Fault } from "../../../src/contract/shared/errors.ts";
import type { Batch, Payment, Refusal, TransactionRecord } from "../model/command.ts";
import type { UserState } from "../model/state.ts";
import type { BatchState } from "./batch-state.ts";
import {
  isNamed,
  type PaymentContext,
  recordOf,
  refuseDebit,
  refuseNames,
  reject,
  rejectionOf,
  settle,
} from "./decide-payment.ts";
import type { Rejection } from "./exceeded-limit.ts";

/** A batch whose users are all known. */
interface KnownBatch {
  readonly payer: UserState;
  /** In the order of the items. */
  readonly payments: readonly { readonly payment: Payment; readonly payee: UserState }[];
}

interface Failure {
  readonly index: number;
  readonly rejection: Rejection;
}

function paymentsOf({ fromUserId, fromName, items }: Batch): Payment[] {
  return items.map((item) => ({
    ...item,
    type: "payment",
    kind: "batch",
    requestedStatus: "approved",
    holdExpiresAt: undefined,
    fromUserId,
    fromName,
    date: undefined,
    qr: undefined,
  }));
}

function lookUp(draft: BatchState, batch: Batch): KnownBatch | Refusal {
  const payer = draft.user(batch.fromUserId);
  if (payer === undefined) return { code: "user_not_found", detail: "There is no user with the id in from_user_id." };
  const faults: Fault[] = [];
  const payments = paymentsOf(batch).flatMap((payment, index) => {
    const payee = draft.user(payment.toUserId);
    if (payee !== undefined) return [{ payment, payee }];
    faults.push({ pointer: `/payments/${index}/to_user_id`, detail: "is the id of no user" });
    return [];
  });
  if (faults.length === 0) return { payer, payments };
  return { code: "user_not_found", detail: "There is no user with the id in some to_user_id: see errors.", faults };
}

function nameFaults({ fromName }: Batch, { payer, payments }: KnownBatch): Fault[] {
  const payees = payments.flatMap(({ payment, payee }, index): Fault[] =>
    isNamed(payee, payment.toName)
      ? []
      : [{ pointer: `/payments/${index}/to_user`, detail: "is not the name of to_user_id" }],
  );
  const payers = isNamed(payer, fromName) ? [] : [{ pointer: "/from_user", detail: "is not the name of from_user_id" }];
  return [...payers, ...payees];
}

/** The first payment that cannot settle when all before it have. */
function firstFailure(draft: BatchState, { payer, payments }: KnownBatch): Failure | undefined {
  let sent = 0n;
  const received = new Map<string, bigint>();
  const owed = new Map<string, bigint>();
  for (const [index, { payment, payee }] of payments.entries()) {
    const [userId, creatorId] = [payment.toUserId, payee.creatorId];
    const before = { received: received.get(userId) ?? 0n, owed: owed.get(creatorId) ?? 0n };
    const rejection = rejectionOf(draft, payer, payment, { sent, ...before });
    if (rejection !== undefined) return { index, rejection };
    sent += payment.amount;
    received.set(userId, before.received + payment.amount);
    owed.set(creatorId, before.owed + payment.amount);
  }
  return undefined;
}

/**
 * Decides a batch payment: refused (nothing kept), every payment approved, or every one kept as rejected: the first
 * that could not settle with the reason, the others without one. Each payment has a posting of its own, as a single one
 * has: so one set of invariants holds for both.
 */
export function decideBatch(
  draft: BatchState,
  batch: Batch,
  context: PaymentContext,
): readonly TransactionRecord[] | Refusal {
  const known = lookUp(draft, batch);
  if ("code" in known) return known;
  const refusal = refuseDebit(known.payer, context.entityId) ?? refuseNames(nameFaults(batch, known));
  if (refusal !== undefined) return refusal;

  const failure = firstFailure(draft, known);
  return known.payments.map(({ payment, payee }, index) => {
    const parties = { payer: known.payer, payee };
    const record = recordOf(payment, parties, context, draft.moment.now);
    if (failure === undefined) return settle(draft, record, parties, context);
    return reject(draft, record, index === failure.index ? failure.rejection : null);
  });
}
