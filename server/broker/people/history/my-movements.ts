import type { BrokerContext } from "../../access/broker-context.ts";
import type { GatedHandler } from "../../access/policy/gate.ts";
import { receiptWriter, tellMovements, toMovement } from "./movement.ts";
import { pageQueryOf } from "./page-query.ts";

/** Lists the payments that a person sent and received, of every status; transfers are not among them. */
export function myHistory(broker: BrokerContext): GatedHandler<"person", "myHistory"> {
  const writeReceipt = receiptWriter(broker);
  return async ({ principal, query }, service) => {
    const direction = query.direction ?? "all";
    const { body, nextCursor, syncToken } = await service.transactionHistory({ direction, ...pageQueryOf(query) });
    const untold = body.map((record) => toMovement(record, principal.userId, writeReceipt));
    return { body: await tellMovements(broker, principal.userId, untold), nextCursor, syncToken };
  };
}

/** Lists the settled payments that a person received, without refunds. */
export function myReceived(broker: BrokerContext): GatedHandler<"person", "myReceived"> {
  const writeReceipt = receiptWriter(broker);
  return async ({ principal, query }, service) => {
    const { body, nextCursor, syncToken } = await service.receivedPayments(pageQueryOf(query));
    const untold = body.map((record) => toMovement(record, principal.userId, writeReceipt));
    return { body: await tellMovements(broker, principal.userId, untold), nextCursor, syncToken };
  };
}
