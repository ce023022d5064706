import { RECEIVER_SAMPLE } from "../../shared/webhook-receiver-sample.ts";

/** Descriptions of the tags of the merchant interface. */
export const merchantTags: Readonly<Record<string, string>> = Object.freeze({
  Merchants: "Sessions, by which the merchant's pages show a code to pay, a till, or a quota.",
  Payments: "Payments by which the merchant's sessions were paid.",
  Refunds: "Money that goes back to a payer.",
  Recharges: "Top-ups that the merchant's tills sold.",
  Webhooks: "Events that the broker sends to the merchant's own address (Standard Webhooks), and their deliveries.",
});

const IDENTITY = `What a **merchant's backend** calls: it starts a session for an order, shows the session on its page
with an element such as \`<pay-qr>\`, and learns for certain what was paid. Amounts are JSON numbers in currency units,
exact. Ids are UUIDs; times are RFC 3339 in UTC; a \`day\` is one of the business time zone.`;

const KEYS = `## Keys

\`Authorization: Bearer\` with the server key, \`sk_…\`, which stays in the backend: whoever has it has all of this
interface. The publishable key, \`pk_…\`, may stand in a page: it starts payment sessions for that page, and does
nothing else. The element has the session's own token, \`ws_…\`, which is good for that one session on its one origin.
Keys are shown once, when they are made; a successor and the key before it are good side by side until the operator
retires one.

Top-ups, quotas of users and refunds need a power that the operator gives to the merchant.`;

const REQUESTS = `## Requests and answers

- Bodies are JSON in UTF-8. An unknown field or parameter is an error, never ignored; new fields may come in answers.
- Every answer has a \`Request-Id\`; one that was sent (at most 64 of \`A–Z a–z 0–9 _ -\`) is kept.
- Single reads have an \`ETag\`: send it as \`If-None-Match\`, and an unchanged answer is 304.
- Asking again is safe. A session is found again by its \`order\` while it is payable or paid, or by the
  \`Idempotency-Key\` of the request that made it; a refund by its \`Idempotency-Key\`, without which none is made.
- \`RateLimit\` says how many requests are left and \`RateLimit-Policy\` how many there are; past them the answer is 429
  with \`Retry-After\`.`;

const LISTS = `## Lists

Newest first, at most \`limit\` to a page. The next page is at the address in \`Link\`; its \`cursor\` is opaque.
Payments come with a \`Sync-Token\`: send it as \`changed-since\` for all that was paid or given back since.`;

const EVENTS = `## Events

A merchant with a \`webhook_url\` is sent \`payment.paid\`, \`payment.refunded\` and \`payment.expired\`. Each message
is signed with the merchant's webhook secret, \`whsec_…\`; a receiver verifies it as it arrived, and applies each
\`webhook-id\` once. With \`standardwebhooks\` (npm; there are ones for other languages):

${RECEIVER_SAMPLE}

What is not answered 2xx within 10 seconds comes again for 72 hours, in no promised order. Events can be lost with
their receiver, so that an order that matters is also asked for: GET /v1/sessions/{session_id}.`;

const ERRORS = `## Errors

Errors are problem documents (RFC 9457): \`type\`, \`title\`, \`status\`, \`detail\`, \`code\`, \`request_id\`, and in
\`errors\` every fault that was found. Programs look at \`code\`; \`detail\` is for people and may be reworded. Answers
of 5xx have no detail; quote their \`request_id\`. Each operation lists its errors in order of precedence.`;

/** The guide to the merchant interface, in Markdown; the first part of its OpenAPI document. */
export const merchantGuide = [IDENTITY, KEYS, REQUESTS, LISTS, EVENTS, ERRORS].join("\n\n");
