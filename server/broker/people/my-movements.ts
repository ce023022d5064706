import type { BrokerContext } from "../broker-context.ts";
import type { GatedHandler } from "../gate.ts";
import { receiptWriter, toMovement } from "./movement.ts";
import { pageOf } from "./page-of.ts";

/** Lists what a person sent and received. */
export function myHistory(broker: BrokerContext): GatedHandler<"person", "myHistory"> {
  const writeReceipt = receiptWriter(broker);
  return async ({ principal, query }, service) => {
    const direction = query.direction ?? "all";
    const { body, nextCursor, syncToken } = await service.transactionHistory({ direction, ...pageOf(query) });
    return { body: body.map((record) => toMovement(record, principal.userId, writeReceipt)), nextCursor, syncToken };
  };
}

/** Lists the settled money that a person received. */
export function myReceived(broker: BrokerContext): GatedHandler<"person", "myReceived"> {
  const writeReceipt = receiptWriter(broker);
  return async ({ principal, query }, service) => {
    const { body, nextCursor, syncToken } = await service.receivedPayments(pageOf(query));
    return { body: body.map((record) => toMovement(record, principal.userId, writeReceipt)), nextCursor, syncToken };
  };
}
