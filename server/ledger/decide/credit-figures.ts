import type { CreditDay } from "../model/state.ts";

/** The figures of a credit day, in the order of their columns. */
export const CREDIT_FIGURES = Object.freeze([
  "granted",
  "repaid",
  "cancelled",
  "writtenOff",
  "recovered",
  "latePrincipal",
  "interestAccrued",
  "interestPaid",
  "interestCancelled",
  "interestWrittenOff",
  "interestDue",
  "interestOnTime",
  "lateInterest",
] as const satisfies readonly (keyof CreditDay)[]);
