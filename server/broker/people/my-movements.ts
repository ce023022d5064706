import type { GatedHandler } from "../gate.ts";
import { toMovement } from "./movement.ts";

/** A page's query with what was not asked for left out. */
function pageOf({ limit, cursor }: { readonly limit?: string | undefined; readonly cursor?: string | undefined }) {
  return { ...(limit === undefined ? {} : { limit }), ...(cursor === undefined ? {} : { cursor }) };
}

/** Lists what a person sent and received. */
export function myHistory(): GatedHandler<"person", "myHistory"> {
  return async ({ principal, query }, service) => {
    const direction = query.direction ?? "all";
    const { body, nextCursor } = await service.transactionHistory({ direction, ...pageOf(query) });
    return { body: body.map((record) => toMovement(record, principal.userId)), nextCursor };
  };
}

/** Lists the settled money that a person received. */
export function myReceived(): GatedHandler<"person", "myReceived"> {
  return async ({ principal, query }, service) => {
    const { body, nextCursor } = await service.receivedPayments(pageOf(query));
    return { body: body.map((record) => toMovement(record, principal.userId)), nextCursor };
  };
}
