import { ApiError } from "../../../src/contract/errors.ts";
import type { BrokerContext } from "../broker-context.ts";
import type { GatedHandler, Granted } from "../gate.ts";
import type { MerchantPrincipal } from "../principals/principal.ts";
import { findOfMerchant, type WidgetSessionRow } from "./widget-session-store.ts";

type Code = Awaited<ReturnType<Granted<"merchant", "sessionStatus">["transactionQr"]>>["body"];

/** A merchant's own session; 404 for anybody else's. */
async function ownSession(broker: BrokerContext, principal: MerchantPrincipal, id: string): Promise<WidgetSessionRow> {
  const row = await findOfMerchant(broker.sql, principal.merchantId, id);
  if (row === undefined) throw new ApiError("not_found", { detail: "No session of yours has this id." });
  return row;
}

function statusOf(row: WidgetSessionRow, code: Code, paidAt: string | undefined) {
  const { state, transaction_id, reference, amount, currency } = code;
  return {
    kind: "pay" as const,
    state,
    expires_at: row.expires_at.toISOString(),
    reference,
    amount,
    currency,
    ...(transaction_id === undefined ? {} : { transaction_id }),
    ...(row.order_id === null ? {} : { order: row.order_id }),
    ...(paidAt === undefined ? {} : { paid_at: paidAt }),
  };
}

/** Tells a merchant's backend whether its session was paid. */
export function sessionStatus(broker: BrokerContext): GatedHandler<"merchant", "sessionStatus"> {
  return async ({ principal, params }, service) => {
    const row = await ownSession(broker, principal, params.session_id);
    const { body: code } = await service.transactionQr({ reference: row.reference });
    const { state, transaction_id: id } = code;
    const payment = state === "paid" && id !== undefined ? await service.transaction({ id }) : undefined;
    return { body: statusOf(row, code, payment?.body.created_at) };
  };
}

/** Withdraws a merchant's unpaid session. */
export function cancelSession(broker: BrokerContext): GatedHandler<"merchant", "cancelSession"> {
  return async ({ principal, params, requestId }, service) => {
    const row = await ownSession(broker, principal, params.session_id);
    const { body: code } = await service.cancelTransactionQr({ reference: row.reference });
    const { sql, audit, hints } = broker;
    hints.publish(`code:${row.reference}`);
    await audit(sql, { requestId, principal, action: "cancel session", subject: row.id, outcome: code.state });
    return { body: statusOf(row, code, undefined) };
  };
}
