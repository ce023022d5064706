import type { ErrorCode, Fault } from "../../../src/contract/shared/errors.ts";
import type { RecordOf } from "./columns.ts";
import type { LimitCounterparty, LimitRecord, RecordSettlement, SettlementRecord } from "./counterparty-commands.ts";
import type {
  AccrualRecord,
  AccrualReversalRecord,
  Accrue,
  CancelCredit,
  CreditRecord,
  CreditTerms,
  Discharge,
  ImportCredit,
  RepayCredit,
  RepaymentRecord,
  ReverseAccruals,
  WriteOffCredit,
} from "./credit-commands.ts";
import type { ExpireHold, Refund, SettleHold } from "./payment-commands.ts";
import type { CancelQr, PaidQr, QrRecord, ReserveQr } from "./qr-commands.ts";
import type { TRANSACTIONS, TRANSFERS, USERS } from "./tables.ts";
import type { BlockUser, ChangedUserRecord, UpdateUser } from "./user-commands.ts";

/** A request's idempotency key and the fingerprint of its body, both as text. */
interface IdempotencyKey {
  readonly key: string;
  readonly fingerprint: string;
}

/**
 * The origin of a command: the API client that sent it, its entity, and the idempotency key, if any, with the operation
 * that the key is scoped to.
 */
export interface Origin {
  readonly clientId: string;
  readonly entityId: string;
  readonly operation: string;
  readonly idempotency: IdempotencyKey | undefined;
}

/**
 * The action of a payment between two users: settles it now, holds the money, or records a rejection without moving
 * any.
 */
export interface Payment {
  readonly type: "payment";
  readonly kind: "payment" | "batch" | "recharge" | "qr";
  readonly requestedStatus: "approved" | "pending" | "rejected";
  /** When a hold lapses by itself; only for a pending payment. */
  readonly holdExpiresAt: Date | undefined;
  readonly fromUserId: string;
  readonly toUserId: string;
  /** Names that the caller sent, to be matched against the users'. */
  readonly fromName: string | undefined;
  readonly toName: string | undefined;
  readonly amount: bigint;
  readonly date: Date | undefined;
  /** JSON text, kept as it came. */
  readonly details: string;
  /** A fresh reference; an approved payment of a dynamic QR takes the QR's instead. */
  readonly reference: string;
  readonly qr: PaidQr | undefined;
}

/** The action of a transfer of balance between two users, which is recorded apart from payments. */
export interface Transfer {
  readonly type: "transfer";
  readonly fromUserId: string;
  readonly toUserId: string;
  readonly amount: bigint;
  readonly date: Date | undefined;
  /** JSON text, kept as it came. */
  readonly details: string;
  readonly reference: string;
}

/** One payment of a batch payment: its payee, amount, details and reference. */
export interface BatchItem {
  readonly toUserId: string;
  readonly toName: string | undefined;
  readonly amount: bigint;
  /** JSON text, kept as it came. */
  readonly details: string;
  readonly reference: string;
}

/** The action of a batch payment: payments from one payer to many, in order; all of them settle, or none does. */
export interface Batch {
  readonly type: "batch";
  readonly fromUserId: string;
  readonly fromName: string | undefined;
  readonly items: readonly BatchItem[];
}

/** The action of assigning quota to a user: as a credit that is owed back, or as a deposit of cash received. */
export interface AssignQuota {
  readonly type: "assign-quota";
  readonly userId: string;
  readonly amount: bigint;
  readonly loanType: string;
  /** Of the loan type; a deposit has none. */
  readonly terms: CreditTerms | undefined;
  readonly dueDate: string | undefined;
  readonly reference: string;
}

/** The action of registering a user, with an opening credit when the quota is above zero. */
export interface RegisterUser {
  readonly type: "register-user";
  readonly user: NewUser;
  readonly quota: bigint;
  readonly reference: string;
}

/** The fields of a user to be registered; the registration adds id, creator, posted balance and time of creation. */
export type NewUser = Omit<RegisteredUser, "id" | "creatorId" | "posted" | "createdAt">;

