import { offerOf } from "../payment/offer-of.ts";
import type { Draft } from "../store/draft.ts";

/** Beside the code: the service's id of codes, the draft's own, the time, and the payee's name as it may be shown. */
interface DraftOptions {
  readonly guid: string;
  readonly id: string;
  readonly nowMs: number;
  readonly payee: string;
}

/**
 * Builds the draft of a code whose signature was verified before; undefined if the payload is no code of this service.
 */
export function draftOf(payload: string, { guid, id, nowMs, payee }: DraftOptions): Draft | undefined {
  const offer = offerOf(payload, guid);
  if (offer === undefined) return undefined;
  const { payeeId: _id, ...asked } = offer;
  return { id, payload, savedAt: new Date(nowMs).toISOString(), ...asked, payee };
}
