/** The relying party of passkeys: the host name, and the one origin whose pages may use them. */
export interface RelyingParty {
  readonly id: string;
  readonly origin: string;
}

/**
 * Returns the relying party of a deployment (WebAuthn 3 §5.1.2): the public origin, and its host name without the port.
 */
export function relyingParty(publicOrigin: string): RelyingParty {
  const { hostname, origin } = new URL(publicOrigin);
  return { id: hostname, origin };
}
