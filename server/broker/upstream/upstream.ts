import { type Answer, type CallOptions, type Client, createClient } from "../../../src/client.ts";
import { ApiError, type ErrorCode } from "../../../src/contract/errors.ts";
import type { AnswerOf, Operation } from "../../../src/contract/operation.ts";
import { type ServiceContract, serviceContract } from "../../../src/contract/service.ts";
import type { HttpLog } from "../../http/http-log.ts";
import type { UpstreamOptions } from "../broker-options.ts";
import { createBreaker } from "./breaker.ts";
import { createTokenSource, type TokenSource } from "./token-source.ts";
import { brokenAnswer, isOutage, isPassing, upstreamError } from "./upstream-error.ts";

/** An operation of the service. */
export type UpstreamName = keyof ServiceContract;

/** One way to call the service: authorised, bounded in time, tried again where that is safe. */
export interface Upstream {
  /**
   * Throws one of our `ApiError`s when it fails. Fields are those of the path, and the query of a read or the body of
   * a write.
   */
  call<N extends UpstreamName>(
    name: N,
    fields: Readonly<Record<string, unknown>>,
    idempotencyKey?: string,
  ): Promise<Answer<AnswerOf<ServiceContract[N]>>>;
}

/** What the upstream client needs besides its addresses. */
export interface UpstreamParts {
  readonly upstream: UpstreamOptions;
  readonly now: () => number;
  readonly random: (length: number) => Uint8Array;
  readonly wait: (delayMs: number) => Promise<void>;
  readonly log: HttpLog;
}

const TIMEOUT_MS = 10_000;
const TRIES = 3;
const FIRST_PAUSE_MS = 100;

/** Statuses whose meaning does not depend on a problem document, which another upstream may not send. */
const PLAIN_STATUSES: Readonly<Record<number, ErrorCode>> = Object.freeze({
  401: "unauthorized",
  429: "too_many_requests",
  503: "unavailable",
});

/** `fetch` without redirects: the token goes to the configured host and nowhere else. */
async function fetchUpstream(input: Parameters<typeof fetch>[0], init?: RequestInit): Promise<Response> {
  const response = await fetch(input, { ...init, redirect: "error" });
  const code = PLAIN_STATUSES[response.status];
  if (code === undefined) return response;
  await response.body?.cancel();
  const retryAfter = response.headers.get("retry-after");
  return Response.json(
    { code },
    { status: response.status, headers: retryAfter === null ? {} : { "retry-after": retryAfter } },
  );
}

function pauseMs(attempt: number, random: UpstreamParts["random"]): number {
  const share = (random(1)[0] ?? 0) / 256;
  return FIRST_PAUSE_MS * 2 ** attempt * (0.5 + share);
}

/** Fields that the path names go into it. */
function inputOf({ method, path }: Operation, fields: object) {
  const named = (name: string): boolean => path.split("/").includes(`:${name}`);
  const entries = Object.entries(fields);
  const params = Object.fromEntries(entries.filter(([name]) => named(name)));
  const rest = Object.fromEntries(entries.filter(([name]) => !named(name)));
  return { params, ...(method === "GET" ? { query: rest } : { body: rest }) };
}

type AnyCall = (input: object, options: CallOptions) => Promise<Answer<unknown>>;

/** Sends once, and once again with a fresh token where the upstream refused the one we had. */
async function authorised<T>(tokens: TokenSource, send: (token: string) => Promise<T>): Promise<T> {
  const token = await tokens.get();
  try {
    return await send(token);
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== "unauthorized") throw error;
    tokens.invalidate(token);
    return send(await tokens.get());
  }
}

/** Makes the client of the service that the whole broker shares. */
export function createUpstream({ upstream, now, random, wait, log }: UpstreamParts): Upstream {
  const { baseUrl, timeoutMs = TIMEOUT_MS } = upstream;
  const client: Client<ServiceContract> = createClient(serviceContract, { baseUrl, timeoutMs, fetch: fetchUpstream });
  const breaker = createBreaker({ now });
  const tokens = createTokenSource({
    ...upstream,
    now,
    random,
    timeoutMs,
    onFailure: (error) => log.warn({ reason: String(error) }, "access token not renewed early"),
  });

  async function attempt(name: UpstreamName, fields: object, idempotencyKey: string | undefined) {
    const row: Operation = serviceContract[name];
    const input = inputOf(row, fields);
    try {
      const answer = await authorised(tokens, (token) =>
        (client[name] as AnyCall)(input, {
          headers: { authorization: `Bearer ${token}` },
          // The client's own limit ends with the headers; this one covers the body too.
          signal: AbortSignal.timeout(timeoutMs),
          ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
        }),
      );
      breaker.succeeded();
      return answer;
    } catch (thrown) {
      const error = brokenAnswer(thrown);
      if (isOutage(error)) breaker.failed();
      else breaker.succeeded();
      throw error;
    }
  }

  async function call(name: UpstreamName, fields: object, idempotencyKey?: string): Promise<Answer<unknown>> {
    const repeatable = !serviceContract[name].writes || idempotencyKey !== undefined;
    for (let number = 0; ; number += 1) {
      const closed = breaker.secondsClosed();
      if (closed > 0) throw new ApiError("unavailable", { retryAfter: closed });
      try {
        return await attempt(name, fields, idempotencyKey);
      } catch (error) {
        if (!repeatable || number + 1 >= TRIES || !isPassing(error)) throw upstreamError(error);
        await wait(pauseMs(number, random));
      }
    }
  }
  return { call } as Upstream;
}
