/** How many requests a key may make within a window; also the size of the largest burst. */
interface RateLimit {
  readonly quota: number;
  readonly windowSeconds: number;
}

/** The decision on a request, and the figures for its caller. */
interface RateVerdict {
  readonly allowed: boolean;
  readonly remaining: number;
  /** Seconds until the whole quota has refilled. */
  readonly resetSeconds: number;
  /** Seconds until one more request is allowed; 0 while one is. */
  readonly retryAfter: number;
}

/** A rate limiter: a token bucket per key, in memory. */
export interface RateLimiter {
  /** Takes from the key's bucket when enough is there; a refused request takes nothing. */
  take(key: string, cost?: number): RateVerdict;
  /** Gives the verdict of {@link RateLimiter.take} without taking: for limits on failures only. */
  peek(key: string): RateVerdict;
  /** Takes the whole cost even where less is left: the key is refused until the deficit has refilled. */
  charge(key: string, cost: number): void;
  /** `RateLimit-Policy` and `RateLimit` of draft-ietf-httpapi-ratelimit-headers. */
  headersOf(verdict: RateVerdict): Readonly<Record<string, string>>;
}

/** Options of {@link createRateLimiter}: the limit, a clock, and the policy's name in the headers. */
export interface RateLimiterOptions extends RateLimit {
  /** Milliseconds from any fixed point. */
  readonly now: () => number;
  readonly name?: string;
  /** Keys remembered at most; past it the one unused for longest is forgotten. */
  readonly maxKeys?: number;
}

interface Bucket {
  tokens: number;
  at: number;
}

/**
 * Makes a rate limiter of bounded memory. Buckets refill continuously; the least recently used key goes first,
 * because its bucket is the likeliest to be full again.
 */
export function createRateLimiter(options: RateLimiterOptions): RateLimiter {
  const { quota, windowSeconds, now, name = "default", maxKeys = 50_000 } = options;
  const buckets = new Map<string, Bucket>();
  const perMs = quota / (windowSeconds * 1000);
  const policy = `"${name}";q=${quota};w=${windowSeconds}`;

  function tokensOf(key: string, at = now()): number {
    const bucket = buckets.get(key);
    return bucket === undefined ? quota : Math.min(quota, bucket.tokens + Math.max(0, at - bucket.at) * perMs);
  }

  function verdictOf(allowed: boolean, tokens: number, cost: number): RateVerdict {
    return {
      allowed,
      remaining: Math.max(0, Math.floor(tokens)),
      resetSeconds: Math.ceil((quota - tokens) / perMs / 1000),
      retryAfter: allowed ? 0 : Math.max(1, Math.ceil((cost - tokens) / perMs / 1000)),
    };
  }

  function remember(key: string, bucket: Bucket): void {
    buckets.delete(key);
    buckets.set(key, bucket);
    if (buckets.size <= maxKeys) return;
    const [oldest] = buckets.keys();
    if (oldest !== undefined) buckets.delete(oldest);
  }

  return {
    take(key, cost = 1) {
      const at = now();
      const tokens = tokensOf(key, at);
      const allowed = tokens >= cost;
      const left = allowed ? tokens - cost : tokens;
      remember(key, { tokens: left, at });
      return verdictOf(allowed, left, cost);
    },
    peek(key) {
      const tokens = tokensOf(key);
      return verdictOf(tokens >= 1, tokens, 1);
    },
    charge(key, cost) {
      remember(key, { tokens: tokensOf(key) - cost, at: now() });
    },
    headersOf(verdict) {
      const state = `"${name}";r=${verdict.remaining};t=${verdict.resetSeconds}`;
      return { "RateLimit-Policy": policy, RateLimit: state };
    },
  };
}
