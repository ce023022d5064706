import { createHash } from "node:crypto";
import { errorCodes } from "../../../src/contract/shared/errors.ts";
import type { RecordOf } from "./columns.ts";
import type { Refusal, RegisteredUser, TransactionRecord, TransferRecord } from "./command.ts";
import type { CreditAccrual, CreditMovement, CreditRecord } from "./credit-commands.ts";
import type { LedgerEvent } from "./events.ts";
import type { Exposure, ExposureChange } from "./exposure.ts";
import type { QrRecord } from "./qr-commands.ts";
import type { ACCOUNT_DAYS, ACCOUNTS, ENTRIES, IDEMPOTENCY_RECORDS } from "./tables.ts";
import type { WholeUser } from "./user-commands.ts";

/** The kinds of account in an entity's books. */
export type AccountKind =
  | "user_quota"
  | "credits_receivable"
  | "interest_receivable"
  | "cash_clearing"
  | "losses"
  | "recoveries"
  | "interest_income"
  | "due_to"
  | "due_from";

/** An account and its balance in signed minor units: credit positive, debit negative. */
export interface LedgerAccount extends RecordOf<typeof ACCOUNTS> {
  readonly kind: AccountKind;
}

/**
 * The fields that identify an account, fixed when it is opened: kind and entity, and where they apply the counterparty,
 * the day and the writer's slot.
 */
export type AccountKey = Pick<LedgerAccount, "kind" | "entityId" | "counterpartyId" | "day" | "slot">;

/** The data of an entity that decisions need: its settings, and how far its books are closed. */
export interface EntityState {
  readonly id: string;
  /** The last day of its latest closed month. */
  readonly closedThrough: string | null;
  /** Statuses of its users that may not pay. */
  readonly blockingStatuses: readonly string[];
  readonly paymentLimit: bigint | null;
  readonly dailyLimit: bigint | null;
  /** Most that one ledger transfer may move. */
  readonly transferLimit: bigint | null;
  /** Which other entities may assign quota to its users; null: all. */
  readonly lenders: readonly string[] | null;
  /**
   * The rule for those lenders: `none` may assign nothing at present; the others may take back the principal that they
   * assigned, or all that is owed to them.
   */
  readonly foreignLenders: "none" | "principal" | "owed";
  /** True if its events are delivered to anybody. */
  readonly sendsEvents: boolean;
  /** The types of events that are delivered; all when absent. */
  readonly eventTypes?: readonly string[];
}

/** The columns of a user that no decision needs, and that a batch does not read of its parties. */
export const USER_DETAILS = [
  "email",
  "address",
  "image",
  "score",
  "paymentData",
  "apnTokenHash",
  "createdAt",
  "importedHistory",
  "changedId",
] as const;

/** The data of a user that decisions need. */
export type UserState = Omit<WholeUser, (typeof USER_DETAILS)[number]>;

/**
 * The stored answer of an earlier request with the same idempotency key, and the fingerprint of that request's body.
 */
export interface IdempotencyRecord {
  readonly fingerprint: string;
  readonly answer: KeptAnswer;
}

/** An answer to a request with an idempotency key, as JSON text: of its body, or of the refusal. */
export type StoredAnswer = { readonly body: string } | { readonly refusal: string };

/** An answer as it is read; the body of one that told a payment is worded again, of the payment as it was recorded. */
export type KeptAnswer = StoredAnswer | { readonly recorded: TransactionRecord };

/** Refusals that the posting did not decide are answered anew each time (interface: Idempotency). */
const NEVER_KEPT: ReadonlySet<number> = new Set([400, 401, 403, 503]);

/**
 * True if a refusal is stored under the idempotency key, for copies of the request: unless its status is 400, 401, 403
 * or 503.
 */
export function isKept({ code }: Refusal): boolean {
  return !NEVER_KEPT.has(errorCodes[code].status);
}

/**
 * The records that a batch is decided on, as they were read: those that it may change are locked or guarded by a lock,
 * except for a preview.
 */
