import { brokenAnswer } from "../../../src/call-failures.ts";
import { createClient } from "../../../src/client.ts";
import { brokerContract, type QrKeys } from "../../../src/contract/broker/broker.ts";
import type { QrKeySource } from "../access/broker-context.ts";
import { upstreamError } from "./upstream-error.ts";

const FRESH_MS = 5 * 60_000;
const RENEWED_MS = 10_000;

/**
 * Makes the source of the service's QR keys: fetches the list from the service's own address, and caches it for five
 * minutes.
 */
export function createQrKeySource(options: {
  readonly baseUrl: string;
  readonly now: () => number;
  readonly timeoutMs: number;
}): QrKeySource {
  const { baseUrl, now, timeoutMs } = options;
  const client = createClient(
    { qrKeys: brokerContract.qrKeys },
    { baseUrl, timeoutMs, fetch: (input, init) => fetch(input, { ...init, redirect: "error" }) },
  );
  let held: { readonly at: number; readonly keys: Promise<QrKeys> } | undefined;

  async function load(): Promise<QrKeys> {
    try {
      return (await client.qrKeys({}, { signal: AbortSignal.timeout(timeoutMs) })).body;
    } catch (error) {
      held = undefined;
      throw upstreamError(brokenAnswer(error));
    }
  }

  function youngerThan(ageMs: number): Promise<QrKeys> {
    if (held === undefined || now() - held.at >= ageMs) held = { at: now(), keys: load() };
    return held.keys;
  }
  return { get: () => youngerThan(FRESH_MS), renew: () => youngerThan(RENEWED_MS) };
}
