import type { CreditDay } from "../model/state.ts";

/** The names of the figures that the roll-up of credits has for each booking day, in the order of its columns. */
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
