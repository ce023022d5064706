import { TokenRefusal } from "./token-answer.ts";

/** The part of a rate limiter that is used here. */
interface AttemptLimiter {
  take(key: string): unknown;
  /** Whether {@link AttemptLimiter.take} would be allowed, and else in how many seconds. */
  peek(key: string): { readonly allowed: boolean; readonly retryAfter: number };
}

/** Wrong secrets that are borne, per client id and per address; each a limiter of its own. */
export interface AttemptLimits {
  readonly perClient: AttemptLimiter;
  readonly perAddress: AttemptLimiter;
}

/** Wrong secrets that are borne before the endpoint answers 429, by default. */
export const WRONG_SECRET_LIMITS = {
  perClient: { quota: 20, windowSeconds: 60 },
  perAddress: { quota: 60, windowSeconds: 60 },
} as const;

/** Bounds how often a secret may be wrong. */
export interface SecretAttempts {
  /**
   * Answers what `verify` answers, which is undefined for a wrong secret; without asking it, throws
   * {@link TokenRefusal} with 429 when there were too many. Right secrets never count, however many come at once.
   */
  attempt<T>(clientId: string, address: string, verify: () => Promise<T | undefined>): Promise<T | undefined>;
}

/** Client ids that are longer than any of ours count as one, so that they fill no memory. */
const LONGEST_CLIENT_ID = 64;

/**
 * Counts wrong secrets. An address from which a client has just authenticated is not held to that client's limit, so
 * that a stranger's guesses do not lock the client out; its first wrong secret ends that.
 */
export function countSecretAttempts({ perClient, perAddress }: AttemptLimits, maxFamiliar = 10_000): SecretAttempts {
  const familiar = new Set<string>();

  function makeFamiliar(pair: string): void {
    familiar.delete(pair);
    familiar.add(pair);
    if (familiar.size <= maxFamiliar) return;
    const [oldest] = familiar;
    if (oldest !== undefined) familiar.delete(oldest);
  }

  return {
    async attempt(clientId, address, verify) {
      const client = clientId.length > LONGEST_CLIENT_ID ? "" : clientId;
      const pair = `${client} ${address}`;
      refuseWhenSpent(perAddress, address);
      if (!familiar.has(pair)) refuseWhenSpent(perClient, client);
      const verified = await verify();
      if (verified === undefined) {
        perAddress.take(address);
        perClient.take(client);
        familiar.delete(pair);
      } else makeFamiliar(pair);
      return verified;
    },
  };
}

function refuseWhenSpent(limiter: AttemptLimiter, key: string): void {
  const { allowed, retryAfter } = limiter.peek(key);
  if (allowed) return;
  const seconds = Math.max(1, Math.ceil(retryAfter));
  const description = `Too many wrong secrets: try again in ${seconds} s.`;
  throw new TokenRefusal("temporarily_unavailable", description, seconds);
}
