import type { LoanTerms } from "../../../src/contract/service/loan-terms.ts";
import type { Fault } from "../../../src/contract/shared/errors.ts";
import type { Sql, Tx } from "../../database/connect.ts";
import { DEFAULT_LOAN_TYPE, DEPOSIT } from "../../ledger/decide/decide-users.ts";
import { type CreditTerms, DEFAULT_TERMS } from "../../ledger/model/credit-commands.ts";
import type { ServiceContext } from "../shared/service-context.ts";

/** The name and terms of a loan type that an entity made for itself. */
export interface OwnLoanType extends CreditTerms {
  readonly loanType: string;
}

/** True if every entity has that loan type, and none can change it. */
export function isBuiltIn(loanType: string): boolean {
  return loanType === DEFAULT_LOAN_TYPE || loanType === DEPOSIT;
}

/** Reads all loan types that an entity made for itself, sorted by name; they are few, so there are no pages. */
export async function readLoanTypes(sql: Sql | Tx, entityId: string): Promise<readonly OwnLoanType[]> {
  return sql<OwnLoanType[]>`
    select loan_type as "loanType", annual_rate_bps as "annualRateBps", day_basis as "dayBasis",
      after_due as "afterDue", arrear_after as "arrearAfter", default_after as "defaultAfter"
    from service.loan_types where entity_id = ${entityId} order by loan_type collate "C"`;
}

/**
 * Reads the terms that a credit of a loan type opens with. For a type that the entity does not have it adds a fault,
 * which lists the types that it has and those in `besides`, and returns undefined.
 */
export async function readTerms(
  { sql }: Pick<ServiceContext, "sql">,
  entityId: string,
  loanType: string,
  faults: Fault[],
  besides: readonly string[] = [],
): Promise<CreditTerms | undefined> {
  if (loanType === DEFAULT_LOAN_TYPE) return DEFAULT_TERMS;
  const own = await readLoanTypes(sql, entityId);
  const found = own.find((type) => type.loanType === loanType);
  if (found === undefined) {
    const known = [DEFAULT_LOAN_TYPE, ...besides, ...own.map((type) => type.loanType)];
    faults.push({ pointer: "/loan_type", detail: `must be one of ${known.join(", ")}` });
    return undefined;
  }
  const { loanType: _, ...terms } = found;
  return terms;
}

/** Builds the answer's form of a credit's or loan type's terms. */
export function termsAnswer(terms: CreditTerms): LoanTerms {
  return {
    annual_rate_bps: terms.annualRateBps,
    day_basis: terms.dayBasis,
    after_due: terms.afterDue,
    arrear_after: terms.arrearAfter,
    default_after: terms.defaultAfter,
  };
}
