import type { BrokerContract } from "../../../../src/contract/broker/broker.ts";
import { ApiError } from "../../../../src/contract/shared/errors.ts";
import type { Call, Reply } from "../../../../src/contract/shared/handler.ts";
import type { AnswerOf } from "../../../../src/contract/shared/operation.ts";
import { describeError } from "../../../http/http-log.ts";
import type { Approver } from "../../access/authenticator.ts";
import { type BrokerContext, readAmount } from "../../access/broker-context.ts";
import { endingOf, lockPayer } from "../../access/hold-person.ts";
import type { GatedHandler, Granted } from "../../access/policy/gate.ts";
import type { PersonPrincipal } from "../../access/principal.ts";
import { refuseNewDevice } from "../../access/refuse-new-device.ts";
import { withinTime } from "../../access/within-time.ts";
import { limitsOf } from "../../people/protection/limits-of.ts";
import { refuseAbove } from "../../people/protection/refuse-over-limit.ts";
import { approvalAnswer } from "./approval-answer.ts";
import { approvalRequest } from "./approval-challenge.ts";
import { type ApprovalRow, consumptionOf, findApproval, lockApproval } from "./approval-store.ts";
import type { ApprovalReconciler } from "./reconcile-approvals.ts";
import { withdraw, withdrawIfOver } from "./withdraw.ts";

type ConfirmCall = Call<BrokerContract["confirmApproval"], PersonPrincipal>;
type Service = Granted<"person", "confirmApproval">;
type ApprovalReply = Reply<AnswerOf<BrokerContract["approval"]>>;

/** Longest waits for the outcome: of a confirmation, and, shorter, of a later request; then the answer is `running`. */
const CONFIRM_WAIT_MS = 8_000;
const ASK_WAIT_MS = 2_000;

async function ownApproval({ sql }: BrokerContext, { principal, params }: Pick<ConfirmCall, "principal" | "params">) {
  const row = await findApproval(sql, principal.userId, params.id);
  if (row === undefined) throw new ApiError("not_found", { detail: "No approval of yours has this id." });
  return row;
}

/** Throws `approval_mismatch` unless the person saw what is stored. */
function refuseChange(broker: BrokerContext, { body }: ConfirmCall, row: ApprovalRow): void {
  const same =
    body.payee === row.payee &&
    readAmount(broker, body.amount) === row.amount &&
    (body.reference ?? null) === row.reference;
  if (!same) throw new ApiError("approval_mismatch", { detail: "Open a new approval and look at it again." });
}

/** Consumes the approval within the limits and records that; undefined when it is not open, or not in time, by then. */
function consume(broker: BrokerContext, call: ConfirmCall, seen: ApprovalRow, approver: Approver) {
  const { sql, clock, audit } = broker;
  const { principal, requestId } = call;
  const { userId, method } = principal;
  return sql.begin(async (tx) => {
    // They are sent together, and the database takes one after the other: the payer's lock first.
    const [, locked, ending, limits] = await Promise.all([
      lockPayer(tx, userId),
      lockApproval(tx, userId, seen.id),
      endingOf(broker, tx, principal),
      limitsOf(broker, tx, userId, seen),
    ]);
    // An approval consumed meanwhile counts as spent: the limits must not refuse it for its own amount.
    if (locked?.state !== "open") return undefined;
    if (ending !== undefined) throw ending;
    refuseAbove(broker, limits, seen.amount);
    const facts = { operation: seen.operation, method: seen.method, payee: seen.payee_id, amount: String(seen.amount) };
    const record = { action: "confirm approval", subject: seen.id, outcome: "consumed" };
    const all = { ...facts, demo: method === "button", ...approver.facts };
    const consumption = consumptionOf(tx, seen, approver.passkey?.id ?? null, clock());
    // Both or none: a request that finds the passkey used by this answer finds the approval consumed.
    const [row] = await Promise.all([
      audit.beside<ApprovalRow>(tx, consumption, { requestId, principal, ...record, facts: all }),
      approver.keepUse(tx, clock()),
    ]);
    return row;
  });
}

/** Makes sure that the person approves, as they have to, on a device that may pay. Consumes nothing. */
async function checkApprover(
  { authenticator, clock }: BrokerContext,
  { principal, body }: ConfirmCall,
  row: ApprovalRow,
): Promise<Approver> {
  refuseNewDevice(principal.mayPayFrom, clock(), "pay");
  const approver = await authenticator.checkApprover(principal, approvalRequest(row), body);
  // The session may be an old device's, and the passkey a new one's.
  refuseNewDevice(approver.passkey?.mayPayFrom, clock(), "pay");
  return approver;
}

