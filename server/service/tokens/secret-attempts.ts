import { TokenRefusal } from "./token-answer.ts";

/** The part of a rate limiter that is used here. */
interface AttemptLimiter {
  take(key: string): unknown;
  /** Says if {@link AttemptLimiter.take} would be allowed, and else in how many seconds. */
  peek(key: string): { readonly allowed: boolean; readonly retryAfter: number };
}

/** The limiters of wrong secrets, one per client id and one per address. */
export interface AttemptLimits {
  readonly perClient: AttemptLimiter;
  readonly perAddress: AttemptLimiter;
}

/** Wrong secrets after which the endpoint answers 429, by default. */
export const WRONG_SECRET_LIMITS = {
  perClient: { quota: 20, windowSeconds: 60 },
  perAddress: { quota: 60, windowSeconds: 60 },
} as const;

/** Bounds how often a secret may be wrong. */
export interface SecretAttempts {
  /**
   * Answers what `verify` answers, which is undefined for a wrong secret; throws {@link TokenRefusal} with 429 for one
   * wrong secret too many. A right secret is granted whatever others did: from behind one proxy, or on one machine,
   * strangers and clients have the same address.
   */
  attempt<T>(clientId: string, address: string, verify: () => Promise<T | undefined>): Promise<T | undefined>;
}

/** Client ids that are longer than any of ours count as one, so that they fill no memory. */
const LONGEST_CLIENT_ID = 64;

/**
 * Builds the counter of wrong secrets, by client id and by address. Each secret is looked up, at the cost of one
 * indexed read that the address's limit of requests bounds: a secret has 256 random bits, so that it is the answers to
 * wrong ones that are worth limiting, never the right one.
 */
export function countSecretAttempts({ perClient, perAddress }: AttemptLimits): SecretAttempts {
  return {
    async attempt(clientId, address, verify) {
      const verified = await verify();
      if (verified !== undefined) return verified;
      const client = clientId.length > LONGEST_CLIENT_ID ? "" : clientId;
      refuseWhenSpent(perAddress, address);
      refuseWhenSpent(perClient, client);
      perAddress.take(address);
      perClient.take(client);
      return undefined;
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
