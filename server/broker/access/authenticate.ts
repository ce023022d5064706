import { ApiError } from "../../../src/contract/shared/errors.ts";
import type { Access } from "../../../src/contract/shared/operation.ts";
import type { Sql } from "../../database/connect.ts";
import { browserLabel } from "./browser-label.ts";
import { findMerchant } from "./merchant-keys.ts";
import { hashToken } from "./opaque-token.ts";
import type { PersonPrincipal, Principal, PrincipalKind } from "./principal.ts";
import { readSessionCookie } from "./session-cookie.ts";
import type { SignInSessions } from "./sign-in-sessions.ts";
import { findWidgetSession } from "./widget-tokens.ts";

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
function requireOwnPage(headers: Headers, publicOrigin: string): void {
  if (headers.get(REQUEST_HEADER) !== "1") {
    throw new ApiError("not_allowed", { detail: "Send the header X-Cupo-Request: 1." });
  }
  const site = headers.get("sec-fetch-site");
  const origin = headers.get("origin");
  if (site === "same-origin") return;
  if (site === null && (origin === null || isOwnOrigin(origin, headers, publicOrigin))) return;
  throw new ApiError("not_allowed", { detail: "Only the app's own pages may ask this." });
}

/** The kinds of principals that each access admits; any other gets 404. */
const ADMITTED: Readonly<Record<Access, readonly PrincipalKind[]>> = Object.freeze({
  person: ["person"],
  operator: ["operator"],
  session: ["person", "operator"],
  merchant: ["merchant", "publishable"],
  widget: ["paySession", "rechargeSession", "quotaSession"],
  till: ["rechargeSession"],
  finder: ["rechargeSession", "person"],
  seller: ["merchant", "rechargeSession"],
  bearer: [],
  none: ["visitor"],
});

/** Paths that an open page polls, which is no activity of its person; other polling requests say so by a header. */
const POLLED = /^\/v1\/(?:approvals\/[^/]+|me\/qr|me\/events)$/;
const POLLING_HEADER = "x-cupo-polling";
const PERSON_HEADER = "x-cupo-person";

const WRONG_KEY =
  "No merchant here has this key: it is mistyped, was retired, is of a merchant that was disabled, or of another " +
  "installation, such as a test one. Send a live key; the operator makes a new one.";
const OVER_SESSION = "The session of this token is over, or unknown here: have the merchant's backend start another.";
const NO_KEY = "Send the header Authorization: Bearer and the merchant's server key, sk_….";

/** Makes the error of a credential that is nobody's, with what to do; the sentence never depends on what is stored. */
function unknownCredential(access: Access, headers: Headers): ApiError {
  const token = bearerToken(headers);
  if (token === undefined) {
    return new ApiError("unauthorized", access === "merchant" || access === "seller" ? { detail: NO_KEY } : {});
  }
  return new ApiError("unauthorized", { detail: token.startsWith("ws_") ? OVER_SESSION : WRONG_KEY });
}

/** Dependencies of {@link createAuthenticate}. */
export interface AuthenticateOptions {
  readonly sql: Sql;
  readonly signIns: SignInSessions;
  readonly clock: () => Date;
  readonly publicOrigin: string;
}

/**
 * Determines a request's principal: by its `Authorization` header or else by its session cookie; for access `none`
 * everybody is a visitor. Throws `unauthorized` without a good credential, `not_found` for a kind of principal that the
 * access does not admit, `not_allowed` for a page of another site, and `another_person` for a page that shows another
 * person than the cookie's.
 */
export interface Authenticate {
  (access: Access, request: Request): Promise<Principal>;
  /** Finds the principal of the bearer token, whatever the row; authenticating the request next looks up nothing. */
  bearerOf(request: Request): Promise<Principal | undefined>;
}

function bearerToken(headers: Headers): string | undefined {
  return /^Bearer +(\S+)$/i.exec(headers.get("authorization") ?? "")?.[1];
}

function isPolling(request: Request): boolean {
  if (request.method !== "GET") return false;
  return request.headers.get(POLLING_HEADER) === "1" || POLLED.test(new URL(request.url).pathname);
}

/**
 * Refuses a tab that shows another person: all share one cookie, so that somebody may have signed in as another person
 * in a second one. The first's requests are neither answered with their data nor carried out in their name.
 */
function requireSamePerson({ userId }: PersonPrincipal, headers: Headers): void {
  if ((headers.get(PERSON_HEADER) ?? userId) === userId) return;
  throw new ApiError("another_person", { detail: "Load the page anew: somebody else is signed in here now." });
}

/** Makes the function that turns a request's bearer token or session cookie into its principal. */
export function createAuthenticate(options: AuthenticateOptions): Authenticate {
  const { sql, signIns, clock, publicOrigin } = options;
  const known = new WeakMap<Request, Promise<Principal | undefined>>();

  async function findBearer(headers: Headers): Promise<Principal | undefined> {
    const token = bearerToken(headers);
    if (token === undefined) return undefined;
    if (token.startsWith("ws_")) return findWidgetSession(sql, token, clock());
    return token.startsWith("sk_") || token.startsWith("pk_") ? findMerchant(sql, token) : undefined;
  }

  function bearerOf(request: Request): Promise<Principal | undefined> {
    const asked = known.get(request) ?? findBearer(request.headers);
    known.set(request, asked);
    return asked;
  }

  async function cookieOf(request: Request): Promise<Principal | undefined> {
    const token = readSessionCookie(options, request.headers);
    return token === undefined ? undefined : signIns.find(token, { active: !isPolling(request) });
  }

  function visitor(request: Request): Principal {
    if (request.method !== "GET") requireOwnPage(request.headers, publicOrigin);
    const token = readSessionCookie(options, request.headers);
    const browser = browserLabel(request.headers);
    return {
      kind: "visitor",
      ...(token === undefined ? {} : { sessionHash: hashToken(token) }),
      ...(browser === undefined ? {} : { browser }),
    };
  }

  async function authenticate(access: Access, request: Request): Promise<Principal> {
    if (access === "none") return visitor(request);
    const bearer = await bearerOf(request);
    // Authenticated once more, the same request is looked up anew.
    known.delete(request);
    // A bearer token decides alone: a request is never judged by two credentials.
    const principal = request.headers.has("authorization") ? bearer : await cookieOf(request);
    if (principal === undefined) throw unknownCredential(access, request.headers);
    if (!ADMITTED[access].includes(principal.kind)) throw new ApiError("not_found");
    if (principal.kind === "person" || principal.kind === "operator") requireOwnPage(request.headers, publicOrigin);
    if (principal.kind === "person") requireSamePerson(principal, request.headers);
    return principal;
  }
  return Object.assign(authenticate, { bearerOf });
}
