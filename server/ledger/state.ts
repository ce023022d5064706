import { createHash } from "node:crypto";
import type { QrRecord, RegisteredUser, TransactionRecord, TransferRecord } from "./command.ts";

/** What kinds of account an entity's books have. */
type AccountKind = "user_quota" | "credits_receivable" | "cash_clearing" | "due_to" | "due_from";

/** What an account is; fixed when it is opened. */
export interface AccountKey {
  readonly kind: AccountKind;
  readonly entityId: string;
  readonly counterpartyId: string | null;
  /** Business day, `YYYY-MM-DD`, of due-to and due-from accounts, which are never long-lived rows. */
  readonly day: string | null;
  /** The writer's slot: entities' accounts are kept per slot, so that two processes seldom wait for one another. */
  readonly slot: number | null;
}

/** An account and its balance in signed minor units: credit positive, debit negative. */
export interface Account extends AccountKey {
  readonly id: string;
  readonly posted: bigint;
  /** Part of a user's balance that holds have taken: available = posted − held. */
  readonly held: bigint;
  /** How many entries it has: the sequence number of the latest. */
  readonly entryCount: bigint;
}

/** What the ledger must know of a user to decide. */
export interface UserState {
  readonly id: string;
  readonly creatorId: string;
  readonly name: string;
  readonly businessName: string | null;
  readonly nit: string;
  readonly phone: string;
}

/** A stored answer of an earlier request with the same idempotency key. */
export interface IdempotencyRecord {
  readonly fingerprint: string;
  readonly answer: StoredAnswer;
}

/** What was answered: a body, or a refusal decided by the posting. */
export type StoredAnswer = { readonly body: string } | { readonly refusal: string };

/** Every row that is locked for a batch. */
export interface State {
  readonly users: ReadonlyMap<string, UserState>;
  /** Ids of registered users by `nit:…` and `phone:…`, of those that the batch names. */
  readonly identities: ReadonlyMap<string, string>;
  readonly accounts: ReadonlyMap<string, Account>;
  readonly qrs: ReadonlyMap<string, QrRecord>;
  readonly idempotency: ReadonlyMap<string, IdempotencyRecord>;
}

/** What a batch is decided in: the instant, the business day and the writer's slot. */
export interface Moment {
  readonly now: Date;
  /** Business day of recording, `YYYY-MM-DD`. */
  readonly day: string;
  readonly slot: number;
}

/** One double-entry posting. */
export interface Posting {
  readonly id: string;
  readonly kind: "transaction" | "credit" | "deposit" | "transfer";
  readonly reference: string;
  readonly day: string;
  readonly createdAt: Date;
}

/** One entry of a posting: never changed, and remembers the balance it left. */
export interface Entry {
  readonly accountId: string;
  readonly sequenceNumber: bigint;
  readonly postingId: string;
  readonly amount: bigint;
  readonly balanceAfter: bigint;
}

/** A credit as it is opened. */
export interface Credit {
  readonly id: string;
  readonly entityId: string;
  readonly userId: string;
  readonly loanType: string;
  readonly principal: bigint;
  readonly dueDate: string | null;
  readonly openedOn: string;
  readonly postingId: string;
  readonly createdAt: Date;
}

/** Everything that a batch writes. */
export interface Changes {
  readonly accounts: ReadonlyMap<string, Account>;
  readonly postings: readonly Posting[];
  readonly entries: readonly Entry[];
  readonly transactions: readonly TransactionRecord[];
  readonly transfers: readonly TransferRecord[];
  readonly credits: readonly Credit[];
  readonly users: readonly RegisteredUser[];
  readonly newQrs: readonly QrRecord[];
  readonly changedQrs: ReadonlyMap<string, QrRecord>;
  readonly idempotency: ReadonlyMap<string, NewIdempotencyRecord>;
}

/** An idempotent answer to keep. */
export interface NewIdempotencyRecord extends IdempotencyRecord {
  readonly clientId: string;
  readonly operation: string;
  readonly key: string;
}

/** The id of an entity's account: derived from what it is, so that no look-up is needed to find or open it. */
export function entityAccountId(key: AccountKey): string {
  const text = [key.kind, key.entityId, key.counterpartyId, key.day, key.slot].join("|");
  const bytes = createHash("sha256").update(text).digest().subarray(0, 16);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x80; // RFC 9562 §5.8: version 8, custom
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  return bytes.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

/** A new account without entries. */
export function openAccount(id: string, key: AccountKey): Account {
  return { ...key, id, posted: 0n, held: 0n, entryCount: 0n };
}

/** The scope of an idempotency key as one text. */
export function idempotencyScope(origin: { clientId: string; operation: string }, key: string): string {
  return `${origin.clientId}|${origin.operation}|${key}`;
}
