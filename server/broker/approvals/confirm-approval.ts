import type { BrokerContract } from "../../../src/contract/broker.ts";
import { ApiError } from "../../../src/contract/errors.ts";
import type { Call, Reply } from "../../../src/contract/handler.ts";
import type { AnswerOf } from "../../../src/contract/operation.ts";
import { describeError } from "../../http/http-log.ts";
import { type BrokerContext, readAmount } from "../broker-context.ts";
import type { GatedHandler, Granted } from "../gate.ts";
import type { PersonPrincipal } from "../principals/principal.ts";
import { withinTime } from "../within-time.ts";
import { approvalAnswer, isExpired } from "./approval-answer.ts";
import { type ApprovalRow, consumeApproval, findApproval } from "./approval-store.ts";
import type { Settler, SettlingCall } from "./settle-approval.ts";

type ConfirmCall = Call<BrokerContract["confirmApproval"], PersonPrincipal>;
type Service = Granted<"person", "confirmApproval">;
type ApprovalReply = Reply<AnswerOf<BrokerContract["approval"]>>;

/** Who approves waits so long for the outcome, who asks later not as long; after that the answer is `running`. */
const CONFIRM_WAIT_MS = 8_000;
const ASK_WAIT_MS = 2_000;

async function ownApproval({ sql }: BrokerContext, { principal, params }: Pick<ConfirmCall, "principal" | "params">) {
  const row = await findApproval(sql, principal.userId, params.id);
  if (row === undefined) throw new ApiError("not_found", { detail: "No approval of yours has this id." });
  return row;
}

/** What the person saw must be what is stored. */
function refuseChange(broker: BrokerContext, { body }: ConfirmCall, row: ApprovalRow): void {
  const same =
    body.payee === row.payee &&
    readAmount(broker, body.amount) === row.amount &&
    (body.reference ?? null) === row.reference;
  if (!same) throw new ApiError("approval_mismatch", { detail: "Open a new approval and look at it again." });
}

/** Who may approve, and how: demo people with the button alone. */
function refuseMethod({ body, principal }: ConfirmCall, row: ApprovalRow): void {
  if (row.method === "button" && principal.demo && body.demo === true) return;
  const detail = principal.demo ? "Demo people approve with demo: true." : "This payment needs a passkey.";
  throw new ApiError("not_allowed", { detail });
}

/** Consumes the approval and records that; undefined when somebody else was first. */
function consume({ sql, clock, audit }: BrokerContext, call: ConfirmCall): Promise<ApprovalRow | undefined> {
  const { principal, params, requestId } = call;
  return sql.begin(async (tx) => {
    const row = await consumeApproval(tx, principal.userId, params.id, clock());
    if (row === undefined) return undefined;
    const facts = { method: row.method, payee: row.payee_id, amount: String(row.amount), demo: principal.demo };
    const record = { action: "confirm approval", subject: row.id, outcome: "consumed", facts };
    await audit(tx, { requestId, principal, ...record });
    return row;
  });
}

async function refuseAndRecord(broker: BrokerContext, call: ConfirmCall, row: ApprovalRow): Promise<void> {
  try {
    refuseChange(broker, call, row);
    if (row.state === "open") refuseMethod(call, row);
    if (isExpired(row, broker.clock())) {
      throw new ApiError("approval_expired", { detail: "Two minutes are over: open a new approval." });
    }
  } catch (error) {
    if (error instanceof ApiError) {
      const { principal, requestId } = call;
      const record = { requestId, principal, action: "confirm approval", subject: row.id, outcome: error.code };
      await broker.audit(broker.sql, record);
    }
    throw error;
  }
}

/** The person's new quota; an outcome is told without it rather than not at all. */
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
  settler: Settler,
  row: ApprovalRow,
  service: Service,
  { call, waitMs }: { readonly call: SettlingCall; readonly waitMs: number },
): Promise<ApprovalReply> {
  const running = row.state === "running";
  const settled = running ? await withinTime(settler.settle(row, service, call), row, waitMs) : row;
  const over = settled.state === "approved" || settled.state === "rejected" || settled.state === "failed";
  return { body: approvalAnswer(broker, settled, over ? await quotaAfter(broker, service) : undefined) };
}

/** Approves the payment once, and tells the outcome to all who confirm it (security: Approval of a payment, 3). */
export function confirmApproval(broker: BrokerContext, settler: Settler): GatedHandler<"person", "confirmApproval"> {
  return async (call, service) => {
    const seen = await ownApproval(broker, call);
    await refuseAndRecord(broker, call, seen);
    const { requestId, principal } = call;
    const row = (seen.state === "open" ? await consume(broker, call) : seen) ?? (await ownApproval(broker, call));
    if (row.state === "open") throw new ApiError("approval_expired", { detail: "Open a new approval." });
    return outcome(broker, settler, row, service, { call: { requestId, principal }, waitMs: CONFIRM_WAIT_MS });
  };
}

/** Tells what became of an approval; one whose outcome nobody wrote down is settled now. */
export function approval(broker: BrokerContext, settler: Settler): GatedHandler<"person", "approval"> {
  return async (call, service) => {
    const { requestId, principal } = call;
    const row = await ownApproval(broker, call);
    return outcome(broker, settler, row, service, { call: { requestId, principal }, waitMs: ASK_WAIT_MS });
  };
}
