import type { JsonObject } from "../../../../src/contract/shared/fields.ts";
import { clientDataOf } from "./client-data.ts";

/** The relying party of passkeys: the host name, and the one origin whose pages may use them. */
export interface RelyingParty {
  readonly id: string;
  readonly origin: string;
}

/** With port 0 only the browser knows the origin's port; host and scheme must still match. */
function withOwnPort(publicOrigin: URL, said: unknown): string {
  if (publicOrigin.port !== "0" || typeof said !== "string" || !URL.canParse(said)) return publicOrigin.origin;
  const { protocol, hostname, origin } = new URL(said);
  return protocol === publicOrigin.protocol && hostname === publicOrigin.hostname ? origin : publicOrigin.origin;
}

/**
 * Returns the relying party of a deployment (WebAuthn 3 §5.1.2): the public origin, and its host name without the port.
 * With port 0, which is for trying things out on this machine, any port of that host is the app's.
 */
export function relyingParty(publicOrigin: string, credential?: JsonObject): RelyingParty {
  const url = new URL(publicOrigin);
  return { id: url.hostname, origin: withOwnPort(url, credential && clientDataOf(credential)?.origin) };
}

/**
 * Returns the origin for a link into the app: the public origin; with port 0 that of the asking browser, where its
 * scheme and host are the same.
 */
export function appOrigin(publicOrigin: string, browserOrigin: string | undefined): string {
  return withOwnPort(new URL(publicOrigin), browserOrigin);
}
