import type { Action, Command, Payment, Refusal, ResultOf, TransactionRecord, VoidKey } from "../model/command.ts";
import type { Refund } from "../model/payment-commands.ts";
import { tellsItsRecording } from "../model/recorded-payment.ts";
import {
  type Changes,
  type IdempotencyRecord,
  idempotencyScope,
  isKept,
  type PostingTime,
  type State,
  type StoredAnswer,
} from "../model/state.ts";
import { decideAccrual, refuseUnsureInterest } from "./accrue-credits.ts";
import { BatchState } from "./batch-state.ts";
import { decideBatch } from "./decide-batch.ts";
import { decideCounterpartySettlement, decideLimit } from "./decide-counterparties.ts";
import { decideCreditCancellation, decideImport, decideWriteOff } from "./decide-credits.ts";
import { decideHoldExpiry, decideHoldSettlement } from "./decide-holds.ts";
import { decidePayment, type PaymentContext } from "./decide-payment.ts";
import { decideCancellation, decideReservation } from "./decide-qr.ts";
import { decideRefund } from "./decide-refund.ts";
import { decideDischarge, decideRepayment } from "./decide-repayments.ts";
import { decideTransfer } from "./decide-transfer.ts";
import { decideBlock, decideUpdate } from "./decide-user-changes.ts";
import { decideQuotaAssignment, decideRegistration } from "./decide-users.ts";
import { decideAccrualReversal } from "./reverse-accruals.ts";

/**
 * The outcome of a command: done, with the answer's body; refused; or replayed, with the stored answer of an earlier
 * request under the same idempotency key.
 */
export type Verdict =
  | { readonly type: "done"; readonly body: unknown }
  | { readonly type: "refused"; readonly refusal: Refusal }
  | { readonly type: "replayed"; readonly answer: StoredAnswer };

/** The verdict of each command in order, and all that is to be written. */
export interface Decision {
  readonly verdicts: readonly Verdict[];
  readonly changes: Changes;
  /** Directions that the writer's slice could not decide. Unless empty, the batch is decided anew with all slices. */
  readonly shortOf: ReadonlySet<string>;
}

type Decide<A extends Action> = (draft: BatchState, action: A, context: PaymentContext) => ResultOf<A> | Refusal;

const decisions: { readonly [T in Action["type"]]: Decide<Extract<Action, { type: T }>> } = Object.freeze({
  payment: decidePayment,
  batch: decideBatch,
  transfer: decideTransfer,
  "assign-quota": decideQuotaAssignment,
  settle: decideHoldSettlement,
  lapse: decideHoldExpiry,
  reverse: decideRefund,
  discharge: decideDischarge,
  "repay-credit": decideRepayment,
  "write-off-credit": decideWriteOff,
  "cancel-credit": decideCreditCancellation,
  "import-credit": decideImport,
  accrue: decideAccrual,
  "limit-counterparty": decideLimit,
  "record-settlement": decideCounterpartySettlement,
  "reverse-accruals": decideAccrualReversal,
  "register-user": decideRegistration,
  "update-user": decideUpdate,
  "block-user": decideBlock,
  "reserve-qr": (draft, action, { entityId }) => decideReservation(draft, action, entityId),
  "cancel-qr": (draft, action, { entityId }) => decideCancellation(draft, action, entityId),
  remember: () => ({}),
  refuse: (_draft, { refusal }) => refusal,
  "void-key": () => {
    throw new Error("a key is made void under that key alone");
  },
});

const keyReused: Refusal = {
  code: "idempotency_key_reused",
  detail: "The idempotency key belongs to an earlier request with another body: use a new key.",
};

/** The fingerprint of a key that was made void: it matches every body. */
const ANY_BODY = "";

const keyVoid: Refusal = {
  code: "idempotency_key_void",
  detail: "The idempotency key was made void before the request was decided: nothing was done.",
};

function isRefusal(result: object): result is Refusal {
  return "code" in result && "detail" in result;
}

/** The result of carrying out a command, or its refusal, and the verdict. */
interface Outcome {
  readonly result: object;
  readonly verdict: Verdict;
}

