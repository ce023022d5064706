import { randomBytes } from "node:crypto";
import { v7 as uuid } from "uuid";
import type {
  Action,
  AssignQuota,
  Batch,
  BatchItem,
  Command,
  NewUser,
  Origin,
  Payment,
  RecordAnswer,
  Refusal,
  Refuse,
  RegisteredUser,
  RegisterUser,
  ResultOf,
  Transfer,
} from "../../server/ledger/model/command.ts";
import type { ExpireHold, Refund, SettleHold } from "../../server/ledger/model/payment-commands.ts";
import type { CancelQr, PaidQr, ReserveQr } from "../../server/ledger/model/qr-commands.ts";
import type { BlockUser, UpdateUser } from "../../server/ledger/model/user-commands.ts";

/** An entity and an API client of it. */
export interface TestEntity {
  readonly id: string;
  readonly clientId: string;
}

/** When tests happen, where the instant does not matter. */
export const NOW = new Date("2026-03-31T15:04:05.678Z");
export const DAY = "2026-03-31";

/** A reference that no other has. */
function aReference(): string {
  return randomBytes(8).toString("hex").slice(0, 13).toUpperCase();
}

/** The origin of a command: the entity's client, with or without an idempotency key. */
export function anOrigin(entity: TestEntity, key?: string, fingerprint = "fingerprint"): Origin {
  const idempotency = key === undefined ? undefined : { key, fingerprint };
  return { clientId: entity.clientId, entityId: entity.id, operation: "operation", idempotency };
}

function inOrder(value: object): object {
  return Array.isArray(value) ? value : Object.fromEntries(Object.entries(value).sort());
}

/**
 * The JSON of a result: what a handler would answer, in an order of its own, with every column, so that tests can look
 * at all of it.
 */
function plainAnswer(result: object): unknown {
  return JSON.parse(
    JSON.stringify(inOrder(result), (_key, value: unknown) => (typeof value === "bigint" ? String(value) : value)),
  );
}

/** An action as an entity asks for it; the answer is the whole result unless the test wants another. */
export function aCommand<A extends Action>(
  origin: Origin,
  action: A,
  answer: (result: ResultOf<A>) => unknown = plainAnswer,
): Command<A> {
  return { origin, action, answer };
}

/** A payment to be settled now. */
export function aPayment(fromUserId: string, toUserId: string, amount: bigint, more: Partial<Payment> = {}): Payment {
  return {
    type: "payment",
    kind: "payment",
    requestedStatus: "approved",
    holdExpiresAt: undefined,
    fromUserId,
    toUserId,
    fromName: undefined,
    toName: undefined,
    amount,
    date: undefined,
    details: "{}",
    reference: aReference(),
    qr: undefined,
    ...more,
  };
}

/** A transfer of balance. */
export function aTransfer(
  fromUserId: string,
  toUserId: string,
  amount: bigint,
  more: Partial<Transfer> = {},
): Transfer {
  const fields = { fromUserId, toUserId, amount, date: undefined, details: "{}", reference: aReference() };
  return { type: "transfer", ...fields, ...more };
}

/** A batch of payments; each item has defaults for the fields that do not matter. */
export function aBatch(fromUserId: string, items: readonly Partial<BatchItem>[], fromName?: string): Batch {
  const whole = items.map((item) => ({
    toUserId: "",
    toName: undefined,
    amount: 1n,
    details: "{}",
    reference: aReference(),
    ...item,
  }));
  return { type: "batch", fromUserId, fromName, items: whole };
}

/** The payment of a dynamic QR, as its payload says. */
export function aQrPayment(qr: ReserveQr, fromUserId: string, more: Partial<Payment> = {}): Payment {
  const paid: PaidQr = { reference: qr.reference, payeeId: qr.toUserId, amount: qr.amount };
  return aPayment(fromUserId, qr.toUserId, qr.amount, { kind: "qr", qr: paid, ...more });
}

