import * as v from "valibot";
import { Id, Instant, Sum } from "../shared/fields.ts";
import type { WireSchema } from "../shared/operation.ts";
import { CounterpartySettlement } from "./counterparty-limits.ts";
import { Credit } from "./credits.ts";
import { LedgerTransaction } from "./ledger.ts";
import { TransactionQr } from "./qr.ts";
import { ReportAmount } from "./report-answers.ts";
import { Transaction } from "./transactions.ts";
import { User } from "./users.ts";
import type { EventType } from "./webhooks.ts";

/** A credit in an event: all that GET /credits has, but for the user's name. */
export const EventCredit = v.omit(Credit, ["user"]);
export type EventCredit = v.InferOutput<typeof EventCredit>;

/** A user in an event to its creator: all that get-user has, but for balance, history and suggestion. */
export const EventUser = v.omit(User, ["quota", "quota_available", "suggested_status", "history", "apn_token"]);
export type EventUser = v.InferOutput<typeof EventUser>;

const moved = { reference: v.string(), user_id: Id, user: v.string(), amount: Sum };

/** Quota that was assigned to a user, with the posting's reference. */
export const EventGrant = v.object(moved);
export type EventGrant = v.InferOutput<typeof EventGrant>;

const part = (description: string) => v.pipe(Sum, v.description(description));

/** Quota that was taken from a user, or a repayment: how it was split, and the credits that it repaid. */
export const EventRepayment = v.object({
  ...moved,
  repaid_interest: part("How much of the amount repaid interest."),
  repaid_principal: part("How much of the amount repaid principal."),
  recovered: part("How much of the amount came in of what was written off."),
  paid_out: part("What went out in cash, because nothing was owed any more."),
  credits: v.pipe(
    v.array(EventCredit),
    v.description(
      "The credits that it touched, as they stand now, in the order in which they were repaid. Empty for the user's " +
        "creator when another entity gave them.",
    ),
  ),
});
export type EventRepayment = v.InferOutput<typeof EventRepayment>;

/** How much one entity may owe another and does owe it, reported when 80 % of the limit are used. */
export const EventCounterpartyLimit = v.object({
  creditor_id: Id,
  debtor_id: Id,
  limit: ReportAmount,
  exposure: ReportAmount,
  available: ReportAmount,
});
export type EventCounterpartyLimit = v.InferOutput<typeof EventCounterpartyLimit>;

/** The documentation of a type of event, and the schema of its data. */
interface EventRow {
  readonly summary: string;
  /** When it is sent, and to whom. */
  readonly description: string;
  /** Of the message's `data`. */
  readonly data: WireSchema;
}

const PAYMENT_TOLD = "Told to the entity that made the payment and to the creators of payer and payee.";
const CREDIT_TOLD = "Told to the entity that gave the credit.";
const USER_TOLD = "Told to the user's creator.";

/** Each type of event: when it is sent, to whom, and with what `data`. */
export const eventData = Object.freeze({
  "transaction.created": {
    summary: "A payment was made",
    description:
      "Every payment, top-up and refund as it was recorded: approved, rejected or pending. One that settles at once " +
      `is told of by this event alone. ${PAYMENT_TOLD} A rejected one is told to the payer's creator alone. ` +
      "Balances are told to each user's creator only.",
    data: Transaction,
  },
  "transaction.settled": {
    summary: "A hold was settled",
    description: `The payment was pending and is approved; \`amount\` is what was settled. ${PAYMENT_TOLD}`,
    data: Transaction,
  },
  "transaction.rejected": {
    summary: "A hold came to nothing",
    description:
      "It was released or lapsed: `reason` says which. One that had taken a payment code has a new `reference` from " +
      `now on. ${PAYMENT_TOLD}`,
    data: Transaction,
  },
  "transaction.reversed": {
    summary: "A payment was given back, whole or in part",
    description:
      "The payment that was reversed: `reversed_amount` so far, and `status: reversed` once that is all of it. The " +
      `refund itself is a payment, told of as \`transaction.created\`. ${PAYMENT_TOLD}`,
    data: Transaction,
  },
  "qr.paid": {
    summary: "A payment code was paid",
    description:
      "`transaction_id` names the approved payment, which has an event of its own. Told to the entity that made the " +
      "code and to the creators of payer and payee.",
    data: TransactionQr,
  },
  "qr.expired": {
    summary: "A payment code expired unpaid",
    description:
      "Some seconds after `expires_at`, or when a hold that had taken it comes to nothing later. Told to the entity " +
      "that made the code.",
    data: TransactionQr,
  },
  "qr.cancelled": {
    summary: "A payment code was cancelled",
    description: "Told to the entity that made the code.",
    data: TransactionQr,
  },
  "ledger.transfer": {
    summary: "Balance was transferred between users",
    description:
      "Told to the creators of sender and receiver; a rejected one, with its `reason`, to the sender's alone.",
    data: LedgerTransaction,
  },
  "quota.added": {
    summary: "Quota was assigned to a user",
    description: "Also at its registration. Told to the entity that assigned it and to the user's creator.",
    data: EventGrant,
  },
  "quota.discharged": {
    summary: "Quota was taken from a user",
    description:
      "What it repaid and what was paid out. Told to the entity that took it and to the user's creator. Where it " +
      "repaid credits, `credit.repaid` tells the first of the same, with the same `reference`.",
    data: EventRepayment,
  },
  "credit.repaid": {
    summary: "Credits were repaid",
    description: `In cash or from the quota. ${CREDIT_TOLD} By repay-credit from the quota: to the user's creator too.`,
    data: EventRepayment,
  },
  "credit.written_off": { summary: "A credit was written off", description: CREDIT_TOLD, data: EventCredit },
  "credit.cancelled": { summary: "A credit was cancelled", description: CREDIT_TOLD, data: EventCredit },
  "user.created": { summary: "A user was registered", description: USER_TOLD, data: EventUser },
  "user.updated": {
    summary: "A user was changed or unblocked",
    description: `Not when a change left everything as it was. ${USER_TOLD}`,
    data: EventUser,
  },
  "user.blocked": { summary: "A user was blocked as a payer", description: USER_TOLD, data: EventUser },
  "counterparty.limit_near": {
    summary: "What one entity owes another came near its limit",
    description:
      "80 % or more of the limit are used: by postings, by what is held, or because the limit was lowered. Once, and " +
      "again only after it was less. Told to both entities.",
    data: EventCounterpartyLimit,
  },
  "counterparty.settled": {
    summary: "A settlement between entities was recorded",
    description: "The creditor recorded that the debtor paid outside what it owed. Told to both entities.",
    data: CounterpartySettlement,
  },
} as const satisfies Record<EventType, EventRow>);

/** The `data` of the events of a type. */
export type EventData<T extends EventType> = v.InferOutput<(typeof eventData)[T]["data"]>;

/** Returns the schema of a whole webhook message (`type`, `timestamp`, `data`) of one type of event. */
export function eventMessage(type: EventType) {
  return v.object({
    type: v.pipe(v.literal(type), v.description("What happened.")),
    timestamp: v.pipe(Instant, v.description("When it happened, which the attempts do not change: RFC 3339, UTC.")),
    data: eventData[type].data as WireSchema,
  });
}
