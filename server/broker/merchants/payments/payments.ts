import { addDays } from "../../../../src/calendar-day.ts";
import type { BrokerContract, Payment } from "../../../../src/contract/broker/broker.ts";
import { ApiError } from "../../../../src/contract/shared/errors.ts";
import type { Call } from "../../../../src/contract/shared/handler.ts";
import { type BrokerContext, toInstant } from "../../access/broker-context.ts";
import type { GatedHandler, Granted } from "../../access/policy/gate.ts";
import type { MerchantPrincipal } from "../../access/principal.ts";
import { detailsOf, type OwnSession, sessionsByReference, sessionsOfOrder, storedReference } from "./own-sessions.ts";

type Service = Granted<"merchant", "payments">;
type PaymentsCall = Call<BrokerContract["payments"], MerchantPrincipal>;
type Received = Awaited<ReturnType<Service["receivedPayments"]>>["body"][number];

/** A payment's states at the service, by those that a merchant is told. */
const STATUSES = Object.freeze({ paid: "approved", refunded: "reversed" } as const);
/** Codes and payments of an order that the service is asked for at once. */
const AT_ONCE = 20;

function paymentAnswer(session: OwnSession, payment: Received): Payment {
  const { id, reference, status, amount, currency, created_at, reversed_amount: refunded } = payment;
  return {
    ...{ id, session_id: session.id },
    ...(session.order_id === null ? {} : { order: session.order_id }),
    ...{ reference, state: status === STATUSES.refunded ? "refunded" : "paid", amount, currency, paid_at: created_at },
    ...(refunded === undefined ? {} : { refunded_amount: refunded }),
    ...detailsOf(session),
  };
}

/** The instants of a business day, its last one included. */
function periodOf({ time }: Pick<BrokerContext, "time">, day: string) {
  const last = new Date(time.startOf(addDays(day, 1)).getTime() - 1);
  return { "from-date": toInstant(time.startOf(day)), "to-date": toInstant(last) };
}

/** The payment of a session; undefined where its code was not paid, or is forgotten. */
async function paymentOf(service: Service, { reference }: OwnSession): Promise<Received | undefined> {
  try {
    const { state, transaction_id: id } = (await service.transactionQr({ reference })).body;
    return state === "paid" && id !== undefined ? (await service.transaction({ id })).body : undefined;
  } catch (error) {
    if (error instanceof ApiError && (error.code === "qr_not_found" || error.code === "transaction_not_found")) return;
    throw error;
  }
}

/** The payments of an order or a reference. */
async function findPayments(broker: BrokerContext, { principal, query }: PaymentsCall, service: Service) {
  const { sql, time } = broker;
  const { merchantId } = principal;
  const { order, day, state } = query;
  const reference = storedReference(query.reference);
  const found =
    order === undefined
      ? [...(await sessionsByReference(sql, merchantId, [reference ?? ""])).values()]
      : await sessionsOfOrder(sql, merchantId, order);
  const wanted = found.filter((session) => reference === undefined || session.reference === reference);
  const paid: Payment[] = [];
  for (let from = 0; from < wanted.length; from += AT_ONCE) {
    const some = wanted.slice(from, from + AT_ONCE);
    const payments = await Promise.all(some.map((session) => paymentOf(service, session)));
    paid.push(
      ...some.flatMap((session, index) => {
        const payment = payments[index];
        return payment === undefined ? [] : [paymentAnswer(session, payment)];
      }),
    );
  }
  return paid.filter(
    (payment) =>
      (state === undefined || payment.state === state) &&
      (day === undefined || time.dayOf(new Date(payment.paid_at)) === day),
  );
}

/**
 * Lists the payments of a merchant's sessions as the service has them now, newest first, or, with `changed-since`,
 * those that changed. What the merchant's user was paid otherwise, or by another merchant's sessions, is left out.
 */
export function payments(broker: BrokerContext): GatedHandler<"merchant", "payments"> {
  return async (call, service) => {
    const { principal } = call;
    const { order, reference, day, state, ...page } = call.query;
    if (order !== undefined || reference !== undefined) return { body: await findPayments(broker, call, service) };
    const filters = {
      ...(day === undefined ? {} : periodOf(broker, day)),
      ...(state === undefined ? {} : { status: STATUSES[state] }),
    };
    const { body, nextCursor, syncToken } = await service.receivedPayments({ ...filters, ...page });
    const references = body.map((payment) => payment.reference);
    const sessions = await sessionsByReference(broker.sql, principal.merchantId, references);
    const own = body.flatMap((payment) => {
      const session = sessions.get(payment.reference);
      return session === undefined ? [] : [paymentAnswer(session, payment)];
    });
    return { body: own, nextCursor, syncToken };
  };
}
