import { ApiError } from "../../src/contract/shared/errors.ts";
import type { Call, Reply } from "../../src/contract/shared/handler.ts";
import { type Contract, errorsOf, type Operation } from "../../src/contract/shared/operation.ts";
import { requireScope } from "../../src/contract/shared/require-scope.ts";
import { answerCall } from "./answer-call.ts";
import { addressKey } from "./client-address.ts";
import { type Exchange, type HttpContext, isGone } from "./exchange.ts";
import type { HttpOptions } from "./http-options.ts";
import { negotiate, prefersMinimal } from "./negotiate.ts";
import type { RateLimiter } from "./rate-limiter.ts";
import { readCall } from "./read-call.ts";
import type { WrittenReply } from "./remote-call.ts";

/** The rate limits of an app, with the defaults applied. */
export interface RequestLimits {
  readonly principal: RateLimiter;
  readonly address: RateLimiter;
  /** Of all principals of a group together; absent where principals have none. */
  readonly group: RateLimiter | undefined;
}

/**
 * Takes one request from a key's bucket, puts what is left into the answer's headers, and throws 429 when nothing is
 * left.
 */
export function limit(limiter: RateLimiter, key: string, exchange: Exchange): void {
  const verdict = limiter.take(key);
  Object.assign(exchange.headers, limiter.headersOf(verdict));
  refuseUnless(verdict);
}

/** Takes one request from a bucket, and shows it in the headers only once nothing is left. */
function limitQuietly(limiter: RateLimiter, key: string, exchange: Exchange): void {
  const verdict = limiter.take(key);
  if (!verdict.allowed) Object.assign(exchange.headers, limiter.headersOf(verdict));
  refuseUnless(verdict);
}

function refuseUnless(verdict: ReturnType<RateLimiter["take"]>): void {
  if (verdict.allowed) return;
  const detail = `Too many requests: try again in ${verdict.retryAfter} s.`;
  throw new ApiError("too_many_requests", { detail, retryAfter: verdict.retryAfter });
}

/** The time within which a body is read that arrives with the headers or right behind them. */
const INSTANT_MS = 20;

type Options<P> = HttpOptions<Contract, P>;

/** Finds the caller; every failed attempt takes from the address's limit: guessing runs into 429 before another 401. */
async function identify<P>(row: Operation, options: Options<P>, limits: RequestLimits, c: HttpContext): Promise<P> {
  const exchange = c.get("exchange");
  try {
    return await options.authenticate(row.access, c.req.raw, exchange.address);
  } catch (error) {
    if (row.access !== "none" && error instanceof ApiError && error.status < 500) {
      limit(limits.address, addressKey(exchange.address), exchange);
    }
    throw error;
  }
}

/** Identifies the caller within the limits: a known principal has a bucket of its own, and one with its group. */
async function admit<P>(row: Operation, options: Options<P>, limits: RequestLimits, c: HttpContext): Promise<P> {
  const exchange = c.get("exchange");
  if (row.access === "none") limit(limits.address, addressKey(exchange.address), exchange);
  const principal = await identify(row, options, limits, c);
  exchange.principal = options.labelOf(principal);
  if (row.access !== "none") {
    limit(limits.principal, exchange.principal, exchange);
    const group = options.groupOf?.(principal);
    if (group !== undefined && limits.group !== undefined) limitQuietly(limits.group, group, exchange);
  }
  if (row.scope !== undefined) requireScope(row.scope, options.scopesOf?.(principal) ?? []);
  return principal;
}

/** Carries out the calls of a row. */
export type RowHandler<P> = (call: Call<Operation, P>) => Promise<Reply<unknown> | WrittenReply>;

/**
 * Makes the Hono handler of a row. It first authenticates the caller (401) and takes from the caller's limit (429), or
 * from the address's limit where the row needs no credential, then checks scope (403), `Accept` (406), the path's id
 * (404), content type (415), size (413) and fields (400), runs the operation and answers. Authentication precedes the
 * body, so that a row that needs a credential reads no body without one; a caller whose body comes late is
 * authenticated again after it, because the session or key may have ended while the request was held.
 */
export function runRow<P>(
  row: Operation,
  handler: RowHandler<P>,
  options: Options<P>,
  limits: RequestLimits,
): (c: HttpContext) => Promise<Response> {
  const declared = new Set(errorsOf(row));
  const turns = options.turnsOf?.(row);
  const groupOf = (principal: P): string => options.groupOf?.(principal) ?? options.labelOf(principal);

  async function carryOut(call: Call<Operation, P>) {
    try {
      return await handler(call);
    } catch (error) {
      const known = error instanceof ApiError ? error : options.classify?.(error);
      if (known === undefined || declared.has(known.code)) throw error;
      throw new Error(`${row.name} threw ${known.code}, which its row does not declare`, { cause: error });
    }
  }

  return async (c) => {
    const exchange = c.get("exchange");
    const request = c.req.raw;
    exchange.route = row.path;
    const admitted = await admit(row, options, limits, c);
    turns?.requireRoom(groupOf(admitted));
    const mediaType = negotiate(row, request.headers.get("accept"));
    const admittedAt = options.now();
    const read = await readCall(row, { request, incoming: c.env?.incoming, params: c.req.param() });
    const wasHeld = options.now() - admittedAt > INSTANT_MS;
    const principal = wasHeld ? await identify(row, options, limits, c) : admitted;
    const call = {
      ...(read as Pick<Call<Operation, P>, "params" | "query" | "body" | "idempotency">),
      principal,
      requestId: exchange.requestId,
      mediaType,
      isMinimal: prefersMinimal(request.headers.get("prefer")),
      address: exchange.address,
      origin: request.headers.get("origin") ?? undefined,
    };
    const answer = async () => answerCall(row, await carryOut(call), exchange, request, options.baseUrl);
    if (turns === undefined) return answer();
    return turns.run(groupOf(principal), () => isGone(c), answer);
  };
}
