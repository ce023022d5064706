import { RECEIVER_SAMPLE } from "../shared/webhook-receiver-sample.ts";

/** Descriptions of the tags; the OpenAPI linter's test asks for every tag of the contract. */
export const serviceTags: Readonly<Record<string, string>> = Object.freeze({
  Authentication: "An access token by client credentials. Every other operation needs one.",
  Transactions: "Payments between users: single, batched, top-ups, by QR; held, settled, reversed; and their lists.",
  QR: "Payment codes (EMVCo Merchant-Presented Mode, signed) that a payer's app scans and pays.",
  Ledger: "Transfers of balance between users, apart from payments.",
  Users: "The people and businesses of the ecosystem.",
  Entity: "What the calling entity decided for the users that it created.",
  Quota: "A user's spendable balance: assigned as credit, and discharged.",
  Credits: "What users owe: terms, interest, repayment, and how credits end.",
  Reports: "Statistics and the accounting report of the calling entity, read from roll-ups.",
  Accounting: "The books of the calling entity: accounts, entries, and the closing of months.",
  Webhooks: "Events that the service sends to the caller's own addresses (Standard Webhooks).",
  "API clients": "The credentials of the calling entity.",
});

const IDENTITY = `Pay with a credit balance. **Entities** (fintechs) call this interface; **users** are the
people and businesses that they bring. A user's **quota** is a spendable balance; a **credit** is quota that is owed
back.

Any entity may look up and pay any user. Debiting is the right of the entity that created the payer, and that one says
who else may assign quota to its users: nobody, until it names \`lenders\` (PUT /entity-settings). Lists show what the
caller made, or where it created a party; what another entity's user was to pay and could not is the payer's creator's
alone. Of a user that it did not create an entity is told \`id\`, names and \`status\`, and null for the rest, whatever
it lent. Balances after a payment are told to each user's creator only. Reports cover the calling entity.

Operations and fields that the public interface does not have are marked *Extension*.`;

const REQUESTS = `## Requests and answers

- Bodies are JSON in UTF-8, at most 256 KiB, or 32 KiB where no token is asked for. An unknown field or parameter is an
  error, never ignored.
- Every answer has a \`Request-Id\`; one that was sent (at most 64 of \`A–Z a–z 0–9 _ -\`) is kept.
- \`create-…\` and \`record-settlement\` answer 201, everything else 200. A payment that is *rejected* is a record, and
  so a 201 too.
- Single reads have an \`ETag\`: send it as \`If-None-Match\`, and an unchanged answer is 304.
- \`/health/live\`, \`/health/ready\` and \`/metrics\` (Prometheus) are for those who run the service.
- Nothing may be kept by caches but this document and its reference pages.
- Ids are UUIDs of version 7. A payment **reference** is 12 random characters of Crockford base32 and one check
  character. People may read it as \`7K3M-9QXT-2V4F-W\`, and type it in either case, I and L for 1, O for 0.`;

const TOKENS = `## Tokens

Every operation but the token endpoint needs \`Authorization: Bearer\` and an access token: a signed JWT (EdDSA), good
for one hour. \`/.well-known/oauth-authorization-server\` (RFC 8414) and \`/.well-known/jwks.json\` tell OAuth libraries
all they need. A client has up to two live secrets, so that they rotate without downtime; the tokens of a client that is
disabled, and those that a retired secret obtained, are refused within one minute.

Each operation needs one scope: \`read\`, \`pay\`, \`users\`, \`quota\` or \`administration\`. A token carries all of
its client's scopes but \`administration\`, or those that the request names in \`scope\`. \`administration\` changes who
may do what; it is asked for by name, and such a token is good for five minutes. A token without the operation's scope
is 403 \`insufficient_scope\`, and \`WWW-Authenticate\` names the one that it takes.`;

const MONEY = `## Money

One currency per deployment, kept with its data: \`/.well-known/cupo-installation.json\` tells it, its decimals and the
business time zone. Amounts are exact decimals: what was sent in comes back out. They are JSON numbers, and
decimal text in quota operations. Refused are zero, negative amounts, more decimals than the currency has, and more than
15 significant digits. A JSON number is judged by its value, so that \`25.000\` is 25; text is judged by its digits, and
\`"25.000"\` refused. A ledger transfer is in whole currency units. A posting that would take a balance past
10¹⁵ − 1 minor units is rejected, reason \`balance_limit\`.`;

