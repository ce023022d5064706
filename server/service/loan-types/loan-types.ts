import type * as contract from "../../../src/contract/service/loan-types.ts";
import type { Handler } from "../../../src/contract/shared/handler.ts";
import { DEFAULT_LOAN_TYPE, DEPOSIT } from "../../ledger/decide/decide-users.ts";
import { DEFAULT_TERMS } from "../../ledger/model/credit-commands.ts";
import type { ApiCaller, ReadContext } from "../shared/service-context.ts";
import { readLoanTypes, termsAnswer } from "./read-terms.ts";

const builtIn: readonly contract.LoanType[] = Object.freeze([
  { loan_type: DEFAULT_LOAN_TYPE, built_in: true, terms: termsAnswer(DEFAULT_TERMS) },
  { loan_type: DEPOSIT, built_in: true, terms: null },
]);

/** Lists the built-in loan types, and after them those of the caller's entity, sorted by name. */
export function loanTypes({ sql }: ReadContext): Handler<typeof contract.loanTypes, ApiCaller> {
  return async ({ principal }) => {
    const own = await readLoanTypes(sql, principal.entityId);
    const answers = own.map((type) => ({ loan_type: type.loanType, built_in: false, terms: termsAnswer(type) }));
    return { body: [...builtIn, ...answers] };
  };
}
