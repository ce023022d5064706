import { brokenAnswer, isTransient } from "../../../src/call-failures.ts";
import type { Answer } from "../../../src/client.ts";
import { serviceContract } from "../../../src/contract/service/service.ts";
import type { Operation } from "../../../src/contract/shared/operation.ts";
import { formatScopes } from "../../../src/contract/shared/scopes.ts";
import { retry } from "../../../src/retry.ts";
import { sendAuthorised } from "../../../src/send-authorised.ts";
import { createTokenSources } from "../../../src/token-source.ts";
import type { HttpLog } from "../../http/http-log.ts";
import type { UpstreamOptions } from "../access/broker-options.ts";
import { POLICY_SCOPES } from "../access/policy/policy-scopes.ts";
import type { Upstream, UpstreamName } from "../access/policy/upstream-calls.ts";
import { createBreaker } from "./breaker.ts";
import { checkInstallation } from "./check-installation.ts";
import { createSender } from "./send-call.ts";
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
/** True for a read, and for a PUT, which is idempotent. */
function isRepeatable({ writes, method }: Operation): boolean {
  return !writes || method === "PUT";
}

/**
 * Makes the client of the service that the whole broker shares. It authorises each call, bounds it in time, tries reads
 * and idempotent writes up to three times if they fail for the moment, and refuses at once while the service is known
 * to be down.
 */
export function createUpstream({ upstream, now, random, wait, log }: UpstreamParts): Upstream {
  const { baseUrl, installation, timeoutMs = TIMEOUT_MS } = upstream;
  const agree = installation && checkInstallation({ baseUrl, configured: installation, timeoutMs, log });
  const send = createSender({ baseUrl, timeoutMs });
  const breaker = createBreaker(now);
  const tokensOf = createTokenSources({
    ...upstream,
    scope: formatScopes(POLICY_SCOPES),
    ...{ now, random, timeoutMs },
    onFailure: (error) => log.warn({ reason: String(error) }, "access token not renewed early"),
  });

  async function attempt(name: UpstreamName, fields: object, idempotencyKey: string | undefined) {
    const row = serviceContract[name];
    try {
      await agree?.();
      const answer = await sendAuthorised(tokensOf(row), (token) => send(row, { fields, token, idempotencyKey }));
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
