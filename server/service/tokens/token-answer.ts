import type { TokenError } from "../../../src/contract/service/token.ts";
import type { ApiError } from "../../../src/contract/shared/errors.ts";
import { formatScopes } from "../../../src/contract/shared/scopes.ts";
import type { IssuedToken } from "./access-tokens.ts";

/** An answer of the token endpoint. */
export interface TokenEndpointAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/**
 * The error codes that the token endpoint answers: those of RFC 6749 §5.2, and `temporarily_unavailable` (§4.1.2.1).
 */
export type TokenErrorCode = TokenError["error"];

const STATUSES = {
  invalid_request: 400,
  invalid_client: 401,
  unsupported_grant_type: 400,
  invalid_scope: 400,
  temporarily_unavailable: 503,
} as const satisfies Record<TokenErrorCode, number>;

/** RFC 6749 §5.1: nothing that holds a token, or says whether there is one, may be kept. */
const NO_STORE = { "Cache-Control": "no-store", Pragma: "no-cache" } as const;
const CHALLENGE = { "WWW-Authenticate": 'Basic realm="cupo", charset="UTF-8"' } as const;

/**
 * Thrown to refuse a request for a token (RFC 6749 §5.2): the error code, a sentence that says what to do and, for too
 * many wrong secrets, the seconds to wait.
 */
export class TokenRefusal extends Error {
  override readonly name = "TokenRefusal";
  readonly code: TokenErrorCode;
  /** Seconds until another try is worth it; then the status is 429. */
  readonly retryAfter: number | undefined;

  constructor(code: TokenErrorCode, description: string, retryAfter?: number) {
    super(description);
    this.code = code;
    this.retryAfter = retryAfter;
  }
}

/**
 * Builds the answer to a refused request, in the form of RFC 6749 §5.2; 429 with `Retry-After` for too many wrong
 * secrets.
 */
export function refusalAnswer({ code, message, retryAfter }: TokenRefusal): TokenEndpointAnswer {
  return jsonAnswer(
    retryAfter === undefined ? STATUSES[code] : 429,
    { error: code, error_description: message },
    {
      ...(code === "invalid_client" ? CHALLENGE : {}),
      ...(retryAfter === undefined ? {} : { "Retry-After": String(retryAfter) }),
    },
  );
}

/** Builds the answer that carries a token, and says what it is good for (RFC 6749 §5.1). */
export function grantAnswer({ accessToken, expiresInSeconds, scopes }: IssuedToken): TokenEndpointAnswer {
  const scope = formatScopes(scopes);
  return jsonAnswer(200, { access_token: accessToken, token_type: "Bearer", expires_in: expiresInSeconds, scope }, {});
}

/**
 * Words an error of the machinery around the endpoint (body too large, database unreachable, our bug) as RFC 6749 §5.2
 * asks: its callers are OAuth libraries, which read no problem documents.
 */
export function tokenErrorShape(error: ApiError): {
  readonly status: number;
  readonly body: TokenError;
  readonly headers: Readonly<Record<string, string>>;
} {
  const passing = error.status >= 500 || error.status === 429;
  const code = passing ? "temporarily_unavailable" : "invalid_request";
  // The cause of an internal failure is not disclosed.
  const description = error.status >= 500 ? "The service cannot answer now: try again later." : error.message;
  return { status: error.status, body: { error: code, error_description: description }, headers: NO_STORE };
}

function jsonAnswer(status: number, body: unknown, headers: Readonly<Record<string, string>>): TokenEndpointAnswer {
  return {
    status,
    headers: { "Content-Type": "application/json", ...NO_STORE, ...headers },
    body: JSON.stringify(body),
  };
}
