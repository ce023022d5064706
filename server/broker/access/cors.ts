import type { Hono } from "hono";
import { ApiError } from "../../../src/contract/shared/errors.ts";
import type { HttpContext, HttpEnv } from "../../http/exchange.ts";
import type { HttpTools } from "../../http/http-options.ts";
import { createShortCache } from "../../shared/short-cache.ts";
import type { Authenticate, AuthenticateOptions } from "./authenticate.ts";
import { anyMerchantHasOrigin } from "./merchant-keys.ts";

/** The routes that pages of merchants call, with the methods that each takes. */
const WIDGET_ROUTES: Readonly<Record<string, string>> = Object.freeze({
  "/v1/session": "GET",
  "/v1/session/stream": "GET",
  "/v1/sessions": "POST",
  "/v1/look-ups": "POST",
  "/v1/recharges": "GET, POST",
});

const EXPOSED = "ETag, Link, Retry-After, Request-Id";
const ALLOWED_HEADERS = "Authorization, Content-Type, Idempotency-Key, If-None-Match";
const PREFLIGHT_SECONDS = 600;
const LISTED_MS = 10_000;
const MOST_LISTED = 10_000;

/** Dependencies of the CORS check. */
interface CorsOptions extends Pick<AuthenticateOptions, "sql" | "publicOrigin"> {
  readonly authenticate: Authenticate;
  readonly now: () => number;
}

/** True if a page of that origin may read the answer: it is the session's origin, or one of the merchant's. */
async function mayRead(c: HttpContext, origin: string, { sql, authenticate }: CorsOptions): Promise<boolean> {
  const principal = await authenticate.bearerOf(c.req.raw);
  if (principal !== undefined && "shownUntil" in principal) return principal.origin === origin;
  if (principal?.kind === "publishable") return principal.origins.includes(origin);
  // A server key in a browser is a mistake that must not work; any listed origin may read that its token is unknown.
  return principal === undefined && (await anyMerchantHasOrigin(sql, origin));
}

/** True if any merchant lists the origin. */
type Listing = (origin: string) => Promise<boolean>;

/**
 * Makes the answer to preflights, which remembers for ten seconds the origins that some merchant lists: a browser keeps
 * the answer for ten minutes, and it permits nothing, because the request that follows is checked by itself.
 */
function rememberListed({ sql, now }: CorsOptions): Listing {
  const cache = createShortCache<boolean>({ now, lifeMs: LISTED_MS, maxKeys: MOST_LISTED });
  return async (origin) => {
    const { value } = await cache.get(origin, () => anyMerchantHasOrigin(sql, origin));
    if (!value) cache.forget(origin);
    return value;
  };
}

async function preflight(c: HttpContext, origin: string, method: string, listing: Listing, tools: HttpTools) {
  tools.limitAddress(c);
  const listed = origin !== "null" && (await listing(origin));
  if (!listed) return tools.respond(c, 204, null, { Vary: "Origin" });
  return tools.respond(c, 204, null, {
    Vary: "Origin",
    "Access-Control-Allow-Origin": origin,
    "Access-Control-Allow-Methods": method,
    "Access-Control-Allow-Headers": ALLOWED_HEADERS,
    "Access-Control-Max-Age": String(PREFLIGHT_SECONDS),
  });
}

/**
 * Adds CORS to the routes that elements on merchants' pages call (security: Rules, CORS). Only a listed origin is
 * echoed: that of the token's session, one of the token's merchant, or any merchant's where no token is known. `null`
 * is refused, and cookies are never allowed. The app's own pages need no permission here: authentication guards them.
 * Preflights and refusals count against the address, as the handlers' refusals do.
 */
export function addCors(app: Hono<HttpEnv>, tools: HttpTools, options: CorsOptions): void {
  const listing = rememberListed(options);
  for (const [path, method] of Object.entries(WIDGET_ROUTES)) {
    app.use(path, async (c, next) => {
      const exchange = c.get("exchange");
      const origin = c.req.header("origin");
      exchange.headers.Vary = "Origin";
      if (origin === undefined) return next();
      if (c.req.method === "OPTIONS") return preflight(c, origin, method, listing, tools);
      // The app's own page, signed in by cookie. A session's or a merchant's token is checked by its origins here too.
      if (origin === options.publicOrigin && c.req.header("authorization") === undefined) return next();
      if (origin === "null" || !(await mayRead(c, origin, options))) {
        tools.limitAddress(c);
        throw new ApiError("not_allowed", { detail: "This page's origin is not among those of the session." });
      }
      exchange.headers["Access-Control-Allow-Origin"] = origin;
      exchange.headers["Access-Control-Expose-Headers"] = EXPOSED;
      return next();
    });
  }
}
