import type { BrokerContext } from "../../access/broker-context.ts";
import type { GatedHandler, Granted } from "../../access/policy/gate.ts";
import type { NamedUser } from "../contacts/tell-names.ts";
import { noteOf, receiptWriter, tellMovements, type UntoldMovement, type WriteReceipt } from "./movement.ts";
import { pageQueryOf } from "./page-query.ts";
import type { PartyNames } from "./party-names.ts";

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

function toTransfer(record: TransferMovement, userId: string, other: NamedUser, parts: TransferParts): UntoldMovement {
  const { id, reference, status, amount, created_at, reason, details } = record;
  const sent = record.from_user_id === userId;
  const note = noteOf(details);
  const movement: UntoldMovement["movement"] = {
    ...{ id, reference, status, amount, currency: parts.currency, created_at },
    kind: "transfer",
    direction: sent ? "sent" : "received",
    ...(sent && reason !== undefined ? { reason } : {}),
    ...(note === undefined ? {} : { note }),
    ...parts.writeReceipt({ ...record, kind: "transfer" }),
  };
  return { movement, other };
}

/** Turns transfers into the movements that one of their parties sees; their counterparties are still to be named. */
async function toTransfers(
  records: readonly TransferMovement[],
  userId: string,
  user: Service["user"],
  parts: TransferParts,
): Promise<UntoldMovement[]> {
  const ids = records.map((record) => otherId(record, userId));
  const users = await parts.names.usersOf(ids, user);
  return records.flatMap((record) => {
    const other = users.get(otherId(record, userId));
    return other === undefined ? [] : [toTransfer(record, userId, other, parts)];
  });
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
    const untold = await toTransfers(own, principal.userId, service.user, parts);
    return { body: await tellMovements(broker, principal.userId, untold), nextCursor, syncToken };
  };
}
