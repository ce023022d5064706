import { addDays } from "../../../../src/calendar-day.ts";
import type { BrokerContract } from "../../../../src/contract/broker/broker.ts";
import type { Call } from "../../../../src/contract/shared/handler.ts";
import { readPage } from "../../../shared/page.ts";
import { type BrokerContext, readAmount } from "../../access/broker-context.ts";
import type { GatedHandler, Granted } from "../../access/policy/gate.ts";
import type { MerchantPrincipal } from "../../access/principal.ts";
import { keepFinalState, listPaySessions, type PaySessionRow } from "../../access/widget-session-store.ts";
import { storedReference } from "../payments/own-sessions.ts";
import { codeOf } from "./code-of.ts";
import { forgottenStatus, keptStatus, payStatus } from "./session-status.ts";

type SessionsCall = Call<BrokerContract["sessions"], MerchantPrincipal>;
type Service = Granted<"merchant", "sessions">;

/** Codes that the service is asked for at once. */
const AT_ONCE = 20;
/** A payment of the last moment may be under way for so long: a code that expired is not paid after that. */
const IN_FLIGHT_MS = 60_000;

/** The status of a session: kept, once its code changes no more, so that the service is asked only once. */
async function statusOf(broker: BrokerContext, service: Service, row: PaySessionRow) {
  if (row.final_state !== null) return keptStatus(broker, row, row.final_state);
  const code = await codeOf(broker, service, row);
  const status = code === undefined ? forgottenStatus(broker, row) : payStatus(row, code, undefined);
  const { state } = status;
  const isOver = broker.clock().getTime() > row.expires_at.getTime() + IN_FLIGHT_MS;
  if (state === "paid" || state === "cancelled" || (state === "expired" && isOver)) {
    const amount = code === undefined ? row.amount : readAmount(broker, code.amount);
    await keepFinalState(broker.sql, row, { state, amount, transactionId: code?.transaction_id ?? null });
  }
  return status;
}

async function statusesOf(broker: BrokerContext, service: Service, rows: readonly PaySessionRow[]) {
  const statuses = [];
  for (let from = 0; from < rows.length; from += AT_ONCE) {
    const some = rows.slice(from, from + AT_ONCE);
    statuses.push(...(await Promise.all(some.map((row) => statusOf(broker, service, row)))));
  }
  return statuses;
}

function filterOf({ time }: BrokerContext, { principal, query }: SessionsCall) {
  const { order, reference, day, state } = query;
  const period = day === undefined ? undefined : { from: time.startOf(day), to: time.startOf(addDays(day, 1)) };
  const { merchantId } = principal;
  return { merchantId, order, reference: storedReference(reference), period, state };
}

/** Lists a merchant's payment sessions, newest first, with the states of their codes. */
export function sessions(broker: BrokerContext): GatedHandler<"merchant", "sessions"> {
  return async (call, service) => {
    const filter = filterOf(broker, call);
    const { rows, nextCursor } = await readPage(call.query, (part) => listPaySessions(broker.sql, filter, part));
    const statuses = await statusesOf(broker, service, rows);
    const wanted = statuses.filter(({ state }) => filter.state === undefined || state === filter.state);
    return { body: wanted, nextCursor };
  };
}
