import type * as contract from "../../src/contract/service/idempotency-keys.ts";
import type { Handler } from "../../src/contract/shared/handler.ts";
import type { VoidedKey } from "../ledger/model/command.ts";
import { type ApiCaller, originOf, type ServiceContext } from "./shared/service-context.ts";

/**
 * Voids an idempotency key, so that no request is carried out under it any more; answers `used` instead where a request
 * was decided under it before.
 */
export function voidIdempotencyKey({ ledger }: ServiceContext): Handler<typeof contract.voidIdempotencyKey, ApiCaller> {
  return async ({ principal, body: { operation, key } }) => {
    const idempotency = { key, fingerprint: new Uint8Array() };
    const posted = await ledger.post({
      origin: originOf(operation, { principal, idempotency }),
      action: { type: "void-key" },
      answer: (voided) => voided,
    });
    return { body: posted.body as VoidedKey };
  };
}
