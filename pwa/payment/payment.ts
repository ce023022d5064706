import { NoAnswerError } from "../../src/client.ts";
import type { Approval } from "../../src/contract/broker.ts";
import { ApiError, type ErrorCode } from "../../src/contract/errors.ts";
import type { Api } from "../api.ts";
import type { Attempt, AttemptStore } from "./attempt-store.ts";
import { afterEvent, type PaymentEvent, type PaymentState, start } from "./payment-state.ts";
import { problemOf } from "./problem.ts";
import type { CodeInput } from "./read-code.ts";

/** What a payment needs from the app. */
export interface PaymentOptions {
  readonly api: Pick<Api, "createScan" | "openApproval" | "confirmApproval" | "approval">;
  readonly attempts: AttemptStore;
  readonly newId: () => string;
  /** Resolves after that many milliseconds. */
  readonly wait: (delayMs: number) => Promise<void>;
  /** Told of each attempt's key, to be handed back to `resume` after a reload. */
  readonly onAttempt: (key: string) => void;
}

/** The refusals of a confirmation after which it is certain that nothing was paid; any other error leaves it open. */
const CERTAIN: ReadonlySet<ErrorCode> = new Set([
  "approval_mismatch",
  "approval_expired",
  "not_found",
  "not_allowed",
  "invalid_request",
  "unauthorized",
]);

/** The outcome is asked for often at first, then every three seconds, for about three minutes in all. */
const ASK_DELAYS_MS: readonly number[] = Object.freeze([500, 1_000, 2_000, ...Array<number>(60).fill(3_000)]);

/**
 * One payment from code to receipt: carries out what {@link afterEvent} decides. Dispatches `change` for every new
 * state. One attempt has one idempotency key and one approval, which the broker consumes once.
 */
export class Payment extends EventTarget {
  readonly #options: PaymentOptions;
  #attempt: Attempt;
  #state: PaymentState = start;
  #ended = false;

  constructor(options: PaymentOptions, code: CodeInput) {
    super();
    this.#options = options;
    this.#attempt = { key: options.newId(), code };
  }

  /** Where the payment stands. */
  get state(): PaymentState {
    return this.#state;
  }

  /** The code that is being paid. */
  get code(): CodeInput {
    return this.#attempt.code;
  }

  /** Whether the person typed the amount, and so may type another. */
  get amountIsTyped(): boolean {
    return this.#attempt.amount !== undefined;
  }

  /** Starts, or goes on where a reload interrupted the attempt with that key. */
  async resume(key: string | undefined): Promise<void> {
    const kept = this.#options.attempts.find(key);
    if (kept === undefined) return this.restart();
    this.#attempt = kept;
    if (kept.approvalId === undefined) return this.#read();
    this.#set({ phase: "asking" });
    await this.#ask(kept.approvalId);
  }

  /** Reads the code anew, as a new attempt. */
  async restart(): Promise<void> {
    this.#keep({ key: this.#options.newId(), code: this.#attempt.code });
    await this.#read();
  }

  /** Gives the amount of a code that has none. */
  async giveAmount(amount: number): Promise<void> {
    if (this.#state.phase !== "amount") return;
    const { payload } = this.#state.scan;
    this.#keep({ key: this.#options.newId(), code: this.#attempt.code, amount });
    this.#apply({ type: "amount" });
    await this.#open(payload);
  }

  /** Approves; a second call while one is under way does nothing. */
  async pay(): Promise<void> {
    if (this.#state.phase !== "ready") return;
    const { approval } = this.#state;
    this.#apply({ type: "pay" });
    const { id, payee, amount, reference } = approval;
    const body = { payee, amount, ...(reference === undefined ? {} : { reference }), demo: true as const };
    try {
      const answer = await this.#options.api.confirmApproval({ params: { id }, body });
      this.#apply({ type: "outcome", approval: answer.body });
    } catch (error) {
      if (error instanceof ApiError && CERTAIN.has(error.code)) {
        return this.#apply({ type: "problem", problem: problemOf(error) });
      }
      this.#apply({ type: "silence" });
    }
    if (this.state.phase === "asking") await this.#ask(id);
  }

  /** Asks once more what became of an approval whose outcome could not be learned. */
  async askAgain(): Promise<void> {
    const { approvalId } = this.#attempt;
    if (this.#state.phase !== "stopped" || approvalId === undefined) return;
    this.#set({ phase: "asking" });
    await this.#ask(approvalId);
  }

  /** The time to approve is over. */
  runOut(): void {
    this.#apply({ type: "ran_out" });
  }

  /** Stops asking, because the page is left; what was approved goes its way at the broker. */
  end(): void {
    this.#ended = true;
  }

  async #read(): Promise<void> {
    this.#set(start);
    const { code, amount } = this.#attempt;
    try {
      const { body } = await this.#options.api.createScan({ body: code });
      this.#apply({ type: "read", scan: body });
      if (this.#state.phase === "opening") return await this.#open(body.payload);
      if (this.#state.phase !== "amount" || amount === undefined) return;
      this.#apply({ type: "amount" });
      await this.#open(body.payload);
    } catch (error) {
      this.#apply({ type: "problem", problem: problemOf(error) });
    }
  }

  async #open(payload: string): Promise<void> {
    const { key, amount } = this.#attempt;
    try {
      const { body } = await this.#options.api.openApproval(
        { body: { payload, ...(amount === undefined ? {} : { amount }) } },
        { idempotencyKey: key },
      );
      this.#keep({ ...this.#attempt, approvalId: body.id });
      this.#apply({ type: "opened", approval: body });
      if (this.#state.phase === "asking") await this.#ask(body.id);
    } catch (error) {
      this.#apply({ type: "problem", problem: problemOf(error) });
    }
  }

  async #ask(approvalId: string): Promise<void> {
    for (const delayMs of ASK_DELAYS_MS) {
      if (this.#ended) return;
      const approval = await this.#outcomeOf(approvalId);
      if (approval !== undefined) this.#apply({ type: "outcome", approval });
      if (this.#state.phase !== "asking") return;
      await this.#options.wait(delayMs);
    }
    this.#apply({ type: "gave_up" });
  }

  async #outcomeOf(id: string): Promise<Approval | undefined> {
    try {
      return (await this.#options.api.approval({ params: { id } })).body;
    } catch (error) {
      if (error instanceof ApiError && error.code === "not_found") {
        this.#apply({ type: "problem", problem: { failure: "approval_expired" } });
        return undefined;
      }
      if (error instanceof ApiError || error instanceof NoAnswerError) return undefined;
      throw error;
    }
  }

  #keep(attempt: Attempt): void {
    this.#attempt = attempt;
    this.#options.attempts.keep(attempt);
    this.#options.onAttempt(attempt.key);
  }

  #apply(event: PaymentEvent): void {
    this.#set(afterEvent(this.#state, event));
  }

  #set(state: PaymentState): void {
    if (state === this.#state || this.#ended) return;
    this.#state = state;
    this.dispatchEvent(new Event("change"));
  }
}
