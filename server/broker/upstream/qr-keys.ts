import { brokenAnswer } from "../../../src/call-failures.ts";
import { createClient } from "../../../src/client.ts";
import { brokerContract, type QrKeys } from "../../../src/contract/broker.ts";
import { upstreamError } from "./upstream-error.ts";

/** The service's public keys of payment codes. */
export interface QrKeySource {
  /** The list, at most five minutes old. */
  get(): Promise<QrKeys>;
  /** Fetches the list anew, for a code whose key is not in the cached one; at most every ten seconds. */
  renew(): Promise<QrKeys>;
}

const FRESH_MS = 5 * 60_000;
const RENEWED_MS = 10_000;

/** Fetches the keys from the service's own address, and caches them. */
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
