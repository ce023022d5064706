import { brokenAnswer, isTransient } from "../../../src/call-failures.ts";
import { type Answer, type CallOptions, createClient } from "../../../src/client.ts";
import { serviceContract } from "../../../src/contract/service/service.ts";
import type { Operation } from "../../../src/contract/shared/operation.ts";
import { formatScopes } from "../../../src/contract/shared/scopes.ts";
import { fetchWithoutRedirects } from "../../../src/fetch-without-redirects.ts";
import { retry } from "../../../src/retry.ts";
import { sendAuthorised } from "../../../src/send-authorised.ts";
import { createTokenSources } from "../../../src/token-source.ts";
import type { HttpLog } from "../../http/http-log.ts";
import type { UpstreamOptions } from "../access/broker-options.ts";
import { POLICY_SCOPES } from "../access/policy/policy-scopes.ts";
import type { Upstream, UpstreamName } from "../access/policy/upstream-calls.ts";
import { createBreaker } from "./breaker.ts";
import { checkInstallation } from "./check-installation.ts";
import { isOutage, upstreamError } from "./upstream-error.ts";

/** Options and dependencies of the upstream client. */
export interface UpstreamParts {
  readonly upstream: UpstreamOptions;
  readonly now: () => number;
  readonly random: (length: number) => Uint8Array;
  readonly wait: (delayMs: number) => Promise<void>;
  readonly log: HttpLog;
}

const TIMEOUT_MS = 10_000;
const TRIES = 3;
/** The pages of the broker draw codes by themselves. */
const JSON_WITHOUT_IMAGES = "application/json, image/*;q=0";

/** Splits fields into those that the path names and the rest: the query of a read, or the body of a write. */
function inputOf({ method, path }: Operation, fields: object) {
  const named = (name: string): boolean => path.split("/").includes(`:${name}`);
  const entries = Object.entries(fields);
  const params = Object.fromEntries(entries.filter(([name]) => named(name)));
  const rest = Object.fromEntries(entries.filter(([name]) => !named(name)));
  return { params, ...(method === "GET" ? { query: rest } : { body: rest }) };
}

/** True for a read, and for a PUT, which is idempotent. */
function isRepeatable({ writes, method }: Operation): boolean {
  return !writes || method === "PUT";
}

function headersOf({ mediaTypes }: Operation, token: string): Readonly<Record<string, string>> {
  return { authorization: `Bearer ${token}`, ...(mediaTypes && { accept: JSON_WITHOUT_IMAGES }) };
}

type AnyCall = (input: object, options: CallOptions) => Promise<Answer<unknown>>;

/**
 * Makes the client of the service that the whole broker shares. It authorises each call, bounds it in time, tries reads
 * and idempotent writes up to three times if they fail for the moment, and refuses at once while the service is known
 * to be down.
 */
export function createUpstream({ upstream, now, random, wait, log }: UpstreamParts): Upstream {
  const { baseUrl, installation, timeoutMs = TIMEOUT_MS } = upstream;
  const agree = installation && checkInstallation({ baseUrl, configured: installation, timeoutMs, log });
  const client = createClient(serviceContract, { baseUrl, timeoutMs, fetch: fetchWithoutRedirects() });
  const breaker = createBreaker(now);
  const tokensOf = createTokenSources({
    ...upstream,
    scope: formatScopes(POLICY_SCOPES),
    ...{ now, random, timeoutMs },
    onFailure: (error) => log.warn({ reason: String(error) }, "access token not renewed early"),
  });

  async function attempt(name: UpstreamName, fields: object, idempotencyKey: string | undefined) {
    const input = inputOf(serviceContract[name], fields);
    try {
      await agree?.();
      const answer = await sendAuthorised(tokensOf(serviceContract[name]), (token) =>
        (client[name] as AnyCall)(input, {
          headers: headersOf(serviceContract[name], token),
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
    const repeatable = isRepeatable(serviceContract[name]) || idempotencyKey !== undefined;
    try {
      breaker.refuseWhileOpen();
      return await retry(() => attempt(name, fields, idempotencyKey), {
        most: repeatable ? TRIES : 1,
        leastPauseMs: (error) => (isTransient(error) ? 0 : undefined),
        random,
        wait: (delayMs) => wait(delayMs).then(breaker.refuseWhileOpen),
      });
    } catch (error) {
      throw upstreamError(error);
    }
  }
  return { call } as Upstream;
}
