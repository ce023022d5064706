import type { Movement } from "../../../../src/contract/broker/broker.ts";
import { numberToAmountText, parseAmount } from "../../../../src/money.ts";
import type { BrokerContext } from "../../access/broker-context.ts";
import type { Granted } from "../../access/policy/gate.ts";
import { merchantNames, toldMerchant } from "../../access/session-merchants.ts";
import { keepContacts } from "../contacts/contact-store.ts";
import { type NamedUser, namesFor } from "../contacts/tell-names.ts";
import { createReceiptTokens, type ReceiptFacts, type WrittenReceipt } from "./receipt-token.ts";

type Answer = Awaited<ReturnType<Granted<"person", "myHistory">["transactionHistory"]>>["body"];
/** A payment, with the fields that the service answers to one of its two parties. */
export type MovementRecord = Answer[number];

const MAX_NOTE = 140;

/**
 * Reads the note from the details of a payment or transfer, else from the details of the payment code that was paid,
 * cut to 140 characters; undefined where there is none.
 */
export function noteOf(
  details: Readonly<Record<string, unknown>>,
  qrDetails?: Readonly<Record<string, unknown>>,
): string | undefined {
  for (const note of [details.note, qrDetails?.note]) {
    if (typeof note === "string" && note !== "") return note.slice(0, MAX_NOTE);
  }
  return undefined;
}

type Side = "user_id" | "user" | "business_name";
type Facts = `from_${Side}` | `to_${Side}` | "kind" | "status";

/** A user's side of a payment, and the other party. */
interface SideOf {
  readonly direction: Movement["direction"];
  readonly other: NamedUser;
}

/** Determines a user's side of a payment, and the other party. */
export function sideOf(record: Pick<MovementRecord, Facts>, userId: string): SideOf {
  const { from_business_name: payer, to_business_name: payee, kind, status } = record;
  if (record.from_user_id === userId) {
    const other = { id: record.to_user_id, name: payee ?? record.to_user, inFull: payee !== undefined };
    return { direction: "sent", other };
  }
  const inFull = payer !== undefined || isPaid({ direction: "received", kind, status });
  return { direction: "received", other: { id: record.from_user_id, name: payer ?? record.from_user, inFull } };
}

/** A movement whose counterparty is not named yet: {@link tellMovements} decides by which name. */
export interface UntoldMovement {
  readonly movement: Omit<Movement, "counterparty" | "counterparty_id" | "merchant">;
  readonly other: NamedUser;
}

/** True if money of the other party came to the person. A refund is none: it is the person's own that comes back. */
function isPaid({ direction, kind, status }: Pick<Movement, "direction" | "kind" | "status">): boolean {
  return direction === "received" && kind !== "refund" && (status === "approved" || status === "reversed");
}

/** The other party of a movement, and if money of theirs came to the person. */
export interface Counterparty {
  readonly other: NamedUser;
  readonly hasPaid: boolean;
}

/**
 * Records counterparties as the person's contacts, because the app may pay them again, and returns the function that
 * names them to the person as {@link namesFor} does.
 */
export async function tellCounterparties(
  { sql }: Pick<BrokerContext, "sql">,
  userId: string,
  counterparties: readonly Counterparty[],
): Promise<(other: NamedUser) => string> {
  const contacts = new Map<string, boolean>();
  for (const { other, hasPaid } of counterparties) {
    contacts.set(other.id, contacts.get(other.id) === true || hasPaid);
  }
  await keepContacts(sql, userId, contacts);
  return namesFor(
    sql,
    userId,
    counterparties.map(({ other }) => other),
  );
}

/**
 * Names the counterparties of a person's movements, by {@link tellCounterparties}, and the merchants whose sessions the
 * person paid.
 */
export async function tellMovements(
  broker: Pick<BrokerContext, "sql">,
  userId: string,
  untold: readonly UntoldMovement[],
): Promise<Movement[]> {
  const counterparties = untold.map(({ movement, other }) => ({ other, hasPaid: isPaid(movement) }));
  const paid = untold.flatMap(({ movement }) => (movement.direction === "sent" ? [movement.reference] : []));
  const [nameOf, merchants] = await Promise.all([
    tellCounterparties(broker, userId, counterparties),
    merchantNames(broker.sql, paid),
  ]);
  return untold.map(({ movement, other }) => {
    const counterparty = nameOf(other);
    const merchant = toldMerchant(merchants.get(movement.reference), counterparty);
    return { ...movement, counterparty, counterparty_id: other.id, ...merchant };
  });
}

/** Fields of a payment or transfer that its receipt is written from. */
interface Receiptable {
  readonly id: string;
  readonly reference: string;
  readonly kind: Movement["kind"];
  readonly status: Movement["status"];
  readonly from_user_id: string;
  readonly to_user_id: string;
  readonly amount: number;
  readonly created_at: string;
}

/** Writes the receipt of a payment or transfer; undefined where its money did not move. */
export type WriteReceipt = (record: Receiptable) => WrittenReceipt | undefined;

/** Creates the function that writes receipts of payments and transfers. */
export function receiptWriter({ key, currency }: Pick<BrokerContext, "key" | "currency">): WriteReceipt {
  const tokens = createReceiptTokens(key);
  return (record) => {
    if (record.status !== "approved" && record.status !== "reversed") return undefined;
    const { id, kind, reference, from_user_id: payerId, to_user_id: payeeId } = record;
    const amountMinor = parseAmount(numberToAmountText(record.amount), currency.digits);
    const facts: ReceiptFacts = {
      id,
      kind,
      reference,
      payerId,
      payeeId,
      amountMinor,
      createdAt: new Date(record.created_at),
    };
    return tokens.write(facts);
  };
}

/**
 * Turns a payment into the movement that one of its parties sees: with the balance of that party alone, and with a
 * rejection's reason for the payer alone.
 */
export function toMovement(record: MovementRecord, userId: string, writeReceipt: WriteReceipt): UntoldMovement {
  const { direction, other } = sideOf(record, userId);
  const sent = direction === "sent";
  const balance = sent ? record.from_balance_after : record.to_balance_after;
  const note = noteOf(record.details, record.qr_details);
  const { id, reference, kind, status, amount, reversed_amount, reverses, currency, created_at, reason } = record;
  const movement = {
    ...{ id, reference, kind, status, direction, amount, currency, created_at },
    ...(reversed_amount === undefined ? {} : { reversed_amount }),
    ...(reverses === undefined ? {} : { reverses }),
    ...(balance === undefined ? {} : { balance_after: balance }),
    ...(sent && reason !== undefined ? { reason } : {}),
    ...(note === undefined ? {} : { note }),
    ...writeReceipt(record),
  };
  return { movement, other };
}
