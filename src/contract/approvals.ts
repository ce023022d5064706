import * as v from "valibot";
import { Approval, Scan } from "./broker-answers.ts";
import { Amount, Id, ReferenceInput, text } from "./fields.ts";
import { operation } from "./operation.ts";

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
  body: v.strictObject({ payload: text(1024), amount: v.optional(Amount), note: v.optional(text(140)) }),
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
  body: v.strictObject({
    payee: v.string(),
    amount: Amount,
    reference: v.optional(v.string()),
    demo: v.optional(v.literal(true)),
  }),
  answer: Approval,
  status: 200,
  writes: true,
  errors: ["not_found", "not_allowed", "approval_mismatch", "approval_expired", "upstream_failed"],
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
