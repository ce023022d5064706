/**
 * Why no passkey came: the person said no or let it pass, the browser or device has none that would do, this device
 * has one already, or the page may not ask for one at this address.
 */
export type PasskeyFault = "cancelled" | "unsupported" | "already" | "insecure";

const byName: Readonly<Record<string, PasskeyFault>> = Object.freeze({
  NotAllowedError: "cancelled",
  AbortError: "cancelled",
  // What an authenticator or another question that is still open says: asking once more may do.
  UnknownError: "cancelled",
  OperationError: "cancelled",
  InvalidStateError: "already",
  NotSupportedError: "unsupported",
  ConstraintError: "unsupported",
  SecurityError: "insecure",
});

/** The fault that an error of `navigator.credentials` stands for (WebAuthn 3, 5.1.3 and 5.1.4); a bug is thrown on. */
export function passkeyFaultOf(error: unknown): PasskeyFault {
  const name = error instanceof Error || error instanceof DOMException ? error.name : "";
  const fault = Object.hasOwn(byName, name) ? byName[name] : undefined;
  if (fault === undefined) throw error;
  return fault;
}
