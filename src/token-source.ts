import { TokenAnswer, TokenError } from "./contract/service/token.ts";
import type { Operation } from "./contract/shared/operation.ts";
import type { Scope } from "./contract/shared/scopes.ts";
import { fits } from "./contract/shared/validate.ts";
import { between } from "./retry.ts";

/** A source of access tokens. */
export interface TokenSource {
  /** A token that is good for now; waits for a renewal only where there is no such token. */
  get(): Promise<string>;
  /** Discards a token that the upstream refused: the next {@link get} obtains another. Repeating it changes nothing. */
  invalidate(token: string): void;
}

/** One request for an access token (interface: Authentication). */
export interface TokenRequest {
  readonly authUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly timeoutMs: number;
  /** The scope of the token (RFC 6749 §3.3). Default: all of the client's scopes but administration. */
  readonly scope?: string | undefined;
  /** Default: the platform's `fetch`. */
  readonly fetch?: typeof fetch;
}

/** The options of a token source. */
export interface TokenSourceOptions extends TokenRequest {
  /** Milliseconds from any fixed point. */
  readonly now: () => number;
  readonly random: (length: number) => Uint8Array;
  /** Called when a renewal in the background failed; the current token stays in use. */
  readonly onFailure: (error: unknown) => void;
}

/** No token could be obtained. Its message never holds the secret, nor anything that the other side wrote. */
export class TokenSourceError extends Error {
  override readonly name = "TokenSourceError";
  /** The credentials were refused, or the scope: trying again soon is of no use. */
  readonly refused: boolean;
  /** The client may not have the scope; with another scope it gets tokens. */
  readonly scopeRefused: boolean;

  constructor(message: string, options: { refused: boolean; scopeRefused?: boolean; cause?: unknown }) {
    super(message, { cause: options.cause });
    this.refused = options.refused;
    this.scopeRefused = options.scopeRefused ?? false;
  }
}

/** For so long after a failure every caller gets the same failure, without another request. */
const FAILURE_MS = 1_000;

interface Held {
  readonly token: string;
  readonly renewAt: number;
  readonly endsAt: number;
}

function describe(cause: unknown): string {
  const code = (cause as { readonly cause?: { readonly code?: unknown } }).cause?.code;
  return typeof code === "string" ? code : cause instanceof Error ? cause.name : "unknown";
}

async function send({ authUrl, clientId, clientSecret, timeoutMs, scope, ...given }: TokenRequest): Promise<Response> {
  try {
    return await (given.fetch ?? fetch)(`${authUrl.replace(/\/$/, "")}/oauth2/token`, {
      method: "POST",
      redirect: "error",
      headers: { "content-type": "application/json", accept: "application/json" },
      body: JSON.stringify({ client_id: clientId, client_secret: clientSecret, scope }),
      signal: AbortSignal.timeout(timeoutMs),
    });
  } catch (cause) {
    throw new TokenSourceError(`the token endpoint did not answer (${describe(cause)})`, { refused: false });
  }
}

/** Asks for one access token, and follows no redirect with the secret; throws {@link TokenSourceError}. */
export async function requestToken(options: TokenRequest): Promise<{ token: string; lifeMs: number }> {
  const response = await send(options);
  const answer: unknown = await response.json().catch(() => undefined);
  if (response.ok && fits(TokenAnswer, answer)) {
    return { token: answer.access_token, lifeMs: answer.expires_in * 1000 };
  }
  const code = fits(TokenError, answer) ? answer.error : "no OAuth error";
  const refused = response.status === 400 || response.status === 401;
  const scopeRefused = code === "invalid_scope";
  const asked = options.scope === undefined ? "" : `, asked for the scope ${options.scope}`;
  throw new TokenSourceError(`the token endpoint${asked} answered ${response.status} (${code})`, {
    refused,
    scopeRefused,
  });
}

/**
 * Makes a source that shares one access token among all callers: one renewal at a time, in the background before the
 * token expires, and, after the upstream refused it, when the next caller needs one.
 */
export function createTokenSource(options: TokenSourceOptions): TokenSource {
  const { now, random, onFailure } = options;
  let held: Held | undefined;
  let renewal: Promise<Held> | undefined;
  let failure: { readonly error: TokenSourceError; readonly until: number } | undefined;

  async function renew(): Promise<Held> {
    const startedAt = now();
    try {
      const { token, lifeMs } = await requestToken(options);
      held = { token, renewAt: startedAt + lifeMs * between(0.8, 0.7, random), endsAt: startedAt + lifeMs };
      return held;
    } catch (error) {
      if (error instanceof TokenSourceError) failure = { error, until: now() + FAILURE_MS };
      throw error;
    }
  }

  function renewOnce(): Promise<Held> {
    if (failure !== undefined && now() < failure.until) return Promise.reject(failure.error);
    renewal ??= renew().finally(() => {
      renewal = undefined;
    });
    return renewal;
  }

  return {
    async get() {
      const at = now();
      if (held === undefined || at >= held.endsAt) return (await renewOnce()).token;
      const mayRenew = renewal === undefined && (failure === undefined || at >= failure.until);
      if (at >= held.renewAt && mayRenew) renewOnce().catch(onFailure);
      return held.token;
    },
    invalidate(token) {
      if (held?.token === token) held = undefined;
    },
  };
}

/**
 * Makes the token sources of one API client, and returns the function that gives an operation's source. Operations of
 * administration have a short-lived token of their own, requested with that scope when it is first needed, so that the
 * token of all others gives no right of administration.
 */
export function createTokenSources(options: TokenSourceOptions): (row: Pick<Operation, "scope">) => TokenSource {
  const ordinary = createTokenSource(options);
  const administration = createTokenSource({ ...options, scope: "administration" satisfies Scope });
  return ({ scope }) => (scope === "administration" ? administration : ordinary);
}
