import type * as contract from "../../../src/contract/service/loan-types.ts";
import { ApiError } from "../../../src/contract/shared/errors.ts";
import type { Handler } from "../../../src/contract/shared/handler.ts";
import type { BodyOf } from "../../../src/contract/shared/operation.ts";
import { type CreditTerms, DEFAULT_TERMS } from "../../ledger/model/credit-commands.ts";
import { type AccessDecision, recordAccess } from "../shared/record-access.ts";
import type { ApiCaller, ServiceContext } from "../shared/service-context.ts";
import { isBuiltIn, type OwnLoanType, readLoanTypes, termsAnswer } from "./read-terms.ts";

/** Loan types of an entity's own at most: the list has no pages. */
const MOST_LOAN_TYPES = 100;

function termsOf(body: BodyOf<typeof contract.putLoanType>): CreditTerms {
  return {
    annualRateBps: body.annual_rate_bps,
    dayBasis: body.day_basis ?? DEFAULT_TERMS.dayBasis,
    afterDue: body.after_due,
    arrearAfter: body.arrear_after ?? DEFAULT_TERMS.arrearAfter,
    defaultAfter: body.default_after ?? DEFAULT_TERMS.defaultAfter,
  };
}

/** The caller, as it is recorded. */
type Asker = Pick<AccessDecision, "madeBy" | "requestId"> & { readonly entityId: string };

/** Saves a loan type; the entity is locked so that two concurrent requests do not pass the limit together. */
async function keep({ sql, clock }: ServiceContext, type: OwnLoanType, { entityId, ...by }: Asker): Promise<void> {
  await sql.begin(async (tx) => {
    await tx`select 1 from service.entities where id = ${entityId} for no key update`;
    const own = await readLoanTypes(tx, entityId);
    if (own.length >= MOST_LOAN_TYPES && !own.some(({ loanType }) => loanType === type.loanType)) {
      throw new ApiError("loan_type_limit", { detail: `An entity has at most ${MOST_LOAN_TYPES} loan types.` });
    }
    const row = {
      entity_id: entityId,
      loan_type: type.loanType,
      annual_rate_bps: type.annualRateBps,
      day_basis: type.dayBasis,
      after_due: type.afterDue,
      arrear_after: type.arrearAfter,
      default_after: type.defaultAfter,
      changed_at: clock(),
    };
    await tx`
      insert into service.loan_types ${tx(row)} on conflict (entity_id, loan_type) do update set
        annual_rate_bps = excluded.annual_rate_bps, day_basis = excluded.day_basis, after_due = excluded.after_due,
        arrear_after = excluded.arrear_after, default_after = excluded.default_after, changed_at = excluded.changed_at`;
    const record = { ...by, action: "putLoanType", subject: `${entityId}/${type.loanType}`, outcome: "done" };
    await recordAccess(tx, record, row.changed_at);
  });
}

/** Makes a loan type of the caller's, or replaces its terms for the credits to come. */
export function putLoanType(service: ServiceContext): Handler<typeof contract.putLoanType, ApiCaller> {
  return async ({ params: { loan_type: loanType }, body, principal: { entityId, clientId }, requestId }) => {
    if (isBuiltIn(loanType)) {
      throw new ApiError("loan_type_built_in", { detail: "That loan type is built in: give yours another name." });
    }
    const terms = termsOf(body);
    await keep(service, { loanType, ...terms }, { entityId, madeBy: clientId, requestId });
    return { body: { loan_type: loanType, built_in: false, terms: termsAnswer(terms) } };
  };
}
