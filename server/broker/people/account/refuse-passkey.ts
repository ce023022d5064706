import { ApiError } from "../../../../src/contract/shared/errors.ts";
import type { JsonObject } from "../../../../src/contract/shared/fields.ts";
import { clientDataOf } from "./client-data.ts";

/** Makes a `passkey_refused` error with the given detail, which tells the person what to do. */
export function refusePasskey(detail: string, cause?: unknown): ApiError {
  return new ApiError("passkey_refused", { detail, cause });
}

/**
 * Throws `passkey_refused` for a passkey's answer that was given in a frame of another site's page: no page of Cupo is
 * shown in such a frame.
 */
export function refuseFramed(credential: JsonObject): void {
  if (clientDataOf(credential)?.crossOrigin !== true) return;
  throw refusePasskey("Open the app in a window of its own and try again there.");
}

/** Patterns of the library's error messages, and the detail for the person; the library's text is never passed on. */
const REASONS: readonly (readonly [RegExp, string])[] = [
  [/response challenge/, "This request is over or was answered before. Start again and use your passkey anew."],
  [/^User /, "Confirm with your fingerprint, face or PIN when the device asks for it."],
];

function copiedPasskey(cause: unknown): ApiError {
  return new ApiError("passkey_copied", {
    detail: "It counts backwards, as a copy of it does. Freeze your account, and ask for a new link for your device.",
    cause,
  });
}

/**
 * Turns an error of the library that checks a registration or an assertion into a refusal: `passkey_copied` for a
 * counter that went back, else `passkey_refused`. For a wrong origin its detail names the app's.
 */
export function refusedCeremony(error: unknown, origin: string): ApiError {
  const message = error instanceof Error ? error.message : "";
  if (message.startsWith("Response counter")) return copiedPasskey(error);
  const reason = REASONS.find(([pattern]) => pattern.test(message));
  if (reason !== undefined) return refusePasskey(reason[1], error);
  if (/ origin |RP ID/.test(message)) return refusePasskey(`Open the app at ${origin} and try again there.`, error);
  return refusePasskey("The passkey's answer cannot be read. Try again, or use another device.", error);
}
