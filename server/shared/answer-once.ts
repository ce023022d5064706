import { ApiError, type ErrorCode, type Fault } from "../../src/contract/shared/errors.ts";
import type { Reply } from "../../src/contract/shared/handler.ts";

/** A refusal of a write as a value, which is kept like an answer: the same at the terminal as over HTTP. */
export interface WriteRefusal {
  readonly code: ErrorCode;
  readonly detail: string;
  readonly faults?: readonly Fault[];
}

/** The result of a write: its answer, and the part that may be kept for a copy of the request. Never a secret. */
export interface Written<A> {
  readonly answer: A;
  readonly kept: A;
}

/** The outcome of a request as it is kept under its idempotency key: the body of the answer, or the refusal. */
export type Outcome<A> = { readonly body: A } | { readonly refusal: WriteRefusal };

type Replayable<A> = Outcome<A> & { readonly replayed: boolean };

/** In the form in which it is stored. */
type Fingerprint = string | Uint8Array;

interface RequestKey {
  readonly key: string;
  readonly fingerprint: Fingerprint;
}

/** The store of the outcomes of one operation for one caller, by idempotency key. */
export interface OutcomeStore<A, K extends RequestKey> {
  readonly find: (key: string) => Promise<(Pick<K, "fingerprint"> & { readonly outcome: Outcome<A> }) | undefined>;
  /** Keeps an outcome in the transaction of the write, which holds a lock that copies of the request wait for. */
  readonly keep: (request: K, outcome: Outcome<A>, now: Date) => Promise<unknown>;
}

const ANOTHER_BODY = "The idempotency key belongs to an earlier request with another body: use a new key.";

/** Throws `idempotency_key_reused` unless the request that first used a key and this one have the same fingerprint. */
export function refuseReusedKey(first: Fingerprint, sent: Fingerprint, detail = ANOTHER_BODY): void {
  if (!Buffer.from(first).equals(Buffer.from(sent))) throw new ApiError("idempotency_key_reused", { detail });
}

/**
 * Finds the outcome of an earlier copy of a request; undefined where there is none or the request has no key; throws
 * `idempotency_key_reused` where its key was used for another request.
 */
export async function findOutcome<A, K extends RequestKey>(
  store: Pick<OutcomeStore<A, K>, "find">,
  request: K | undefined,
): Promise<Replayable<A> | undefined> {
  const earlier = request && (await store.find(request.key));
  if (earlier === undefined || request === undefined) return undefined;
  refuseReusedKey(earlier.fingerprint, request.fingerprint);
  return { ...earlier.outcome, replayed: true };
}

/**
 * Returns the outcome of an earlier copy of a request; where there is none, carries the write out and keeps its
 * outcome.
 */
export async function answerOnce<A, K extends RequestKey>(
  store: OutcomeStore<A, K>,
  { request, now }: { readonly request: K | undefined; readonly now: Date },
  write: () => Promise<Written<A> | WriteRefusal>,
): Promise<Replayable<A>> {
  const earlier = await findOutcome(store, request);
  if (earlier !== undefined) return earlier;
  const result = await write();
  const [given, kept] =
    "code" in result ? [{ refusal: result }, { refusal: result }] : [{ body: result.answer }, { body: result.kept }];
  if (request !== undefined) await store.keep(request, kept, now);
  return { ...given, replayed: false };
}

/** Makes the reply of an outcome, or throws its refusal. Called after the commit, which keeps a refusal too. */
export function replyOf<A>({ replayed, ...outcome }: Replayable<A>): Reply<A> {
  if ("body" in outcome) return { body: outcome.body, replayed };
  const { code, detail, faults = [] } = outcome.refusal;
  throw new ApiError(code, { detail, faults, replayed });
}
