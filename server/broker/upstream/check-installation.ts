import { AnswerError, createClient } from "../../../src/client.ts";
import { ApiError } from "../../../src/contract/shared/errors.ts";
import { installation } from "../../../src/contract/shared/installation.ts";
import { fetchWithoutRedirects } from "../../../src/fetch-without-redirects.ts";
import { type Installation, installationFaults } from "../../../src/installation.ts";
import type { HttpLog } from "../../http/http-log.ts";

/** The installation that the broker is configured with, and the address of the service that must have the same. */
export interface AgreementOptions {
  readonly baseUrl: string;
  readonly configured: Installation;
  readonly timeoutMs: number;
  readonly log: HttpLog;
}

/**
 * Asks the service for its currency and time zone; returns a sentence for each difference from the broker's, and none,
 * with a warning in the log, for a service that does not report them. Throws as a call does while the service cannot be
 * asked.
 */
export async function upstreamFaults(options: AgreementOptions): Promise<readonly string[]> {
  const { baseUrl, configured, timeoutMs, log } = options;
  const client = createClient({ installation }, { baseUrl, timeoutMs, fetch: fetchWithoutRedirects() });
  try {
    const { body } = await client.installation({}, { signal: AbortSignal.timeout(timeoutMs) });
    const told = { currency: body.currency, digits: body.decimals, timeZone: body.time_zone };
    return installationFaults(configured, told, "service");
  } catch (error) {
    if (!(error instanceof ApiError && error.code === "not_found")) throw error;
    log.warn({}, "the service does not tell its currency and time zone: make sure that the broker has the same");
    return [];
  }
}

/**
 * Makes the check that every call of the service awaits: once the service has reported the currency and the time zone
 * that the broker is configured with, it resolves at once. Throws `AnswerError` while it reports others, and as a call
 * does while it cannot be asked. A service that does not report them counts as one that agrees, with a warning.
 */
export function checkInstallation(options: AgreementOptions): () => Promise<void> {
  let agreed: Promise<void> | undefined;
  async function ask(): Promise<void> {
    const faults = await upstreamFaults(options);
    if (faults.length > 0) throw new AnswerError(faults.join(" "));
  }
  return () => {
    agreed ??= ask().catch((error: unknown) => {
      agreed = undefined;
      throw error;
    });
    return agreed;
  };
}
