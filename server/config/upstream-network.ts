import { lookup } from "node:dns/promises";
import { isThisMachine } from "../../src/contract/broker/merchant-origin.ts";
import { createWebhookNetwork, type FindAddresses, literalAddress } from "../webhooks/webhook-network.ts";

/**
 * The remedy, for error messages, for an address of the service over which the broker's secret would be sent in the
 * clear.
 */
export const PLAIN_HTTP = "use https://, or name its private network in CUPO_UPSTREAM_PRIVATE, such as 10.0.0.0/8";

/**
 * True if an address is plain http to another machine outside of the allowed networks. A host name, which is not
 * resolved here, counts as outside only where no network is allowed.
 */
export function isOpenHttp(baseUrl: string, allowed: readonly string[]): boolean {
  const url = new URL(baseUrl);
  if (url.protocol !== "http:" || isThisMachine(url.hostname)) return false;
  const address = literalAddress(url);
  // A name may stand for any address: it is checked by the addresses that it resolves to, where any is allowed.
  if (address === undefined) return allowed.length === 0;
  return !createWebhookNetwork({ allowed }).permits(address, url.protocol);
}

/**
 * True if the name of a plain-http address resolves to allowed networks alone, and for any address that needs no
 * look-up; throws where the name cannot be resolved.
 */
export async function resolvesWithin(
  baseUrl: string,
  allowed: readonly string[],
  find: FindAddresses = (hostname) => lookup(hostname, { all: true }),
): Promise<boolean> {
  const url = new URL(baseUrl);
  if (url.protocol !== "http:" || isThisMachine(url.hostname) || literalAddress(url) !== undefined) return true;
  const network = createWebhookNetwork({ allowed });
  const found = await find(url.hostname);
  return found.every(({ address }) => network.permits(address, url.protocol));
}