/**
 * Checks the approver; undefined where a copy of the request was first: an answer fits a counting passkey only once.
 */
async function approverOf(broker: BrokerContext, call: ConfirmCall, seen: ApprovalRow): Promise<Approver | undefined> {
  try {
    return await checkApprover(broker, call, seen);
  } catch (error) {
    if ((await ownApproval(broker, call)).state === "open") throw error;
    return undefined;
  }
}

/** Consumes an open approval once its approver is checked; returns any other as it stands. */
async function consumeOpen(broker: BrokerContext, call: ConfirmCall, seen: ApprovalRow): Promise<ApprovalRow> {
  if (seen.state !== "open") return seen;
  const approver = await approverOf(broker, call, seen);
  // Another request consumed it, or this one came too late: then no copy of the request is in time either.
  return (approver && (await consume(broker, call, seen, approver))) ?? withdraw(broker, call, seen);
}

async function consumeOnce(broker: BrokerContext, call: ConfirmCall): Promise<ApprovalRow> {
  const seen = await withdrawIfOver(broker, call, await ownApproval(broker, call));
  refuseChange(broker, call, seen);
  const row = await consumeOpen(broker, call, seen);
  if (row.state !== "withdrawn") return row;
  throw new ApiError("approval_expired", {
    detail: "Its two minutes are over, or it was withdrawn: open a new approval.",
  });
}

async function recordRefusals<T>(broker: BrokerContext, call: ConfirmCall, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const { principal, requestId, params } = call;
    const isRefusal = error instanceof ApiError && error.code !== "not_found";
    if (isRefusal && broker.refusalLimit.take(`approve:${principal.personId}`).allowed) {
      const record = { action: "confirm approval", subject: params.id, outcome: error.code };
      await broker.audit(broker.sql, { requestId, principal, ...record });
    }
    throw error;
  }
}

/** Reads the person's new quota; an outcome is answered without it rather than not at all. */
async function quotaAfter({ log }: BrokerContext, service: Pick<Service, "user">): Promise<number | undefined> {
  try {
    return (await service.user({})).body.quota_available ?? undefined;
  } catch (error) {
    log.warn({ error: describeError(error) }, "quota after a payment could not be read");
    return undefined;
  }
}

async function outcome(
  broker: BrokerContext,
  reconciler: ApprovalReconciler,
  row: ApprovalRow,
  service: Service,
  { call, waitMs }: { readonly call: Pick<ConfirmCall, "requestId" | "principal">; readonly waitMs: number },
): Promise<ApprovalReply> {
  const running = row.state === "running";
  const settled = running ? await withinTime(reconciler.reconcile(row, call), row, waitMs) : row;
  const over = settled.state === "approved" || settled.state === "rejected" || settled.state === "failed";
  const quota = over ? await quotaAfter(broker, service) : undefined;
  return { body: await approvalAnswer(broker, settled, call.principal, quota) };
}

/**
 * Handles `confirmApproval`: checks that the person approves, consumes the approval once, has it carried out, and
 * answers the outcome, the same to every copy of the request (security: Approval of a payment, 3). An outcome that
 * takes longer than 8 s is answered as `running`.
 */
export function confirmApproval(
  broker: BrokerContext,
  reconciler: ApprovalReconciler,
): GatedHandler<"person", "confirmApproval"> {
  return async (call, service) => {
    const { requestId, principal } = call;
    const row = await recordRefusals(broker, call, () => consumeOnce(broker, call));
    return outcome(broker, reconciler, row, service, { call: { requestId, principal }, waitMs: CONFIRM_WAIT_MS });
  };
}

/**
 * Handles `approval`: answers the state of a person's approval. For a running one it first determines the outcome, for
 * at most 2 s; an open one whose two minutes are over is withdrawn.
 */
export function approval(broker: BrokerContext, reconciler: ApprovalReconciler): GatedHandler<"person", "approval"> {
  return async (call, service) => {
    const { requestId, principal } = call;
    const row = await withdrawIfOver(broker, call, await ownApproval(broker, call));
    return outcome(broker, reconciler, row, service, { call: { requestId, principal }, waitMs: ASK_WAIT_MS });
  };
}

/** Handles `withdrawApproval`: withdraws an open approval, or answers the outcome of one that was consumed before. */
export function withdrawApproval(
  broker: BrokerContext,
  reconciler: ApprovalReconciler,
): GatedHandler<"person", "withdrawApproval"> {
  return async (call, service) => {
    const { requestId, principal } = call;
    const row = await withdraw(broker, call, await ownApproval(broker, call));
    return outcome(broker, reconciler, row, service, { call: { requestId, principal }, waitMs: ASK_WAIT_MS });
  };
}
