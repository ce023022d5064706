import { isThisMachine } from "../../src/contract/broker/merchant-origin.ts";

const HSTS_SECONDS = 2 * 365 * 24 * 60 * 60;

/** For answers that are no page: nothing of them may be loaded, run, framed or sent anywhere. */
const NOTHING = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/**
 * Returns the security headers of every answer of a port; pages have a policy of their own in place of this one. HSTS
 * (RFC 6797) is for https origins, and not for localhost names: it would apply to everything else that runs there.
 */
export function securityHeaders(baseUrl: string): Readonly<Record<string, string>> {
  const { protocol, hostname } = new URL(baseUrl);
  const isPublic = protocol === "https:" && !isThisMachine(hostname);
  return Object.freeze({
    "X-Content-Type-Options": "nosniff",
    "Content-Security-Policy": NOTHING,
    ...(isPublic ? { "Strict-Transport-Security": `max-age=${HSTS_SECONDS}; includeSubDomains` } : {}),
  });
}
