import type { Movement } from "../../../../src/contract/broker/broker.ts";
import type { BrokerContext } from "../../access/broker-context.ts";
import type { GatedHandler, Granted } from "../../access/policy/gate.ts";
import { noteOf, receiptWriter, type WriteReceipt } from "./movement.ts";
import { pageQueryOf } from "./page-query.ts";
import { coverName, type PartyNames } from "./party-names.ts";

type Service = Granted<"person", "myTransfers">;
/** A transfer, with the fields that the service answers to one of its two parties. */
type TransferMovement = Awaited<ReturnType<Service["ledgerTransactionHistory"]>>["body"][number];

/** The dependencies of turning transfers into movements. */
interface TransferParts {
  readonly names: PartyNames;
  readonly writeReceipt: WriteReceipt;
  readonly currency: string;
}

function otherId({ from_user_id: from, to_user_id: to }: TransferMovement, userId: string): string {
  return from === userId ? to : from;
}

function toTransfer(record: TransferMovement, userId: string, name: string, parts: TransferParts): Movement {
  const { id, reference, status, amount, created_at, reason, details } = record;
  const sent = record.from_user_id === userId;
  const note = noteOf(details);
  return {
    ...{ id, reference, kind: "transfer", status, amount, currency: parts.currency, created_at },
    direction: sent ? "sent" : "received",
    // The receiver was found by phone or nit: the smallest transfer must not buy the name that a look-up hides.
    counterparty: sent ? coverName(name) : name,
    ...(sent && reason !== undefined ? { reason } : {}),
    ...(note === undefined ? {} : { note }),
    ...parts.writeReceipt({ ...record, kind: "transfer" }),
  };
}

/**
 * Turns transfers into the movements that one of their parties sees, with the counterparty's name: masked to the
 * sender, who found the receiver by phone or nit.
 */
async function toTransfers(
  records: readonly TransferMovement[],
  userId: string,
  user: Service["user"],
  parts: TransferParts,
): Promise<Movement[]> {
  const names = await parts.names.namesOf(
    records.map((record) => otherId(record, userId)),
    user,
  );
  return records.map((record) => toTransfer(record, userId, names.get(otherId(record, userId)) ?? "", parts));
}

/** Bundles the dependencies of {@link toTransfers}: the cache of names, the receipt writer and the currency code. */
function transferParts(broker: BrokerContext, names: PartyNames): TransferParts {
  return { names, writeReceipt: receiptWriter(broker), currency: broker.currency.code };
}

/** Lists the transfers that a person sent and received; rejected ones are shown to the sender alone. */
export function myTransfers(broker: BrokerContext, names: PartyNames): GatedHandler<"person", "myTransfers"> {
  const parts = transferParts(broker, names);
  return async ({ principal, query }, service) => {
    const { body, nextCursor, syncToken } = await service.ledgerTransactionHistory(pageQueryOf(query));
    // Rejected transfers are shown to the sender alone: nothing came to the receiver.
    const own = body.filter(({ status, from_user_id: from }) => status === "approved" || from === principal.userId);
    return { body: await toTransfers(own, principal.userId, service.user, parts), nextCursor, syncToken };
  };
}
