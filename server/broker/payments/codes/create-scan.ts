import type { BrokerContext } from "../../access/broker-context.ts";
import type { GatedHandler } from "../../access/policy/gate.ts";
import { merchantNames, toldMerchant } from "../../access/session-merchants.ts";
import { lookUpCode } from "./look-up-code.ts";
import { readText } from "./read-payload.ts";

/**
 * Handles `createScan`: answers the payee, amount, state and check code of a scanned code, a link or a typed reference.
 */
export function createScan(broker: BrokerContext): GatedHandler<"person", "createScan"> {
  return async ({ principal, body }, service) => {
    const text = body.payload ?? body.link ?? body.reference ?? "";
    const code = await lookUpCode(broker, principal.userId, service, await readText(text, broker));
    const { kind, state, payload, payee, payeeId, amount, currency, reference, checkCode, expiresIn } = code;
    const names = await merchantNames(broker.sql, reference === undefined ? [] : [reference]);
    return {
      body: {
        ...{ kind, state, payload, payee, currency },
        payee_id: payeeId,
        ...toldMerchant(names.get(reference ?? ""), payee),
        ...(amount === undefined ? {} : { amount }),
        ...(reference === undefined ? {} : { reference }),
        check_code: checkCode,
        ...(expiresIn === undefined ? {} : { expires_in: expiresIn }),
        own: payeeId === principal.userId,
      },
    };
  };
}
