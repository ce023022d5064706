import { qrPayloadLink } from "../../../../src/qr-payload.ts";
import { fingerprintOf } from "../../../http/idempotency-key.ts";
import { type BrokerContext, takeFromPersonLimit } from "../../access/broker-context.ts";
import { deriveBytes } from "../../access/opaque-token.ts";
import type { GatedHandler } from "../../access/policy/gate.ts";

/** Handles `createMyQr`: makes a payment code that pays the person, with or without an amount. */
export function createMyQr(broker: BrokerContext): GatedHandler<"person", "createMyQr"> {
  const { key, newId, publicOrigin, codeLimit } = broker;
  return async ({ principal, body, idempotency }, service) => {
    const { amount, note } = body;
    takeFromPersonLimit(codeLimit, principal);
    // The body is part of the key: another amount under the same key is another code.
    const attempt = idempotency?.key ?? newId();
    const print = Buffer.from(fingerprintOf(body)).toString("hex");
    const upstreamKey = deriveBytes(key, "createMyQr", principal.userId, attempt, print).toString("base64url");
    const fields = { ...(amount !== undefined && { amount }), ...(note !== undefined && { details: { note } }) };
    const { body: qr } = await service.createTransactionQr(fields, upstreamKey);
    return {
      body: {
        payload: qr.payload,
        app_link: qrPayloadLink(publicOrigin, qr.payload),
        check_code: qr.check_code,
        ...(qr.reference === undefined ? {} : { reference: qr.reference }),
        ...(qr.expires_in === undefined ? {} : { expires_in: qr.expires_in }),
      },
    };
  };
}

/**
 * Handles `myQr`: answers the state of a code that pays the person, the seconds until it expires, and, once it is paid,
 * the transaction's id; a code that pays anybody else counts as absent.
 */
export function myQr(): GatedHandler<"person", "myQr"> {
  return async ({ query }, service) => {
    const { state, expires_in, transaction_id } = (await service.transactionQr({ reference: query.reference })).body;
    return { body: { state, expires_in, ...(transaction_id === undefined ? {} : { transaction_id }) } };
  };
}
