import type { BrokerContext } from "../../access/broker-context.ts";
import type { GatedHandler } from "../../access/policy/gate.ts";
import { hasPaidCode, sessionShop, toldMerchant } from "../../access/session-merchants.ts";
import { type KnownCode, lookUpCode } from "./look-up-code.ts";
import { readText } from "./read-payload.ts";

/** The shop's name and the way back; that not while a payment is under way, and once paid for the payer alone. */
async function shopOf({ sql }: BrokerContext, userId: string, { state, reference }: KnownCode) {
  const shop = await sessionShop(sql, reference);
  const back = state === "pending" ? undefined : shop?.back(state === "unpaid" ? "cancelled" : state);
  const isTold = back !== undefined && (state !== "paid" || (await hasPaidCode(sql, userId, reference ?? "")));
  return { name: shop?.name, back: isTold ? back : undefined };
}

/**
 * Handles `createScan`: answers the payee, amount, state and check code of a scanned code, a link or a typed reference.
 */
export function createScan(broker: BrokerContext): GatedHandler<"person", "createScan"> {
  return async ({ principal, body }, service) => {
    const text = body.payload ?? body.link ?? body.reference ?? "";
    const code = await lookUpCode(broker, principal.userId, service, await readText(text, broker));
    const { kind, state, payload, payee, payeeId, amount, currency, reference, checkCode, expiresIn } = code;
    const { name, back } = await shopOf(broker, principal.userId, code);
    return {
      body: {
        ...{ kind, state, payload, payee, currency },
        payee_id: payeeId,
        ...toldMerchant(name, payee),
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
