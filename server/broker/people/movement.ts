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

type Parties = "from_user_id" | "from_user" | "to_user" | "from_business_name" | "to_business_name";

/** Which side of a payment a user is on, and who is on the other. */
export function sideOf(record: Pick<MovementRecord, Parties>, userId: string) {
  if (record.from_user_id === userId) {
    return { direction: "sent", counterparty: record.to_business_name ?? record.to_user } as const;
  }
  return { direction: "received", counterparty: record.from_business_name ?? record.from_user } as const;
}

/** A payment from one party's side: its own balance and why its own was rejected; nothing of the other party's. */
export function toMovement(record: MovementRecord, userId: string): Movement {
  const side = sideOf(record, userId);
  const sent = side.direction === "sent";
  const balance = sent ? record.from_balance_after : record.to_balance_after;
  const note = noteOf(record);
  const { id, reference, kind, status, amount, reversed_amount, currency, created_at, reason } = record;
  return {
    ...{ id, reference, kind, status, amount, currency, created_at },
    ...side,
    ...(reversed_amount === undefined ? {} : { reversed_amount }),
    ...(balance === undefined ? {} : { balance_after: balance }),
    ...(sent && reason !== undefined ? { reason } : {}),
    ...(note === undefined ? {} : { note }),
  };
}
