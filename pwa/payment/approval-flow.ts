import { AnswerError, NoAnswerError } from "../../src/client.ts";
import type { Approval } from "../../src/contract/broker/broker.ts";
import { ApiError, type ErrorCode } from "../../src/contract/shared/errors.ts";
import type { JsonObject } from "../../src/contract/shared/fields.ts";
import type { PasskeyAnswer } from "../passkey/passkey-answer.ts";
import { refusedPasskey } from "../passkey/refused-passkey.ts";
import type { Api } from "../platform/api.ts";
import type { AttemptStore, PaymentAttempt, ToApprove } from "../store/attempt-store.ts";
import { type ApprovalProblem, approvalProblemOf } from "./approval-problem.ts";
import { afterEvent, type PaymentEvent, type PaymentState, start } from "./payment-state.ts";

/** Dependencies and callbacks of {@link ApprovalFlow}. */
export interface ApprovalFlowOptions {
  readonly api: Pick<Api, "createScan" | "openApproval" | "confirmApproval" | "approval" | "withdrawApproval">;
  readonly attempts: AttemptStore;
  readonly newId: () => string;
  /** Resolves after that many milliseconds. */
  readonly wait: (delayMs: number) => Promise<void>;
  /** Asks the person for a passkey, with the options that an approval carries. */
  readonly askPasskey: (options: JsonObject) => Promise<PasskeyAnswer>;
  /** Called with each attempt's key, which resumes the attempt after a reload. */
  readonly onAttempt: (key: string) => void;
  /** Stores the approval that is about to be confirmed, so that its outcome can be asked for later. */
  readonly onSend: (approval: Approval, attempt: PaymentAttempt) => Promise<void>;
  /** Called with an attempt's key once its outcome is certain. */
  readonly onSettled: (key: string) => void;
  /** True while the session is that of the approval's person: the broker hides the approval from everybody else. */
  readonly isSamePerson: () => Promise<boolean>;
}

/** The refusals of a confirmation after which it is certain that nothing was paid; any other error leaves it open. */
const CERTAIN: ReadonlySet<ErrorCode> = new Set([
  "approval_mismatch",
  "approval_expired",
  "not_found",
  "not_allowed",
  "invalid_request",
  "unauthorized",
  "device_too_new",
  "limit_exceeded",
]);

/** True if it is known that it was paid, or that it was not. */
function isCertain(state: PaymentState): boolean {
  if (state.phase === "stopped") return state.problem.failure !== "outcome_unknown";
  return state.phase === "paid" || state.phase === "ready";
}

/** Delays between polls of the outcome: short at first, then three seconds, for about three minutes in all. */
const POLL_DELAYS_MS: readonly number[] = Object.freeze([500, 1_000, 2_000, ...Array<number>(60).fill(3_000)]);

/**
 * One approval from opening to receipt, of a payment, a transfer or a refund: carries out what {@link afterEvent}
 * decides. Dispatches `change` for every new state. One attempt has one idempotency key and one approval, which the
 * broker consumes once.
 */
export class ApprovalFlow extends EventTarget {
  protected readonly options: ApprovalFlowOptions;
  protected attempt: PaymentAttempt;
  #state: PaymentState = start;
  #known: Approval | undefined;
  #ended = false;

  constructor(options: ApprovalFlowOptions, attempt: Omit<PaymentAttempt, "key"> = {}) {
    super();
    this.options = options;
    this.attempt = { key: options.newId(), ...attempt };
  }

  /** The current state. */
  get state(): PaymentState {
    return this.#state;
  }

  /** The approval as last known, also after it was rejected or failed. */
  get known(): Approval | undefined {
    return this.#known;
  }

  /** True once a confirmation was sent, which may still be on its way. */
  get sent(): boolean {
    return this.attempt.sent === true;
  }

  /** Resumes the attempt with that key after a reload; false where no approval of it was stored. */
  async goOn(key: string | undefined): Promise<boolean> {
    const kept = this.options.attempts.find(key);
    if (kept?.approvalId === undefined) return false;
    this.attempt = kept;
    this.set({ phase: "asking" });
    await this.poll(kept.approvalId);
    return true;
  }

  /** Opens a new approval, as a new attempt. */
  async openNew(body: ToApprove): Promise<void> {
    this.keep({ key: this.options.newId(), asked: body });
    this.set({ phase: "opening" });
    await this.open(body);
  }

