import { ApiError } from "../../../src/contract/shared/errors.ts";

/** A header that a page of another site cannot send without a preflight, which is never allowed. */
const REQUEST_HEADER = "x-cupo-request";

function isOwnOrigin(origin: string, headers: Headers, publicOrigin: string): boolean {
  if (origin === publicOrigin) return true;
  return URL.canParse(origin) && new URL(origin).host === headers.get("host");
}

/**
 * Refuses a request that another site could make a browser send with our cookie (security: Rules, CSRF): the custom
 * header must be there, and the browser must call the request same-origin; where it does not say, `Origin` decides.
 */
export function requireOwnPage(headers: Headers, publicOrigin: string): void {
  if (headers.get(REQUEST_HEADER) !== "1") {
    throw new ApiError("not_allowed", { detail: "Send the header X-Cupo-Request: 1." });
  }
  const site = headers.get("sec-fetch-site");
  const origin = headers.get("origin");
  if (site === "same-origin") return;
  if (site === null && (origin === null || isOwnOrigin(origin, headers, publicOrigin))) return;
  throw new ApiError("not_allowed", { detail: "Only the app's own pages may ask this." });
}
