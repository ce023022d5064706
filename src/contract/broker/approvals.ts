import * as v from "valibot";
import { Amount, Id, label, ReferenceInput, text } from "../shared/fields.ts";
import { operation } from "../shared/operation.ts";
import { Approval, Scan } from "./broker-answers.ts";
import { Credential, refusedProofs } from "./passkeys.ts";

const person = { tag: "Payments", access: "person" } as const;

export const createScan = operation({
  ...person,
  name: "createScan",
  method: "POST",
  path: "/v1/scans",
  summary: "What the server knows of a scanned code or a typed reference",
  body: v.pipe(
    v.strictObject({
      payload: v.optional(text(1024)),
      reference: v.optional(ReferenceInput),
      link: v.optional(text(2048)),
    }),
    v.check((body) => Object.keys(body).length === 1, "must have exactly one of payload, reference and link"),
  ),
  answer: Scan,
  status: 200,
  writes: false,
  errors: ["qr_not_authentic", "qr_not_found", "upstream_failed"],
});

export const openApproval = operation({
  ...person,
  name: "openApproval",
  method: "POST",
  path: "/v1/approvals",
  summary: "Open an approval: what the person is about to pay, stored for two minutes",
  description:
    "`payload` pays a code; `handle` transfers balance, in whole units, to the person of a look-up, `contact_id` to " +
    "the counterparty of a movement; `transaction_id` gives a received payment back, all that is left without " +
    "`amount`. `payee` is the name as the person is told it, see `Movement`.",
  body: v.pipe(
    v.strictObject({
      payload: v.optional(text(1024)),
      handle: v.optional(text(100)),
      contact_id: v.optional(Id),
      transaction_id: v.optional(Id),
      amount: v.optional(Amount),
      note: v.optional(label(140)),
    }),
    v.check(
      ({ payload, handle, contact_id, transaction_id }) =>
        [payload, handle, contact_id, transaction_id].filter((given) => given !== undefined).length === 1,
      "must have exactly one of payload, handle, contact_id and transaction_id",
    ),
  ),
  answer: Approval,
  status: 201,
  writes: true,
  errors: [
    "qr_not_authentic",
    "qr_not_found",
    "not_allowed",
    "idempotency_key_reused",
    "qr_mismatch",
    "qr_other_payer",
    "qr_cancelled",
    "qr_already_paid",
    "qr_expired",
    "look_up_expired",
    "transaction_not_found",
    "transaction_not_reversible",
    "refund_too_large",
    "limit_exceeded",
    "upstream_failed",
  ],
});

export const confirmApproval = operation({
  ...person,
  name: "confirmApproval",
  method: "POST",
  path: "/v1/approvals/:id/confirm",
  summary: "Approve the payment; asking again tells the outcome",
  params: v.strictObject({ id: Id }),
  description: "The fields are what the person saw. `credential` is the passkey's answer to the approval's `options`.",
  body: v.strictObject({
    payee: v.string(),
    amount: Amount,
    reference: v.optional(v.string()),
    credential: v.optional(Credential),
    demo: v.optional(v.literal(true)),
  }),
  answer: Approval,
  status: 200,
  writes: true,
  errors: [
    "not_found",
    "not_allowed",
    "approval_mismatch",
    "approval_expired",
    "device_too_new",
    ...refusedProofs,
    "limit_exceeded",
    "upstream_failed",
  ],
});

export const withdrawApproval = operation({
  ...person,
  name: "withdrawApproval",
  method: "POST",
  path: "/v1/approvals/:id/withdraw",
  summary: "Withdraw an approval that nobody has confirmed; of any other it tells the outcome",
  description:
    "For whoever got no answer to a confirmation. Once the state is `withdrawn` or `expired`, this approval pays " +
    "nothing: a confirmation that arrives later is refused as `approval_expired`.",
  params: v.strictObject({ id: Id }),
  answer: Approval,
  status: 200,
  writes: true,
  errors: ["not_found", "upstream_failed"],
});

export const approval = operation({
  ...person,
  name: "approval",
  method: "GET",
  path: "/v1/approvals/:id",
  summary: "What became of an approval",
  params: v.strictObject({ id: Id }),
  answer: Approval,
  status: 200,
  writes: false,
  errors: ["not_found", "upstream_failed"],
});
