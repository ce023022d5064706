import type { Scan } from "../../src/contract/broker/broker.ts";
import type { CodeInput } from "../store/attempt-store.ts";
import { ApprovalFlow, type ApprovalFlowOptions } from "./approval-flow.ts";
import { approvalProblemOf } from "./approval-problem.ts";
import { start } from "./payment-state.ts";

/** One payment from code to receipt: reads the code, asks for an amount where it has none, and has it approved. */
export class PaymentFlow extends ApprovalFlow {
  readonly #code: CodeInput;
  #scan: Scan | undefined;

  constructor(options: ApprovalFlowOptions, code: CodeInput) {
    super(options, { code });
    this.#code = code;
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

  async #read(): Promise<void> {
    this.set(start);
    const { amount } = this.attempt;
    try {
      const { body } = await this.options.api.createScan({ body: this.code });
      this.#scan = body;
      this.apply({ type: "read", scan: body });
      if (this.state.phase === "amount" && amount !== undefined) this.apply({ type: "amount" });
    } catch (error) {
      return this.apply({ type: "problem", problem: approvalProblemOf(error) });
    }
    if (this.state.phase !== "opening") return;
    const { payload } = this.#scan;
    await this.open({ payload, ...(amount === undefined ? {} : { amount }) });
  }
}