export interface State {
  readonly users: ReadonlyMap<string, UserState>;
  /** Ids of registered users by `nit:…` and `phone:…`, of those that the batch names. */
  readonly identities: ReadonlyMap<string, string>;
  /** Whole records of the users that the batch changes. */
  readonly wholeUsers: ReadonlyMap<string, WholeUser>;
  /** The callers' entities, and those that created the users. */
  readonly entities: ReadonlyMap<string, EntityState>;
  readonly accounts: ReadonlyMap<string, LedgerAccount>;
  /** Recorded payments that the batch changes. */
  readonly transactions: ReadonlyMap<string, TransactionRecord>;
  /** Of the users at the entities whose credits the batch may change: those that may be owed, and those it names. */
  readonly credits: ReadonlyMap<string, CreditRecord>;
  readonly qrs: ReadonlyMap<string, QrRecord>;
  /** Of the entities between which the batch may move money, both ways, by direction. */
  readonly exposures: ReadonlyMap<string, Exposure>;
  readonly idempotency: ReadonlyMap<string, IdempotencyRecord>;
  /** Of credits whose interest the batch reverses. */
  readonly accruals?: ReadonlyMap<string, AccrualsSince>;
}

/** The interest of a credit for one day, less what was reversed of it, and the latest posting that booked it. */
export interface AccruedDay {
  readonly day: string;
  readonly amount: bigint;
  readonly postingId: string;
}

/** The days that a credit accrued from some day on, and its last movement. */
export interface AccrualsSince {
  readonly days: readonly AccruedDay[];
  readonly lastMovement: { readonly day: string; readonly postingId: string };
}

/** The context that a batch is decided in: the instant, the business day and the writer's slot. */
export interface PostingTime {
  readonly now: Date;
  /** Business day of recording, `YYYY-MM-DD`. */
  readonly day: string;
  readonly slot: number;
  /** False once the clock strayed, until a person confirms the time: then no interest is accrued. Default: true. */
  readonly isClockSure?: boolean;
}

/** One double-entry posting without its entries, which are {@link LedgerEntry} records; `day` is the booking day. */
export interface Posting {
  readonly id: string;
  readonly kind:
    | "transaction"
    | "transfer"
    | "credit"
    | "deposit"
    | "accrual"
    | "accrual_reversal"
    | "discharge"
    | "repayment"
    | "write_off"
    | "cancellation"
    | "import"
    | "settlement";
  readonly reference: string;
  readonly day: string;
  readonly createdAt: Date;
}

/** One entry of a posting: immutable, with the balance that it left. */
export type LedgerEntry = RecordOf<typeof ENTRIES>;

/**
 * The change of an already recorded payment by a batch: its record before and after, and with each status that it took
 * on.
 */
export interface TransactionChange {
  readonly before: TransactionRecord;
  readonly after: TransactionRecord;
  /** The payment with each status that it took on in this batch, in order. */
  readonly statuses: readonly TransactionRecord[];
  /** Drawn at the change. */
  readonly changeId: string;
}

/** The events of a payment: it is recorded with one of the first three; the others may follow. */
export type PaymentEventName = "approved" | "pending" | "rejected" | "settled" | "released" | "refunded";

/** An event of a payment, as the statistics of the entity that made the payment count it: on its own day, once. */
export interface PaymentEvent {
  readonly entityId: string;
  /** `YYYY-MM-DD`; in no closed month of the entity. */
  readonly day: string;
  readonly kind: string;
  readonly event: PaymentEventName;
  /** Of a refund, what was given back. */
  readonly amount: bigint;
  /** Why nothing was moved; null where something was, or no reason was given. */
  readonly reason: string | null;
}

/** The debits and credits that a batch adds to the roll-up of an entity's accounts of a kind on a booking day. */
export interface LedgerDay {
  readonly entityId: string;
  readonly kind: AccountKind;
  readonly counterpartyId: string | null;
  readonly day: string;
  readonly debit: bigint;
  readonly credit: bigint;
}

