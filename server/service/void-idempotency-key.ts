import type { Handler } from "../../src/contract/handler.ts";
import type * as contract from "../../src/contract/idempotency-keys.ts";
import type { VoidedKey } from "../ledger/command.ts";
import { type ApiCaller, originOf, type ServiceContext } from "./service-context.ts";

/** Voids an idempotency key, unless a request was decided under it. */
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