  /** Approves, with a passkey where the approval asks for one; a second call while one is under way does nothing. */
  async pay(): Promise<void> {
    if (this.#state.phase !== "ready") return;
    const { approval } = this.#state;
    if (approval.method === "button") return this.#confirm(approval, { demo: true });
    this.apply({ type: "prove" });
    let answer: PasskeyAnswer;
    try {
      answer = await this.options.askPasskey(approval.options ?? {});
    } catch (error) {
      return this.apply({ type: "problem", problem: approvalProblemOf(error) });
    }
    if ("fault" in answer) return this.apply({ type: "not_proven", fault: answer.fault });
    // A failure from here on does not prove that nothing was paid.
    await this.#confirm(approval, answer);
  }

  /** Polls again for the outcome of an approval for which it could not be learned. */
  async pollAgain(): Promise<void> {
    const { approvalId } = this.attempt;
    if (this.#state.phase !== "stopped" || approvalId === undefined) return;
    this.set({ phase: "asking" });
    await this.poll(approvalId);
  }

  /** Asks for the outcome once the time to approve is over: another tab may have approved the same. */
  async timeOut(): Promise<void> {
    const { approvalId } = this.attempt;
    if (this.#state.phase !== "ready" || approvalId === undefined) return;
    this.apply({ type: "timed_out" });
    await this.poll(approvalId, true);
  }

  /** Stops polling when the page is left; the broker goes on with an approval that was sent. */
  end(): void {
    this.#ended = true;
  }

  async #confirm(approval: Approval, proof: { readonly demo: true } | { readonly credential: JsonObject }) {
    this.apply({ type: "pay" });
    this.#note({ sent: true });
    const { id, payee, amount, reference } = approval;
    const body = { payee, amount, ...(reference === undefined ? {} : { reference }), ...proof };
    try {
      await this.options.onSend(approval, this.attempt);
      const answer = await this.options.api.confirmApproval({ params: { id }, body });
      this.apply({ type: "outcome", approval: answer.body });
    } catch (error) {
      const refusal = refusedPasskey(error);
      if (refusal === "refused" || refusal === "copied") {
        this.#note({ sent: false });
        return this.apply({ type: "not_proven", fault: refusal });
      }
      if (error instanceof ApiError && CERTAIN.has(error.code)) {
        return this.apply({ type: "problem", problem: approvalProblemOf(error) });
      }
      this.apply({ type: "no_answer" });
    }
    if (this.state.phase === "asking") await this.poll(id);
  }

  protected async open(asked: ToApprove): Promise<void> {
    try {
      const { key } = this.attempt;
      const { body: approval } = await this.options.api.openApproval({ body: asked }, { idempotencyKey: key });
      this.keep({ ...this.attempt, asked, approvalId: approval.id });
      this.apply({ type: "opened", approval });
      if (this.#state.phase === "asking") await this.poll(approval.id);
    } catch (error) {
      this.apply({ type: "problem", problem: await this.problemOf(error) });
    }
  }

  /** Returns the problem for an approval that was not opened. */
  protected async problemOf(error: unknown): Promise<ApprovalProblem> {
    return approvalProblemOf(error);
  }

  /**
   * Polls the outcome of an approval. One that is open although it was sent, or its time is over, may yet be confirmed
   * by a request on its way: it is withdrawn, and no outcome is shown before the broker has done so.
   */
  protected async poll(approvalId: string, isOver = false): Promise<void> {
    let withdraws = false;
    for (const delayMs of POLL_DELAYS_MS) {
      if (this.#ended) return;
      const approval = await this.#outcomeOf(approvalId, withdraws);
      withdraws = approval?.state === "open" && (isOver || this.sent);
      if (approval?.state === "withdrawn" && this.sent) return this.#reopen(approval);
      if (approval !== undefined && !withdraws) this.apply({ type: "outcome", approval });
      if (this.#state.phase !== "asking") return;
      await this.options.wait(delayMs);
    }
    this.apply({ type: "polling_ended" });
  }

  /** Reopens, as a new attempt, an approval whose confirmation did not arrive and no longer can. */
  async #reopen(withdrawn: Approval): Promise<void> {
    const { approvalId: _withdrawn, sent: _sent, ...attempt } = this.attempt;
    const { asked } = attempt;
    if (this.#ended || asked === undefined) return this.apply({ type: "outcome", approval: withdrawn });
    this.options.onSettled(attempt.key);
    this.keep({ ...attempt, key: this.options.newId() });
    this.apply({ type: "reopen" });
    await this.open(asked);
  }

  async #outcomeOf(id: string, withdraws: boolean): Promise<Approval | undefined> {
    const { api } = this.options;
    try {
      return (await (withdraws ? api.withdrawApproval : api.approval)({ params: { id } })).body;
    } catch (error) {
      if (error instanceof ApiError && error.code === "not_found" && (await this.options.isSamePerson())) {
        this.apply({ type: "problem", problem: { failure: "approval_expired" } });
        return undefined;
      }
      // A proxy before the broker may answer with a page of its own, which says nothing of the payment either.
      if ([ApiError, NoAnswerError, AnswerError].some((kind) => error instanceof kind)) return undefined;
      // A defect of the app says nothing of the payment either, and asking again would meet it again.
      reportError(error);
      this.apply({ type: "polling_ended" });
      return undefined;
    }
  }

  /** Stores whether the confirmation was sent, for a reload; a page that was left overwrites no other attempt. */
  #note(standing: Required<Pick<PaymentAttempt, "sent">>): void {
    this.attempt = { ...this.attempt, ...standing };
    if (!this.#ended) this.options.attempts.keep(this.attempt);
  }

  protected keep(attempt: PaymentAttempt): void {
    this.attempt = attempt;
    this.options.attempts.keep(attempt);
    this.options.onAttempt(attempt.key);
  }

  protected apply(event: PaymentEvent): void {
    if (event.type === "opened" || event.type === "outcome") this.#known = event.approval;
    this.set(afterEvent(this.#state, event));
  }

  protected set(state: PaymentState): void {
    if (state === this.#state) return;
    // Called also after the page was left.
    if (isCertain(state)) this.options.onSettled(this.attempt.key);
    if (this.#ended) return;
    this.#state = state;
    this.dispatchEvent(new Event("change"));
  }
}