/**
 * Stores the answer under its idempotency key and nothing else: for a static code, which reserves nothing, and for work
 * that has commits of its own.
 */
export interface RecordAnswer {
  readonly type: "remember";
}

/**
 * The reason for which an action is refused, as error code, detail and faults of the request: an expected failure that
 * moved nothing.
 */
export interface Refusal {
  readonly code: ErrorCode;
  readonly detail: string;
  readonly faults?: readonly Fault[];
}

/**
 * A refusal that was decided before the ledger is reached. It is posted, so that an earlier answer under the same
 * idempotency key is repeated instead, and so that the refusal itself is stored unless its status is 400, 401, 403 or
 * 503.
 */
export interface Refuse {
  readonly type: "refuse";
  readonly refusal: Refusal;
}

/** Ensures that no request is carried out under the key of its origin any more, unless one already was. */
export interface VoidKey {
  readonly type: "void-key";
}

/**
 * The result of {@link VoidKey}. `void`: nothing was decided under the key, and nothing will be. `used`: something was.
 */
export interface VoidedKey {
  readonly state: "void" | "used";
}

/** Every action that the ledger carries out. */
export type Action =
  | Payment
  | Batch
  | Transfer
  | SettleHold
  | ExpireHold
  | Refund
  | AssignQuota
  | Discharge
  | RepayCredit
  | WriteOffCredit
  | CancelCredit
  | ImportCredit
  | Accrue
  | LimitCounterparty
  | RecordSettlement
  | ReverseAccruals
  | RegisterUser
  | UpdateUser
  | BlockUser
  | ReserveQr
  | CancelQr
  | RecordAnswer
  | Refuse
  | VoidKey;

/** An action, its origin, and the function that makes the answer's body of the action's result. */
export interface Command<A extends Action = Action> {
  readonly origin: Origin;
  readonly action: A;
  /** The answer's body as it goes to the caller, from what was done. Pure: it runs inside the decision. */
  readonly answer: (result: ResultOf<A>) => unknown;
}

/** A payment or refund as it is recorded, held and rejected payments included. Amounts are minor units. */
export type TransactionRecord = RecordOf<typeof TRANSACTIONS>;

/** A transfer as it was decided. Amounts are minor units. */
export interface TransferRecord extends RecordOf<typeof TRANSFERS> {
  readonly status: "approved" | "rejected";
}

/** A registered user with the balance that registration left. */
export interface RegisteredUser extends Omit<RecordOf<typeof USERS>, "blockedAt" | "importedHistory" | "changedId"> {
  readonly posted: bigint;
}

/** The outcome of a quota assignment, with the user's posted balance after it. */
export interface QuotaAssignmentRecord {
  readonly reference: string;
  readonly userId: string;
  readonly userName: string;
  readonly amount: bigint;
  readonly balanceAfter: bigint;
}

interface Results {
  readonly payment: TransactionRecord;
  /** In the order of the items. */
  readonly batch: readonly TransactionRecord[];
  readonly transfer: TransferRecord;
  readonly settle: TransactionRecord;
  readonly lapse: TransactionRecord;
  /** The refund. */
  readonly reverse: TransactionRecord;
  readonly "assign-quota": QuotaAssignmentRecord;
  readonly discharge: RepaymentRecord;
  readonly "repay-credit": RepaymentRecord;
  readonly "write-off-credit": CreditRecord;
  readonly "cancel-credit": CreditRecord;
  readonly "import-credit": CreditRecord;
  readonly accrue: AccrualRecord;
  readonly "limit-counterparty": LimitRecord;
  readonly "record-settlement": SettlementRecord;
  readonly "reverse-accruals": AccrualReversalRecord;
  readonly "register-user": RegisteredUser;
  readonly "update-user": ChangedUserRecord;
  readonly "block-user": ChangedUserRecord;
  readonly "reserve-qr": QrRecord;
  readonly "cancel-qr": QrRecord;
  readonly remember: Record<string, never>;
  readonly refuse: never;
  readonly "void-key": VoidedKey;
}

/** The result of carrying out an action of this type. */
export type ResultOf<A extends Action> = Results[A["type"]];
