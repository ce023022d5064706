import type { JsonObject } from "../../src/contract/fields.ts";
import { type PasskeyFault, passkeyFaultOf } from "./passkey-fault.ts";

/** What came of asking for a passkey: what to send to the broker, or why there is nothing to send. */
export type PasskeyAnswer = { readonly credential: JsonObject } | { readonly fault: PasskeyFault };

/**
 * Why this browser has no passkeys at all here; undefined where it may have some. Without a secure context it has none,
 * which is said apart: another address of the same app would do.
 */
export function unavailablePasskey(): PasskeyFault | undefined {
  if (!isSecureContext) return "insecure";
  return "PublicKeyCredential" in globalThis ? undefined : "unsupported";
}

/** Runs one ceremony where the browser has passkeys. */
export async function passkeyAnswer(ceremony: () => Promise<object>): Promise<PasskeyAnswer> {
  const fault = unavailablePasskey();
  if (fault !== undefined) return { fault };
  try {
    // As JSON it carries no undefined, which the contract would refuse.
    return { credential: JSON.parse(JSON.stringify(await ceremony())) as JsonObject };
  } catch (error) {
    return { fault: passkeyFaultOf(error) };
  }
}
