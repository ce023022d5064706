import { amountToNumber } from "../../src/money.ts";
import { parseQrPayload } from "../../src/qr-payload.ts";
import type { Draft } from "../store/draft.ts";

/**
 * Builds the draft of a code whose signature was verified before; undefined if the payload is no code of this service.
 */
export function draftOf(
  payload: string,
  { guid, id, nowMs }: { readonly guid: string; readonly id: string; readonly nowMs: number },
): Draft | undefined {
  const parsed = parseQrPayload(payload, guid);
  if (parsed.kind !== "cupo") return undefined;
  const { payee, amountMinor, currency, reference, expiresAt } = parsed.fields;
  return {
    id,
    payload,
    payee,
    savedAt: new Date(nowMs).toISOString(),
    ...(amountMinor === undefined ? {} : { amount: amountToNumber(amountMinor, currency.digits) }),
    ...(reference === undefined ? {} : { reference }),
    ...(expiresAt === undefined ? {} : { expiresAt }),
  };
}
