import { expect } from "vitest";
import type { Action } from "../../server/ledger/model/command.ts";
import type {
  CancelCredit,
  CreditRecord,
  CreditTerms,
  Discharge,
  RepayCredit,
  WriteOffCredit,
} from "../../server/ledger/model/credit-commands.ts";
import { aGrant } from "../support/ledger.ts";
import { CreditFixture } from "./credit-fixture.ts";

/** 24 % a year: the tables of interest-examples.test.ts have the arithmetic. */
export const TERMS: CreditTerms = {
  annualRateBps: 2_400,
  dayBasis: 365,
  afterDue: "continue",
  arrearAfter: 0,
  defaultAfter: 90,
};
/** When the loan is opened, and when it is due, 30 days later. */
export const OPENED = "2026-01-01";
export const DUE = "2026-01-31";

/** Carries out an action that must succeed, and returns its result. */
export function done<T>(fixture: CreditFixture, entityIndex: number, action: Action): T {
  const verdict = fixture.tell(entityIndex, action);
  if (verdict.type !== "done") throw new Error(`it was ${JSON.stringify(verdict)}`);
  return verdict.body as T;
}

/** Expects an action to be refused and to move nothing, and returns the code. */
export function refused(fixture: CreditFixture, entityIndex: number, action: Action): string {
  const { entries, credits } = fixture;
  const before = [entries.length, credits];
  const verdict = fixture.tell(entityIndex, action);
  expect([fixture.entries.length, fixture.credits]).toEqual(before);
  return verdict.type === "refused" ? verdict.refusal.code : verdict.type;
}

/** An assignment of the loan type with interest. */
export const lend = (
  fixture: CreditFixture,
  userIndex: number,
  amount = 10_000_000n,
  dueDate: string | undefined = DUE,
): Action => aGrant(fixture.user(userIndex), amount, { terms: TERMS, loanType: "loan", dueDate });

/** Two entities, one user of each; the first user borrowed 100 000 of its own entity on 1 January. */
export function aLoan(dueDate = DUE): CreditFixture {
  const fixture = new CreditFixture(OPENED, 2, [0n, 0n]);
  done(fixture, 0, lend(fixture, 0, 10_000_000n, dueDate));
  return fixture;
}

/** One of the ledger's credits, the loan unless another is meant. */
export const loanIn = (fixture: CreditFixture, index = 0): CreditRecord => fixture.credits[index] as CreditRecord;

/** Takes quota of the first user back. */
export const discharge = (fixture: CreditFixture, amount: bigint): Discharge => ({
  type: "discharge",
  userId: fixture.user(0),
  amount,
  reference: "discharge",
});

/** Repays what the first user owes. */
export const repay = (
  fixture: CreditFixture,
  amount: bigint,
  source: "cash" | "quota",
  creditId?: string,
): RepayCredit => ({
  type: "repay-credit",
  userId: fixture.user(0),
  creditId,
  amount,
  source,
  reference: "repayment",
});

/** Writes off or cancels a credit of the first user. */
export const end = (
  fixture: CreditFixture,
  type: "write-off-credit" | "cancel-credit",
  creditId = loanIn(fixture).id,
): WriteOffCredit | CancelCredit => ({
  type,
  userId: fixture.user(0),
  creditId,
  reference: type,
});