const DATES = `## Dates and periods

- Answers: RFC 3339, UTC, milliseconds. Requests: ISO 8601 date or date-time; without an offset it is in the
  business time zone, in which month ends, due dates and days past due are counted too.
- \`date\` of a payment is the caller's operation date: shown, never sorted by; at most 24 hours ahead.
- A bare date in \`from-date\` is the start of that business day, in \`to-date\` its **end**; date-times are half-open.
  A report without them is of the time from the first of this month until now, and of at most 400 days; it states
  both instants. A list without them is of all time.`;

const IDEMPOTENCY = `## Idempotency

Send an \`Idempotency-Key\` (at most 255 printable ASCII characters) with every POST that writes, and the same one with
every retry of that attempt. The outcome is stored in the same database transaction as the money, for 30 days:

- the header twice, as \`Authorization\` or \`Content-Type\` twice: 400 \`invalid_request\`, and nothing is done;
- the same key and body: the same answer, with \`Idempotent-Replayed: true\`;
- the same key and another body: 422 \`idempotency_key_reused\`;
- a copy while the first is running waits for its answer, at most 10 s, and then gets 409 \`request_in_progress\`.

Stored are every 2xx, and every refusal that the posting decided. Not stored are 400, 401, 403, 406, 413, 415, 429 and
5xx: such a request may be sent again with the same key. A key stands for one request of one operation, whichever client
of your entity sends it.`;

const LISTS = `## Lists and sync tokens

- A list is a plain array, newest first by recording time. \`limit\` is 1 to 500, 100 when absent.
- \`Link: <…>; rel="next"\` has the address of the next page (RFC 8288); without it the page is the last. Nothing is
  skipped or shown twice while new records arrive.
- Where a list takes \`changed-since\`, every answer has a \`Sync-Token\`. Send it as \`changed-since\` to get what was
  created *or changed* since, oldest change first, with a new token. A token is good for 30 days.
- To keep a copy: read the whole list, then sync again and again, each time with the token of the time before, and apply
  each record by its id. Nothing is missed, also while commits overlap; to that end **the same record may come again**:
  that of the last two and a half minutes does. A long sync has pages like any list; all of them carry the token of the
  first. Filters look at what a record is now, so a record that no longer fits one is not told of.
  Accounts, and lists of what you set up yourself, are short and take no \`changed-since\`: read them whole; of
  webhook deliveries ask for a \`state\`.`;

const EVENTS = `## Events

PUT /webhooks/{name} has events sent to an address of yours; each type's message is under *Webhooks* in this document. A
receiver verifies the signature, applies the event once, and answers. With the library \`standardwebhooks\` (npm; there
are ones for other languages), \`secret\` being the one that PUT answered, and a request and response of the Fetch API:

${RECEIVER_SAMPLE}

- \`verify\` takes the body **as it arrived**, before anything parses it, and throws when the signature does not fit or
  the message is more than five minutes old.
- \`applyOnce\` is yours: insert the \`webhook-id\`, unique, in the database transaction that applies the event, and
  where it is known already do nothing. The same event comes again when your answer was lost, or by redeliver-webhook:
  keep ids for 30 days.
- Whatever is not answered 2xx within 10 seconds comes again. The order is not promised: \`data\` is as of
  \`timestamp\`, so read the record anew where an older event might undo a newer one.
- What was missed meanwhile: \`/webhook-deliveries\` with \`state=failed\`, or any list by \`changed-since\`.`;

const LIMITS = `## Limits

Each client has a token bucket. \`RateLimit\` says what is left and \`RateLimit-Policy\` what there is; past it the
answer is 429 with \`Retry-After\`. Limits are generous: 1 200 000 requests a minute unless the operator set another.

Entities take turns. At most three of your entity's requests that read, or change settings, are carried out at a time,
and the others wait: for more than two seconds, or behind a thousand, the answer is 503 or 429, with \`Retry-After\`.
One whose connection is closed before its turn is dropped. Payments do not wait there.`;

const ERRORS = `## Errors

Errors are problem documents (RFC 9457): \`type\`, \`title\`, \`status\`, \`detail\`, \`code\`, \`request_id\`, and in
\`errors\` *every* fault that was found, each at its \`pointer\` (JSON Pointer into the body) or \`parameter\`. Programs
look at \`code\`, a closed set; \`detail\` is for people and may be reworded. A refused value is never repeated. Answers
of 5xx have no detail; quote their \`request_id\`. The token endpoint has errors of its own form (RFC 6749 §5.2).

Each operation lists its errors in order of precedence: where several apply, the first is answered.`;

/** The guide to all operations of the service, in Markdown; the first part of its OpenAPI document. */
export const serviceGuide = [IDENTITY, TOKENS, REQUESTS, MONEY, DATES, IDEMPOTENCY, LISTS, EVENTS, LIMITS, ERRORS].join(
  "\n\n",
);
