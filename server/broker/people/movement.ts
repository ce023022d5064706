import type { Movement } from "../../../src/contract/broker.ts";
import type { Granted } from "../gate.ts";

type Answer = Awaited<ReturnType<Granted<"person", "myHistory">["transactionHistory"]>>["body"];
/** A payment with the fields that pass to a party of it. */
export type MovementRecord = Answer[number];

const MAX_NOTE = 140;

function noteOf({ details, qr_details: qrDetails }: MovementRecord): string | undefined {
  for (const note of [details.note, qrDetails?.note]) {
    if (typeof note === "string" && note !== "") return note.slice(0, MAX_NOTE);
  }
  return undefined;
}

/** A payment from one party's side: its own balance and why its own was rejected; nothing of the other party's. */
export function toMovement(record: MovementRecord, userId: string): Movement {
  const sent = record.from_user_id === userId;
  const balance = sent ? record.from_balance_after : record.to_balance_after;
  const note = noteOf(record);
  const { id, reference, kind, status, amount, reversed_amount, currency, created_at, reason } = record;
  return {
    ...{ id, reference, kind, status, amount, currency, created_at },
    direction: sent ? "sent" : "received",
    counterparty: sent ? (record.to_business_name ?? record.to_user) : (record.from_business_name ?? record.from_user),
    ...(reversed_amount === undefined ? {} : { reversed_amount }),
    ...(balance === undefined ? {} : { balance_after: balance }),
    ...(sent && reason !== undefined ? { reason } : {}),
    ...(note === undefined ? {} : { note }),
  };
}
