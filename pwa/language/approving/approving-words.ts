import type { LimitName } from "../../../src/contract/shared/exceeded-limit.ts";
import type { ApprovalFailure } from "../../payment/approval-problem.ts";
import type { ProofFault } from "../../payment/payment-state.ts";
import type { Failure } from "../../payment/problem.ts";
import type { Sentence } from "../words.ts";

/** Texts of one kind of approval, where they differ from those of a code's payment. */
export interface OperationWords {
  readonly title: string;
  readonly payTo: string;
  readonly paying: string;
  readonly pay: (amount: string) => string;
  readonly firstTime: (payee: string) => string;
  readonly paidTo: (payee: string) => string;
  readonly receipt: (amount: string, payee: string, reference: string) => string;
}

/** Texts of the pages that approve, beyond those that Confirm needs at once. */
export interface ApprovingWords {
  readonly transfer: OperationWords &
    Readonly<
      Record<
        | "lead"
        | "by"
        | "phone"
        | "nit"
        | "phoneHint"
        | "numberMissing"
        | "find"
        | "finding"
        | "compareName"
        | "askAmount"
        | "wholeAmount"
        | "note"
        | "noteHint"
        | "noteSent"
        | "other",
        string
      >
    > & { readonly nobody: Sentence; readonly failures: Readonly<Partial<Record<Failure, Sentence>>> };
  readonly refund: OperationWords &
    Readonly<Record<"reading" | "askAmount" | "tooMuch" | "received", string>> & {
      readonly left: (amount: string) => string;
      readonly failures: Readonly<Partial<Record<Failure, Sentence>>>;
    };
  readonly failures: Readonly<Record<ApprovalFailure, Sentence>>;
  /** Why the passkey did not approve; after each of them the payment can still be approved. */
  readonly fault: Readonly<Record<ProofFault, string>>;
  readonly proving: string;
  readonly provingText: string;
  readonly mayPayFrom: (when: string) => string;
  readonly overLimit: Readonly<Record<Exclude<LimitName, "sale_limit" | "session_limit">, (left: string) => string>>;
  /** When more of a limit becomes available. */
  readonly moreFrom: (when: string) => string;
  readonly yourLimits: string;
  readonly online: string;
  /** The code was paid by the same person, in another tab or earlier. */
  readonly paidByYou: Sentence;
  readonly paidByOther: string;
  /** While it is unknown who paid. */
  readonly paidByWhom: string;
  readonly seeReceipt: string;
}