/**
 * The figures that a batch adds to the roll-up of an entity's credits of a loan type on a booking day; absent ones are
 * zero.
 */
export interface CreditDay {
  readonly granted?: bigint;
  readonly repaid?: bigint;
  readonly cancelled?: bigint;
  readonly writtenOff?: bigint;
  /** Repaid of written-off credits. */
  readonly recovered?: bigint;
  /** Principal that was paid after its due date. */
  readonly latePrincipal?: bigint;
  readonly interestAccrued?: bigint;
  readonly interestPaid?: bigint;
  readonly interestCancelled?: bigint;
  readonly interestWrittenOff?: bigint;
  /** Interest that falls due on this day: of its credits, accrued through their due date, less what was cancelled. */
  readonly interestDue?: bigint;
  /** The part of the interest falling due on this day that was paid by then. */
  readonly interestOnTime?: bigint;
  /** Interest that was paid on this day after its due date. */
  readonly lateInterest?: bigint;
}

/** The entity, booking day and loan type that figures of credits are for, and these figures. */
export interface CreditDayOf {
  readonly entityId: string;
  readonly day: string;
  readonly loanType: string;
  readonly figures: CreditDay;
}

/** Everything that a batch writes. */
export interface Changes {
  readonly accounts: ReadonlyMap<string, LedgerAccount>;
  readonly postings: readonly Posting[];
  readonly entries: readonly LedgerEntry[];
  readonly transactions: readonly TransactionRecord[];
  readonly transfers: readonly TransferRecord[];
  readonly changedTransactions: ReadonlyMap<string, TransactionChange>;
  readonly paymentEvents: readonly PaymentEvent[];
  readonly newCredits: ReadonlyMap<string, CreditRecord>;
  readonly changedCredits: ReadonlyMap<string, CreditRecord>;
  readonly creditMovements: readonly CreditMovement[];
  readonly creditAccruals: readonly CreditAccrual[];
  readonly creditDays: ReadonlyMap<string, CreditDayOf>;
  readonly ledgerDays: ReadonlyMap<string, LedgerDay>;
  /** Users' accounts with an entry that is booked on another day than the entry before it. */
  readonly accountDays: readonly RecordOf<typeof ACCOUNT_DAYS>[];
  readonly events: readonly LedgerEvent[];
  readonly users: readonly RegisteredUser[];
  readonly changedUsers: ReadonlyMap<string, WholeUser>;
  readonly newQrs: readonly QrRecord[];
  readonly changedQrs: ReadonlyMap<string, QrRecord>;
  readonly exposureChanges: readonly ExposureChange[];
  readonly idempotency: ReadonlyMap<string, NewIdempotencyRecord>;
}

/**
 * An answer to be stored under its idempotency key, with the key's scope and the fingerprint of the request's body. Of
 * one with a transaction only that is stored: its row tells the answer for ever.
 */
export type NewIdempotencyRecord = IdempotencyRecord &
  Omit<RecordOf<typeof IDEMPOTENCY_RECORDS>, "answer" | "createdAt">;

/** Derives the id of an entity's account from its key, so that no look-up is needed to find or open it. */
export function entityAccountId(key: AccountKey): string {
  const text = [key.kind, key.entityId, key.counterpartyId, key.day, key.slot].join("|");
  const bytes = createHash("sha256").update(text).digest().subarray(0, 16);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x80; // RFC 9562 §5.8: version 8, custom
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  return bytes.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

/** Returns a new account without entries, its balance zero; stores nothing. */
export function openAccount(id: string, key: AccountKey): LedgerAccount {
  return { ...key, id, posted: 0n, held: 0n, entryCount: 0n, activeOn: null, spent: 0n, spentOn: null, version: 0n };
}

/**
 * Returns an idempotency key with its scope as one text: entity, operation and key, whichever of the entity's clients
 * sends it.
 */
export function idempotencyScope(origin: { entityId: string; operation: string }, key: string): string {
  return `${origin.entityId}|${origin.operation}|${key}`;
}
