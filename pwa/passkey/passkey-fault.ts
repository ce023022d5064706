import { nameOfError } from "../../src/name-of-error.ts";

/**
 * Why there is no passkey: the person declined or let the request time out, the browser or device has no suitable one,
 * this device has one already, or the page may not request one at this address.
 */
export type PasskeyFault = "cancelled" | "unsupported" | "already" | "insecure";

const byName: Readonly<Record<string, PasskeyFault>> = Object.freeze({
  NotAllowedError: "cancelled",
  AbortError: "cancelled",
  // From an authenticator, or because another request is still open: a retry may succeed.
  UnknownError: "cancelled",
  OperationError: "cancelled",
  InvalidStateError: "already",
  NotSupportedError: "unsupported",
  ConstraintError: "unsupported",
  SecurityError: "insecure",
});

/** Maps an error of `navigator.credentials` to its fault (WebAuthn 3, 5.1.3 and 5.1.4); rethrows any other error. */
export function passkeyFaultOf(error: unknown): PasskeyFault {
  const name = nameOfError(error);
  const fault = Object.hasOwn(byName, name) ? byName[name] : undefined;
  if (fault === undefined) throw error;
  return fault;
}
