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

/** The interest of a credit for one day, as one posting booked it; a reversal is a record of its own, below zero. */
export type CreditAccrual = RecordOf<typeof CREDIT_ACCRUALS>;

/**
 * Takes quota back from a user: repays the user's open credits at the caller's entity, and pays the rest out in cash,
 * which only the user's creator may do.
 */
export interface Discharge {
  readonly type: "discharge";
  readonly userId: string;
  readonly amount: bigint;
  /** For a preview: a caller that may not know the user's balance gets the outcome with a sufficient one. */
  readonly assumesBalance?: boolean;
  readonly reference: string;
}

/**
 * Repays an amount of a user's debt to the caller's entity, in cash or from the user's quota: on one credit, or on all
 * of them in the order of repayment.
 */
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

/**
 * Cancels an open credit that was assigned or imported by mistake, and its interest: refused once part of it was
 * repaid, or where the quota that it gave is no longer available to the user.
 */
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

/** Reverses the interest that some credits of the caller's entity accrued for the day `from` and every day after it. */
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
