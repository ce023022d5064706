import { addDays } from "../../../src/calendar-day.ts";
import type * as contract from "../../../src/contract/service/credits.ts";
import type { Fault } from "../../../src/contract/shared/errors.ts";
import type { Handler } from "../../../src/contract/shared/handler.ts";
import type { BodyOf } from "../../../src/contract/shared/operation.ts";
import { createPaymentReference } from "../../../src/payment-reference.ts";
import type { Refuse } from "../../ledger/model/command.ts";
import type { ImportCredit } from "../../ledger/model/credit-commands.ts";
import { readTerms } from "../loan-types/read-terms.ts";
import { findWho, invalidRequest } from "../quota/find-named-user.ts";
import { type ApiCaller, post, readAmount, readOwed, type ServiceContext } from "../shared/service-context.ts";
import type { LookUpCall } from "../users/look-up-user.ts";
import { creditAnswer } from "./credit-answer.ts";

/** Days whose interest may be missing: they accrue in one commit. */
const MOST_MISSING_DAYS = 400;

type Body = BodyOf<typeof contract.importCredit>;

/** The lent principal and the debt that is left of it, in minor units. */
interface Owed {
  readonly principal: bigint;
  readonly outstanding: bigint;
  readonly unpaidInterest: bigint;
}

function readDebt({ currency }: ServiceContext, body: Body, faults: Fault[]): Owed {
  const optional = (text: string, pointer: string): bigint => readOwed(currency, text, pointer, faults);
  const principal = readAmount(currency, body.principal, "/principal", faults);
  const outstanding = body.outstanding === undefined ? principal : optional(body.outstanding, "/outstanding");
  const unpaidInterest = optional(body.unpaid_interest ?? "0", "/unpaid_interest");
  if (outstanding > principal) faults.push({ pointer: "/outstanding", detail: "must be at most the principal" });
  if (faults.length === 0 && outstanding + unpaidInterest === 0n) {
    faults.push({ pointer: "/outstanding", detail: "must be above zero where no interest is owed" });
  }
  return { principal, outstanding, unpaidInterest };
}

function dayFaults({ opened_on: openedOn, due_date: dueDate }: Body, accruedThrough: string, today: string): Fault[] {
  const faults: Fault[] = [];
  if (openedOn > today) faults.push({ pointer: "/opened_on", detail: "must be today or earlier" });
  if (dueDate !== undefined && dueDate < openedOn) {
    faults.push({ pointer: "/due_date", detail: "must not be before opened_on" });
  }
  const pointer = "/accrued_through";
  if (accruedThrough > today) faults.push({ pointer, detail: "must be today or earlier" });
  else if (accruedThrough < openedOn && openedOn <= today) {
    faults.push({ pointer, detail: "must not be before opened_on" });
  } else if (accruedThrough < addDays(today, -MOST_MISSING_DAYS)) {
    faults.push({ pointer, detail: `must be at most ${MOST_MISSING_DAYS} days ago` });
  }
  return faults;
}

/** Reads the import, or its refusal; either goes through the ledger. */
async function readImport(
  service: ServiceContext,
  call: LookUpCall & { readonly body: Body },
  today: string,
): Promise<{ readonly action: ImportCredit | Refuse; readonly userName: string }> {
  const { body, principal } = call;
  const faults: Fault[] = [];
  const refuse = (refusal: Refuse["refusal"]) => ({ action: { type: "refuse", refusal } as const, userName: "" });
  const accruedThrough = body.accrued_through ?? today;
  const terms = await readTerms(service, principal.entityId, body.loan_type, faults);
  const owed = readDebt(service, body, faults);
  faults.push(...dayFaults(body, accruedThrough, today));
  if (terms === undefined || faults.length > 0) return refuse(invalidRequest(faults));
  const user = await findWho(service, body, call);
  if ("code" in user) return refuse(user);
  const action = {
    type: "import-credit",
    userId: user.id,
    ...owed,
    loanType: body.loan_type,
    terms,
    openedOn: body.opened_on,
    dueDate: body.due_date,
    accruedThrough,
    reference: createPaymentReference(service.random),
  } as const;
  return { action, userName: user.name };
}

/** Imports a credit that ran in another system, of a user that the caller's entity created. */
export function importCredit(service: ServiceContext): Handler<typeof contract.importCredit, ApiCaller> {
  const { currency } = service;
  return async (call) => {
    const day = service.time.dayOf(service.clock());
    const { action, userName } = await readImport(service, call, day);
    return post(service, "importCredit", call, {
      action,
      answer: (credit) => creditAnswer(credit, { userName, day, currency }),
    });
  };
}
