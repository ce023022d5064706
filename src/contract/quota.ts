import * as v from "valibot";
import { AmountText, DayInput, Id, text } from "./fields.ts";
import { operation } from "./operation.ts";

/** A sentence for people, and the posting's reference. */
const QuotaResult = v.object({ message: v.string(), response: v.string() });

const who = { id: v.optional(Id), nit: v.optional(text(40)) };
const hasWho = (body: { readonly id?: string | undefined; readonly nit?: string | undefined }): boolean =>
  body.id !== undefined || body.nit !== undefined;

export const addQuota = operation({
  name: "addQuota",
  method: "POST",
  path: "/add-quota",
  tag: "Quota",
  summary: "Assign quota to a user",
  description:
    "Opens a credit of `loan_type`, due on `payment_date` (today or later), and adds the amount to the user's " +
    "balance. The built-in type `deposit` (cash received today) opens none. `id` or `nit` says who; with both they " +
    "must be the same user.",
  access: "bearer",
  body: v.pipe(
    v.strictObject({
      amount: AmountText,
      financial_entity_id: v.optional(Id),
      ...who,
      loan_type: text(40),
      payment_date: DayInput,
    }),
    v.check((body) => hasWho(body), "must have id or nit, to say who"),
  ),
  answer: QuotaResult,
  status: 200,
  writes: true,
  errors: ["entity_not_yours", "user_not_found", "balance_limit"],
});

export const dischargeQuota = operation({
  name: "dischargeQuota",
  method: "POST",
  path: "/discharge-quota",
  tag: "Quota",
  summary: "Take quota from a user: repays, then pays out",
  access: "bearer",
  body: v.pipe(
    v.strictObject({ amount: AmountText, ...who }),
    v.check((body) => hasWho(body), "must have id or nit, to say who"),
  ),
  answer: QuotaResult,
  status: 200,
  writes: true,
  errors: ["not_implemented", "user_not_found", "user_not_yours", "insufficient_balance"],
});
