import type { Movement } from "../../../../src/contract/broker/broker.ts";
import { numberToAmountText, parseAmount } from "../../../../src/money.ts";
import type { BrokerContext } from "../../access/broker-context.ts";
import type { Granted } from "../../access/policy/gate.ts";
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

type Parties = "from_user_id" | "from_user" | "to_user" | "from_business_name" | "to_business_name";

/** Determines a user's side of a payment, and the counterparty's name. */
export function sideOf(record: Pick<MovementRecord, Parties>, userId: string) {
  if (record.from_user_id === userId) {
    return { direction: "sent", counterparty: record.to_business_name ?? record.to_user } as const;
  }
  return { direction: "received", counterparty: record.from_business_name ?? record.from_user } as const;
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
export function toMovement(record: MovementRecord, userId: string, writeReceipt: WriteReceipt): Movement {
  const side = sideOf(record, userId);
  const sent = side.direction === "sent";
  const balance = sent ? record.from_balance_after : record.to_balance_after;
  const note = noteOf(record.details, record.qr_details);
  const { id, reference, kind, status, amount, reversed_amount, reverses, currency, created_at, reason } = record;
  return {
    ...{ id, reference, kind, status, amount, currency, created_at },
    ...side,
    ...(reversed_amount === undefined ? {} : { reversed_amount }),
    ...(reverses === undefined ? {} : { reverses }),
    ...(balance === undefined ? {} : { balance_after: balance }),
    ...(sent && reason !== undefined ? { reason } : {}),
    ...(note === undefined ? {} : { note }),
    ...writeReceipt(record),
  };
}
