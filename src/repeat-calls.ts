import { brokenAnswer, isTransient } from "./call-failures.ts";
import type { Answer, CallOptions, Client } from "./client.ts";
import { ApiError } from "./contract/shared/errors.ts";
import { type Contract, type Operation, takesIdempotencyKey } from "./contract/shared/operation.ts";
import { retry } from "./retry.ts";

/** Waits; rejects with the signal's reason as soon as that is aborted. */
export type Wait = (delayMs: number, signal: AbortSignal | undefined) => Promise<void>;

/** How calls are repeated, and as whom they are sent. */
export interface RepeatOptions {
  /** How often one call is sent at most. */
  readonly tries: number;
  /** For each try, its answer's body included. */
  readonly timeoutMs: number;
  /** Makes a unique idempotency key. */
  readonly newKey: () => string;
  readonly random: (length: number) => Uint8Array;
  readonly wait: Wait;
  /** Sends with the headers that authorise the row's operation. */
  readonly send: <T>(call: (headers: Readonly<Record<string, string>>) => Promise<T>, row: Operation) => Promise<T>;
}

type AnyCall = (input: object, options: CallOptions) => Promise<Answer<unknown>>;

/** A longer `Retry-After` than this is left to the caller: a request of theirs waits meanwhile. */
const LONGEST_PAUSE_MS = 30_000;

/** The pause that the answer asks for; undefined where another try would be of no use. */
function askedPauseMs(error: unknown): number | undefined {
  const limited = error instanceof ApiError && error.code === "too_many_requests";
  if (!limited && !isTransient(error)) return undefined;
  const askedMs = error instanceof ApiError ? (error.retryAfter ?? 0) * 1000 : 0;
  return askedMs > LONGEST_PAUSE_MS ? undefined : askedMs;
}

async function sendOnce(row: Operation, call: AnyCall, input: object, options: CallOptions, repeat: RepeatOptions) {
  const timeout = AbortSignal.timeout(repeat.timeoutMs);
  const signal = options.signal === undefined ? timeout : AbortSignal.any([options.signal, timeout]);
  try {
    return await repeat.send(
      (headers) => call(input, { ...options, headers: { ...options.headers, ...headers }, signal }),
      row,
    );
  } catch (error) {
    if (options.signal?.aborted) throw options.signal.reason;
    throw brokenAnswer(error);
  }
}

/** A write is repeated with the key of its first try and never without one, so that it is carried out once. */
function repeated(row: Operation, call: AnyCall, repeat: RepeatOptions): AnyCall {
  const keyed = takesIdempotencyKey(row);
  return async (input, options = {}) => {
    const sent = keyed ? { ...options, idempotencyKey: options.idempotencyKey ?? repeat.newKey() } : options;
    return retry(() => sendOnce(row, call, input, sent, repeat), {
      most: row.writes && !keyed ? 1 : repeat.tries,
      leastPauseMs: (error) => (options.signal?.aborted ? undefined : askedPauseMs(error)),
      random: repeat.random,
      wait: (delayMs) => repeat.wait(delayMs, options.signal),
    });
  };
}

/** Wraps a client: every call is authorised, bounded in time, and retried where that is safe. */
export function repeatCalls<const C extends Contract>(
  contract: C,
  client: Client<C>,
  repeat: RepeatOptions,
): Client<C> {
  const methods = Object.entries(contract).map(([name, row]) => [
    name,
    repeated(row, client[name as keyof C] as AnyCall, repeat),
  ]);
  return Object.fromEntries(methods) as Client<C>;
}
