import * as v from "valibot";
import { AmountText, Id, OwedText } from "../shared/fields.ts";
import { operation } from "../shared/operation.ts";
import { ReportAmount } from "./report-answers.ts";

const limitFields = { limit: ReportAmount, exposure: ReportAmount, held: ReportAmount, available: ReportAmount };

/** How much the caller and another entity may owe, and do owe, each other: limit and exposure in both directions. */
export const CounterpartyLimit = v.object({
  counterparty_id: Id,
  counterparty: v.string(),
  is_set: v.boolean(),
  ...limitFields,
  own: v.object(limitFields),
});
export type CounterpartyLimit = v.InferOutput<typeof CounterpartyLimit>;

/** A settlement between two entities. */
export const CounterpartySettlement = v.object({
  reference: v.string(),
  creditor_id: Id,
  debtor_id: Id,
  amount: ReportAmount,
});
export type CounterpartySettlement = v.InferOutput<typeof CounterpartySettlement>;

export const counterpartyLimits = operation({
  name: "counterpartyLimits",
  method: "GET",
  path: "/counterparty-limits",
  tag: "Entity",
  summary: "What other entities owe you, and how much they may",
  description:
    "Extension. Every payment, transfer and grant of quota that crosses entities makes one of them owe the other; " +
    "what goes the other way counts against it. `exposure` is what the counterparty owes you, and will once what is " +
    "`held` is settled: below zero where you owe it. It cannot pass `limit`, which you set (`is_set`) or the " +
    "operator of the installation did: `available` is what is left, below zero once a refund passed it or you " +
    "lowered the limit. `own` is the same of what you owe the counterparty, whose limit it is. Entities that never " +
    "dealt with yours are not listed. The list is whole: there are no pages.",
  access: "bearer",
  scope: "read",
  answer: v.array(CounterpartyLimit),
  status: 200,
  writes: false,
  errors: [],
});

export const putCounterpartyLimit = operation({
  name: "putCounterpartyLimit",
  method: "PUT",
  path: "/counterparty-limits/:entity_id",
  tag: "Entity",
  summary: "Limit what another entity may come to owe you",
  description:
    "Extension. The limit holds from the next posting on. What would pass it is rejected: payments, holds (when they " +
    "are made) and ledger transfers with the reason `counterparty_limit`, grants and repayments from the quota with " +
    "the 409 of that name; refunds and the cancellation of a wrong credit always pass, and count. Null goes back to " +
    "the installation's limit, or to twice what was owed when limits were introduced, if that is more. When the " +
    "exposure comes to 80 % of the limit both entities are told `counterparty.limit_near`, and told again once it " +
    "was less. PUT is the same once or twice, so it takes no Idempotency-Key.",
  access: "bearer",
  scope: "administration",
  params: v.strictObject({ entity_id: Id }),
  body: v.strictObject({ limit: v.nullable(OwedText) }),
  responseOnly: ["exposure", "held", "available", "own", "is_set"],
  answer: CounterpartyLimit,
  status: 200,
  writes: true,
  errors: ["not_found", "entity_not_found"],
});

export const recordSettlement = operation({
  name: "recordSettlement",
  method: "POST",
  path: "/record-settlement",
  tag: "Entity",
  summary: "Record what another entity paid you outside",
  description:
    "Extension, for the entity that was owed. `debtor_id` paid you `amount` of what it owes you, by bank for " +
    "example: the debt is less by it, and so is the exposure. On both books it goes from `due_from` and `due_to` to " +
    "`cash_clearing`, and both entities are told `counterparty.settled`. Never more than is owed, without what is " +
    "only held: 409 `more_than_owed`. `reference` is the posting's, which the entries of both show.",
  access: "bearer",
  scope: "administration",
  body: v.strictObject({ debtor_id: Id, amount: AmountText }),
  responseOnly: ["reference", "creditor_id"],
  answer: CounterpartySettlement,
  status: 201,
  writes: true,
  errors: ["entity_not_found", "more_than_owed"],
});
