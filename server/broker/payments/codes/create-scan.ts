import type { BrokerContext } from "../../access/broker-context.ts";
import type { GatedHandler } from "../../access/policy/gate.ts";
import { findReturn, hasPaidCode, merchantNames, toldMerchant } from "../../access/session-merchants.ts";
import { type KnownCode, lookUpCode } from "./look-up-code.ts";
import { readText } from "./read-payload.ts";

/** The way back to the shop, unless a payment is under way; once a code is paid, for the person who paid it alone. */
async function returnOf({ sql }: BrokerContext, userId: string, { state, reference }: KnownCode) {
  if (reference === undefined || state === "pending") return undefined;
  if (state === "paid" && !(await hasPaidCode(sql, userId, reference))) return undefined;
  return findReturn(sql, reference, state === "unpaid" ? "cancelled" : state);
}

/**
 * Handles `createScan`: answers the payee, amount, state and check code of a scanned code, a link or a typed reference.
 */
export function createScan(broker: BrokerContext): GatedHandler<"person", "createScan"> {
  return async ({ principal, body }, service) => {
    const text = body.payload ?? body.link ?? body.reference ?? "";
    const code = await lookUpCode(broker, principal.userId, service, await readText(text, broker));
    const { kind, state, payload, payee, payeeId, amount, currency, reference, checkCode, expiresIn } = code;
    const [names, back] = await Promise.all([
      merchantNames(broker.sql, reference === undefined ? [] : [reference]),
      returnOf(broker, principal.userId, code),
    ]);
    return {
      body: {
        ...{ kind, state, payload, payee, currency },
        payee_id: payeeId,
        ...toldMerchant(names.get(reference ?? ""), payee),
        ...(amount === undefined ? {} : { amount }),
        ...(reference === undefined ? {} : { reference }),
        check_code: checkCode,
        ...(expiresIn === undefined ? {} : { expires_in: expiresIn }),
        ...(back === undefined ? {} : { return_url: back }),
        own: payeeId === principal.userId,
      },
    };
  };
}