/** Quota assigned as a credit of the default loan type. */
export function aGrant(userId: string, amount: bigint, more: Partial<AssignQuota> = {}): AssignQuota {
  return {
    type: "assign-quota",
    userId,
    amount,
    loanType: "default",
    terms: undefined,
    dueDate: "2026-12-31",
    reference: aReference(),
    ...more,
  };
}

/** A user's record, with a nit and a phone that no other has. */
export function aNewUser(more: Partial<NewUser> = {}): NewUser {
  const nit = randomBytes(8).toString("hex");
  return {
    name: "Ana Gómez",
    businessName: null,
    nit,
    phone: `+57${nit}`,
    email: null,
    address: null,
    image: null,
    score: null,
    status: "active",
    paymentData: "{}",
    apnTokenHash: new Uint8Array([0, 1, 254, 255]),
    ...more,
  };
}

/** A registration, with an opening quota. */
export function aRegistration(quota = 0n, more: Partial<NewUser> = {}): RegisterUser {
  return { type: "register-user", user: aNewUser(more), quota, reference: aReference() };
}

/** A dynamic QR that anyone may pay for a day. */
export function aReservation(
  toUser: Pick<RegisteredUser, "id" | "name">,
  amount: bigint,
  more: Partial<ReserveQr> = {},
): ReserveQr {
  const reference = more.reference ?? aReference();
  return {
    type: "reserve-qr",
    reference,
    payload: `000201${reference}`,
    checkCode: "123456",
    toUserId: toUser.id,
    toUser: toUser.name,
    fromUserId: undefined,
    amount,
    details: "{}",
    createdAt: NOW,
    expiresAt: new Date(NOW.getTime() + 86_400_000),
    ...more,
  };
}

/** The withdrawal of a QR. */
export function aCancellation({ reference }: Pick<ReserveQr, "reference">): CancelQr {
  return { type: "cancel-qr", reference };
}

/** The fields of a payment that a later change of it needs. */
type Recorded = { readonly [K in "id" | "fromUserId" | "toUserId"]: string | null };

function recordedOf({ id, fromUserId, toUserId }: Recorded, qrReference?: string) {
  const ids = { transactionId: id ?? "", fromUserId: fromUserId ?? "", toUserId: toUserId ?? "" };
  return { ...ids, qrReference, reference: aReference() };
}

/** The settlement of a hold, for all of it unless an amount is given, or its release. */
export function aSettlement(
  hold: Recorded,
  status: SettleHold["status"],
  amount?: bigint,
  qrReference?: string,
): SettleHold {
  return { ...recordedOf(hold, qrReference), type: "settle", status, amount };
}

/** The expiry of a hold. */
export function aLapse(hold: Recorded, qrReference?: string): ExpireHold {
  return { ...recordedOf(hold, qrReference), type: "lapse" };
}

/** A refund of a payment: of all that is left unless an amount is given. */
export function aReversal(payment: Recorded, amount?: bigint): Refund {
  return { ...recordedOf(payment), type: "reverse", amount, details: "{}" };
}

/** A block of a user, or its end. */
export function aBlock(userId: string, isBlocked = true): BlockUser {
  return { type: "block-user", userId, isBlocked };
}

/** A change of a user's record. */
export function anUpdate(userId: string, changes: UpdateUser["changes"]): UpdateUser {
  return { type: "update-user", userId, changes };
}

/** A refusal that a handler has decided. */
export function aRefusal(code: Refusal["code"]): Refuse {
  return { type: "refuse", refusal: { code, detail: "It cannot be." } };
}

/** A write that records nothing but its answer. */
export const aRemember: RecordAnswer = { type: "remember" };

/** Ids that count up from a start: the same for the same decisions, each greater than the one before. */
export function countingIds(start = 0): () => string {
  let count = start;
  return () => `00000000-0000-7000-8000-${(++count).toString(16).padStart(12, "0")}`;
}

/** Fresh ids of an entity and its client. */
export function aTestEntity(): TestEntity {
  const id = uuid();
  return { id, clientId: `client-${id}` };
}
