import { ApiError } from "../../../../src/contract/shared/errors.ts";
import { type BrokerContext, toInstant, toNumber } from "../../access/broker-context.ts";
import type { GatedHandler, Granted } from "../../access/policy/gate.ts";
import type { MerchantPrincipal } from "../../access/principal.ts";
import {
  endTimedSession,
  type FinalState,
  findOfMerchant,
  type PaySessionRow,
  type TimedSessionRow,
  type WidgetSessionRow,
} from "../../access/widget-session-store.ts";
import { detailsOf } from "../payments/own-sessions.ts";
import { codeOf } from "./code-of.ts";

type Service = Granted<"merchant", "sessionStatus">;
type Code = Awaited<ReturnType<Service["transactionQr"]>>["body"];
type Payment = Awaited<ReturnType<Service["transaction"]>>["body"];

/** A merchant's own session; 404 for anybody else's. */
async function ownSession(broker: BrokerContext, principal: MerchantPrincipal, id: string): Promise<WidgetSessionRow> {
  const row = await findOfMerchant(broker.sql, principal.merchantId, id, broker.clock());
  if (row === undefined) throw new ApiError("not_found", { detail: "No session of yours has this id." });
  return row;
}

/** The fields of a payment session that are its own, whatever became of its code. */
function sessionFields(row: PaySessionRow) {
  return {
    ...{ session_id: row.id, kind: row.kind, reference: row.reference },
    ...{ created_at: toInstant(row.created_at), expires_at: toInstant(row.expires_at) },
    ...(row.order_id === null ? {} : { order: row.order_id }),
    ...(row.return_url === null ? {} : { return_url: row.return_url }),
    ...detailsOf(row),
  };
}

/** Answers a session with the state of its code, and its payment where there is one. */
export function payStatus(row: PaySessionRow, code: Code, payment: Payment | undefined) {
  const { state, transaction_id, amount, currency } = code;
  const refunded = payment?.reversed_amount;
  return {
    ...{ ...sessionFields(row), state, amount, currency },
    ...(transaction_id === undefined ? {} : { transaction_id }),
    ...(payment === undefined ? {} : { paid_at: payment.created_at }),
    ...(refunded === undefined ? {} : { refunded_amount: refunded }),
  };
}

function timedStatus({ clock, currency }: BrokerContext, row: TimedSessionRow) {
  const isOver = row.expires_at.getTime() <= clock().getTime();
  const state = row.ended ? ("cancelled" as const) : isOver ? ("expired" as const) : ("open" as const);
  const times = { created_at: toInstant(row.created_at), expires_at: toInstant(row.expires_at) };
  return { session_id: row.id, kind: row.kind, state, ...times, currency: currency.code };
}

/** Answers a session by the final state that was kept. */
export function keptStatus(broker: Pick<BrokerContext, "currency">, row: PaySessionRow, state: FinalState) {
  const { amount, transaction_id } = row;
  return {
    ...{ ...sessionFields(row), state, currency: broker.currency.code },
    ...(amount === null ? {} : { amount: toNumber(broker, amount) }),
    ...(transaction_id === null ? {} : { transaction_id }),
  };
}

/** Answers a session whose code was never paid, and is forgotten by now. */
export function forgottenStatus(broker: Pick<BrokerContext, "currency">, row: PaySessionRow) {
  return keptStatus(broker, row, "expired");
}

/**
 * Answers a merchant's backend the state of its session: of kind pay that of its code, with payment and refunded
 * amount; of another kind open, expired or cancelled.
 */
export function sessionStatus(broker: BrokerContext): GatedHandler<"merchant", "sessionStatus"> {
  return async ({ principal, params }, service) => {
    const row = await ownSession(broker, principal, params.session_id);
    if (row.kind !== "pay") return { body: timedStatus(broker, row) };
    const code = await codeOf(broker, service, row);
    if (code === undefined) return { body: forgottenStatus(broker, row) };
    const { state, transaction_id: id } = code;
    const payment = state === "paid" && id !== undefined ? await service.transaction({ id }) : undefined;
    return { body: payStatus(row, code, payment?.body) };
  };
}

/**
 * Cancels the unpaid code of a merchant's payment session, or ends its till or quota session, whose page is refused
 * from then on.
 */
export function cancelSession(broker: BrokerContext): GatedHandler<"merchant", "cancelSession"> {
  return async ({ principal, params, requestId }, service) => {
    const { sql, audit, hints, clock } = broker;
    const row = await ownSession(broker, principal, params.session_id);
    const record = { requestId, principal, action: "cancel session", subject: row.id };
    if (row.kind !== "pay") {
      await endTimedSession(sql, row, clock());
      const body = timedStatus(broker, (await ownSession(broker, principal, row.id)) as TimedSessionRow);
      await audit(sql, { ...record, outcome: body.state });
      return { body };
    }
    const { body: code } = await service.cancelTransactionQr({ reference: row.reference });
    hints.publish(`code:${row.reference}`);
    await audit(sql, { ...record, outcome: code.state });
    return { body: payStatus(row, code, undefined) };
  };
}
