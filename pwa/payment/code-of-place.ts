import type { Place } from "../platform/router.ts";
import { isConfirmPlace } from "./confirm-place.ts";
import { type ReadCode, readCode } from "./read-code.ts";

/**
 * Returns the code that Confirm was opened with, or the problem with it: the code that Scan put into the history entry,
 * with the key of an attempt under way, or the one in the fragment of a QR link.
 */
export function codeOfPlace(place: Place, guid: string): ReadCode & { readonly attempt?: string } {
  if (isConfirmPlace(place.state)) {
    const { code, attempt } = place.state;
    return { ok: true, code, ...(attempt === undefined ? {} : { attempt }) };
  }
  if (place.fragment === "") return { ok: false, problem: { failure: "not_a_code" } };
  return readCode(`https://link/p#${place.fragment}`, guid);
}
