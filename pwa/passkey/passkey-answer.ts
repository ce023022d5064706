import type { JsonObject } from "../../src/contract/shared/fields.ts";
import { type PasskeyFault, passkeyFaultOf } from "./passkey-fault.ts";

/** Result of a passkey request: the credential as JSON, or the fault that is the reason why there is none. */
export type PasskeyAnswer = { readonly credential: JsonObject } | { readonly fault: PasskeyFault };

/**
 * Returns why this browser has no passkeys at all here; undefined if it may have some. An insecure context is a fault
 * of its own: another address of the same app would work.
 */
export function unavailablePasskey(): PasskeyFault | undefined {
  if (!isSecureContext) return "insecure";
  return "PublicKeyCredential" in globalThis ? undefined : "unsupported";
}

/**
 * Runs one WebAuthn ceremony and resolves to its credential as JSON, or to the fault that prevented it; where the
 * browser has no passkeys, without running it. Rethrows an error that is no passkey fault.
 */
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
