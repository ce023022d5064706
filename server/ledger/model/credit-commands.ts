import type { RecordOf } from "./columns.ts";
import type { CREDIT_ACCRUALS, CREDIT_MOVEMENTS, CREDITS } from "./tables.ts";

/** Terms of a loan type, copied into the credit when it opens. */
export interface CreditTerms {
  readonly annualRateBps: number;
  /** Days of a year: 365 or 360. */
  readonly dayBasis: number;
  /** Interest after the due date: it stops or continues. */
  readonly afterDue: "stop" | "continue";
  /** More days past due than this suggest the status `arrear`. */
  readonly arrearAfter: number;
  /** More days past due than this suggest the status `default`. */
  readonly defaultAfter: number;
}

/** Terms of the loan type `default`: no interest. */
export const DEFAULT_TERMS: CreditTerms = Object.freeze({
  annualRateBps: 0,
  dayBasis: 365,
  afterDue: "continue",
  arrearAfter: 0,
  defaultAfter: 90,
});

/** A credit as it stands, assigned or imported. Amounts are minor units, days `YYYY-MM-DD`. */
export interface CreditRecord extends RecordOf<typeof CREDITS> {
  readonly state: "open" | "closed" | "written_off" | "cancelled";
  readonly afterDue: CreditTerms["afterDue"];
}

/** A change of a credit; the kind says whether it adds to the debt (granted, imported) or takes from it. */
export interface CreditMovement extends RecordOf<typeof CREDIT_MOVEMENTS> {
  readonly kind: "granted" | "imported" | "repaid" | "written_off" | "cancelled" | "recovered";
}

/** The interest of a credit for one day, as it was posted; below zero where it was reversed. */
export type CreditAccrual = RecordOf<typeof CREDIT_ACCRUALS>;

/** Takes quota back: repays what the user owes the caller, and the caller's own user is paid the rest in cash. */
export interface Discharge {
  readonly type: "discharge";
  readonly userId: string;
  readonly amount: bigint;
  /** For a preview: a caller that may not know the user's balance gets the outcome with a sufficient one. */
  readonly assumesBalance?: boolean;
  readonly reference: string;
}

/** Repays a credit, or all of a user's credits in order, in cash or from the quota. */
export interface RepayCredit {
  readonly type: "repay-credit";
  readonly userId: string;
  readonly creditId: string | undefined;
  readonly amount: bigint;
  readonly source: "cash" | "quota";
  readonly reference: string;
}

/** Writes off the principal and interest that are owed on a credit. */
export interface WriteOffCredit {
  readonly type: "write-off-credit";
  readonly userId: string;
  readonly creditId: string;
  readonly reference: string;
}

/** Undoes a wrong assignment while its quota is there and nothing was repaid. */
export interface CancelCredit {
  readonly type: "cancel-credit";
  readonly userId: string;
  readonly creditId: string;
  readonly reference: string;
}

/** Takes over a credit that ran elsewhere before: no quota is given. */
export interface ImportCredit {
  readonly type: "import-credit";
  readonly userId: string;
  readonly principal: bigint;
  readonly outstanding: bigint;
  readonly unpaidInterest: bigint;
  readonly loanType: string;
  readonly terms: CreditTerms;
  readonly openedOn: string;
  readonly dueDate: string | undefined;
  /** The last day whose interest is in `unpaidInterest` or was paid before. */
  readonly accruedThrough: string;
  readonly reference: string;
}

/** Accrues credits of the caller's entity through a day; the credits are guarded by locking the users' accounts. */
export interface Accrue {
  readonly type: "accrue";
  readonly through: string;
  readonly credits: readonly { readonly creditId: string; readonly userId: string }[];
}

/** Reverses the interest of credits of the caller's entity, of a day and those after it. */
export interface ReverseAccruals {
  readonly type: "reverse-accruals";
  readonly from: string;
  readonly credits: readonly { readonly creditId: string; readonly userId: string }[];
}

/** The outcome of a discharge or a repayment; the balance is null where the user's quota was not touched. */
export interface RepaymentRecord {
  readonly reference: string;
  readonly userId: string;
  readonly userName: string;
  readonly amount: bigint;
  readonly repaidInterest: bigint;
  readonly repaidPrincipal: bigint;
  readonly recovered: bigint;
  readonly paidOut: bigint;
  readonly balanceAfter: bigint | null;
  /** The credits that were repaid, as they stand now. */
  readonly credits: readonly CreditRecord[];
}

/** How many credits were accrued, and how much. */
export interface AccrualRecord {
  readonly credits: number;
  readonly amount: bigint;
}

/** How many credits' interest was reversed, how much, and the credits left as they are because of a later movement. */
export interface AccrualReversalRecord extends AccrualRecord {
  readonly left: readonly string[];
}