function carryOut<A extends Action>(draft: BatchState, command: Command<A>, nextId: () => string): Outcome {
  const decideAction = decisions[command.action.type] as unknown as Decide<A>;
  const { entityId } = command.origin;
  const result =
    refuseUnsureInterest(draft, command.action, entityId) ?? decideAction(draft, command.action, { entityId, nextId });
  if (isRefusal(result)) return { result, verdict: { type: "refused", refusal: result } };
  return { result, verdict: { type: "done", body: command.answer(result) } };
}

function storedAnswer(verdict: Verdict): StoredAnswer | undefined {
  if (verdict.type === "done") return { body: JSON.stringify(verdict.body) };
  if (verdict.type === "replayed" || !isKept(verdict.refusal)) return undefined;
  return { refusal: JSON.stringify(verdict.refusal) };
}

/** The payment or refund whose row tells the answer for ever. */
function tellingRow({ action }: Command, { result, verdict }: Outcome): string | null {
  if (verdict.type !== "done" || (action.type !== "payment" && action.type !== "reverse")) return null;
  const record = result as TransactionRecord;
  return tellsItsRecording(record) ? record.id : null;
}

/** The answer to a copy of a decided request; a key that was made void matches every body. */
function repeat(command: Command, { fingerprint, answer }: IdempotencyRecord, sent: string): Verdict {
  if (fingerprint !== sent && fingerprint !== ANY_BODY) return { type: "refused", refusal: keyReused };
  if (!("recorded" in answer)) return { type: "replayed", answer };
  const body = (command as Command<Payment | Refund>).answer(answer.recorded);
  return { type: "replayed", answer: { body: JSON.stringify(body) } };
}

/** Stores a refusal under the key, unless a request was decided under it. */
function voidKey(draft: BatchState, command: Command<VoidKey>, scope: string, key: string): Verdict {
  const { entityId, clientId, operation } = command.origin;
  const earlier = draft.idempotent(scope);
  const isVoid = earlier === undefined || earlier.fingerprint === ANY_BODY;
  const answer = { refusal: JSON.stringify(keyVoid) };
  if (earlier === undefined) {
    const kept = { fingerprint: ANY_BODY, answer, transactionId: null };
    draft.idempotency.set(scope, { entityId, clientId, operation, key, ...kept });
  }
  return { type: "done", body: command.answer({ state: isVoid ? "void" : "used" }) };
}

function isVoidKey(command: Command): command is Command & Command<VoidKey> {
  return command.action.type === "void-key";
}

function decideOne(draft: BatchState, command: Command, nextId: () => string): Verdict {
  const { origin } = command;
  if (origin.idempotency === undefined) return carryOut(draft, command, nextId).verdict;
  const { key, fingerprint } = origin.idempotency;
  const scope = idempotencyScope(origin, key);
  if (isVoidKey(command)) return voidKey(draft, command, scope, key);
  const earlier = draft.idempotent(scope);
  if (earlier !== undefined) return repeat(command, earlier, fingerprint);
  const outcome = carryOut(draft, command, nextId);
  const answer = storedAnswer(outcome.verdict);
  const { entityId, clientId, operation } = origin;
  if (answer !== undefined) {
    const transactionId = tellingRow(command, outcome);
    draft.idempotency.set(scope, { entityId, clientId, operation, key, fingerprint, answer, transactionId });
  }
  return outcome.verdict;
}

/** Notifies both entities of each exposure that this batch brought near its limit. */
function emitLimitsNear(draft: BatchState): void {
  for (const exposure of draft.exposures.broughtNear()) {
    draft.emit({ type: "counterparty.limit_near", exposure }, [exposure.creditorId, exposure.debtorId]);
  }
}

/**
 * Decides a batch: the locked rows and the commands in arrival order go in, verdicts and changes come out.
 * No SQL, no clock, no randomness: ids are drawn in recording order from `nextId`.
 */
export function decide(
  state: State,
  commands: readonly Command[],
  moment: PostingTime,
  nextId: () => string,
): Decision {
  const draft = new BatchState(state, moment, nextId);
  const verdicts = commands.map((command) => decideOne(draft, command, nextId));
  if (draft.exposures.short.size === 0) emitLimitsNear(draft);
  return { verdicts, changes: draft, shortOf: draft.exposures.short };
}
