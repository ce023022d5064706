import { offerOf } from "../payment/offer-of.ts";
import type { Draft } from "../store/draft.ts";

/**
 * Builds the draft of a code whose signature was verified before; undefined if the payload is no code of this service.
 */
export function draftOf(
  payload: string,
  { guid, id, nowMs }: { readonly guid: string; readonly id: string; readonly nowMs: number },
): Draft | undefined {
  const offer = offerOf(payload, guid);
  return offer && { id, payload, savedAt: new Date(nowMs).toISOString(), ...offer };
}
