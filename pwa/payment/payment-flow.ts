import type { Scan } from "../../src/contract/broker/broker.ts";
import { ApiError } from "../../src/contract/shared/errors.ts";
import { parseQrPayload } from "../../src/qr-payload.ts";
import type { CodeInput } from "../store/attempt-store.ts";
import { ApprovalFlow, type ApprovalFlowOptions } from "./approval-flow.ts";
import { type ApprovalProblem, approvalProblemOf } from "./approval-problem.ts";
import { afterEvent, start } from "./payment-state.ts";

/** True if a code carries its amount, so that nothing has to be asked before its approval is opened. */
function carriesAmount(code: CodeInput, guid: string): code is Extract<CodeInput, { readonly payload: string }> {
  if (!("payload" in code)) return false;
  const parsed = parseQrPayload(code.payload, guid);
  return parsed.kind === "cupo" && parsed.fields.amountMinor !== undefined;
}

/**
 * One payment from code to receipt. A code that carries its amount has its approval opened at once; any other is read
 * first, and the person is asked for an amount where it has none.
 */
export class PaymentFlow extends ApprovalFlow {
  readonly #code: CodeInput;
  readonly #guid: string;
  #scan: Scan | undefined;

  /** `guid` distinguishes codes of this service from foreign ones. */
  constructor(options: ApprovalFlowOptions, code: CodeInput, guid: string) {
    super(options, { code });
    this.#code = code;
    this.#guid = guid;
  }

  /** The code that is being paid. */
  get code(): CodeInput {
    return this.attempt.code ?? this.#code;
  }

  /** The broker's answer about the code, once it has been asked. */
  get scan(): Scan | undefined {
    return this.#scan;
  }

  /** The amount that the person typed for a code without one, and so may change. */
  get typedAmount(): number | undefined {
    return this.attempt.amount;
  }

  /** Starts, or resumes the attempt with that key after a reload. */
  async resume(key: string | undefined): Promise<void> {
    const kept = this.options.attempts.find(key);
    if (kept?.code === undefined) return this.restart();
    this.attempt = kept;
    if (!(await this.goOn(key))) await this.#read();
  }

  /** Reads the code anew, as a new attempt. */
  async restart(): Promise<void> {
    this.keep({ key: this.options.newId(), code: this.code });
    await this.#read();
  }

  /** Gives the amount of a code that has none. The attempt stays the same, so that two tabs pay once. */
  async giveAmount(amount: number): Promise<void> {
    if (this.state.phase !== "amount") return;
    const { payload } = this.state.scan;
    this.keep({ ...this.attempt, code: this.code, amount });
    this.apply({ type: "amount" });
    await this.open({ payload, amount });
  }

  /** A refusal does not tell a code of one's own from another reason, nor a payment under way from a paid code. */
  protected override async problemOf(error: unknown): Promise<ApprovalProblem> {
    const isVague = error instanceof ApiError && ["not_allowed", "qr_already_paid"].includes(error.code);
    const scan = isVague && this.#scan === undefined ? await this.#scanCode().catch(() => undefined) : undefined;
    const read = scan && afterEvent(start, { type: "read", scan });
    return read?.phase === "stopped" ? read.problem : super.problemOf(error);
  }

  async #scanCode(): Promise<Scan> {
    this.#scan = (await this.options.api.createScan({ body: this.code })).body;
    return this.#scan;
  }

  async #read(): Promise<void> {
    this.#scan = undefined;
    const { code } = this;
    if (carriesAmount(code, this.#guid)) {
      this.set({ phase: "opening" });
      return this.open({ payload: code.payload });
    }
    this.set(start);
    const { amount } = this.attempt;
    let scan: Scan;
    try {
      scan = await this.#scanCode();
    } catch (error) {
      return this.apply({ type: "problem", problem: approvalProblemOf(error) });
    }
    this.apply({ type: "read", scan });
    if (this.state.phase === "amount" && amount !== undefined) this.apply({ type: "amount" });
    if (this.state.phase !== "opening") return;
    await this.open({ payload: scan.payload, ...(amount === undefined ? {} : { amount }) });
  }
}
