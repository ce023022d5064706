import type { BlockList } from "node:net";
import { isTrusted, plainAddress } from "./client-address.ts";
import type { HttpLog } from "./http-log.ts";

/** Private addresses, which a proxy may have and no person on the internet: only these are logged. */
const PRIVATE = /^(?:127\.|10\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.|::1$|f[cd])/;

const WARNING =
  "a request came with X-Forwarded-For or Forwarded from an address that CUPO_TRUSTED_PROXIES does not name: set it " +
  "to your proxy's address; until then everybody behind that proxy counts as one address";

/**
 * Makes the check that warns once of an undeclared proxy: behind it all clients share the limits of one address. Its
 * claims are still not believed.
 */
export function watchProxies(log: HttpLog, trusted: BlockList | undefined): (peer: string, headers: Headers) => void {
  let isTold = false;
  return (peer, headers) => {
    if (isTold || !(headers.has("x-forwarded-for") || headers.has("forwarded")) || isTrusted(peer, trusted)) return;
    isTold = true;
    const address = plainAddress(peer);
    log.warn(PRIVATE.test(address) ? { peer: address } : {}, WARNING);
  };
}
