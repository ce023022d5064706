import { hash } from "node:crypto";

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
  /** Milliseconds from any fixed point; the same point in all threads that share the buckets. */
  readonly now: () => number;
  readonly name?: string;
  /** The buckets, made by {@link rateLimiterMemory}; limiters of several threads may share them. */
  readonly memory?: SharedArrayBuffer;
}

/** A bucket: hash of its key (0: free), the nanosecond at which it is full again, and the turn of its last use. */
const [FULL_AT, USED, WORDS] = [1, 2, 3];
/** Buckets among which a key's is found by its hash; the first word before all of them counts the turns. */
const WAYS = 16;
const MAX_KEYS = 50_000;
const NS_PER_MS = 1e6;
const NS_PER_SECOND = 1e9;

/**
 * Makes the memory of a rate limiter's buckets. Of more keys than it is for, those unused for longest are forgotten;
 * twice the room keeps a key's place free until then.
 */
export function rateLimiterMemory(maxKeys = MAX_KEYS): SharedArrayBuffer {
  const buckets = maxKeys <= WAYS ? maxKeys : 2 * maxKeys;
  return new SharedArrayBuffer((1 + buckets * WORDS) * BigInt64Array.BYTES_PER_ELEMENT);
}

/** Finds buckets by the hash of their key. */
class Buckets {
  readonly words: BigInt64Array;
  readonly #ways: number;
  readonly #sets: number;

  constructor(memory: SharedArrayBuffer) {
    this.words = new BigInt64Array(memory);
    const buckets = Math.floor((this.words.length - 1) / WORDS);
    this.#ways = Math.min(WAYS, buckets);
    this.#sets = Math.floor(buckets / this.#ways);
  }

  /** The key's hash, and the first of the buckets among which its own is. */
  #placeOf(key: string): { readonly id: bigint; readonly first: number } {
    const digest = hash("sha256", key, "hex");
    const set = Number.parseInt(digest.slice(16, 24), 16) % this.#sets;
    return { id: BigInt(`0x${digest.slice(0, 15)}`) + 1n, first: 1 + set * this.#ways * WORDS };
  }

  find(key: string): number | undefined {
    const { id, first } = this.#placeOf(key);
    for (let bucket = first; bucket < first + this.#ways * WORDS; bucket += WORDS) {
      if (Atomics.load(this.words, bucket) === id) return bucket;
    }
    return undefined;
  }

  /** The bucket of a key, which takes that of the key unused for longest where it has none. */
  use(key: string): number {
    const { words } = this;
    const turn = Atomics.add(words, 0, 1n) + 1n;
    for (;;) {
      const bucket = this.find(key) ?? this.#take(key);
      if (bucket === undefined) continue;
      Atomics.store(words, bucket + USED, turn);
      return bucket;
    }
  }

  /** Takes the bucket unused for longest; undefined where another thread was first. */
  #take(key: string): number | undefined {
    const { words } = this;
    const { id, first } = this.#placeOf(key);
    let oldest = first;
    for (let bucket = first; bucket < first + this.#ways * WORDS; bucket += WORDS) {
      if (Atomics.load(words, bucket + USED) < Atomics.load(words, oldest + USED)) oldest = bucket;
    }
    const other = Atomics.load(words, oldest);
    if (Atomics.compareExchange(words, oldest, other, id) !== other) return undefined;
    // A free one is full: another thread may have found it, and taken from it, already.
    if (other !== 0n) Atomics.store(words, oldest + FULL_AT, 0n);
    return oldest;
  }
}

/**
 * Makes a rate limiter of bounded memory, whose buckets refill continuously. Each request moves the instant at which
 * its bucket is full again, in one atomic step: requests are counted exactly in whichever thread they arrive.
 */
export function createRateLimiter(options: RateLimiterOptions): RateLimiter {
  const { quota, windowSeconds, now, name = "default", memory = rateLimiterMemory() } = options;
  const buckets = new Buckets(memory);
  const { words } = buckets;
  const share = BigInt(Math.floor((windowSeconds * NS_PER_SECOND) / quota));
  const whole = share * BigInt(quota);
  const policy = `"${name}";q=${quota};w=${windowSeconds}`;
  const nowNs = (): bigint => BigInt(Math.round(now() * NS_PER_MS));

  /** The verdict on a bucket that lacks so many nanoseconds until it is full. */
  function verdictOf(allowed: boolean, lacks: bigint, cost: bigint): RateVerdict {
    return {
      allowed,
      remaining: Math.max(0, Math.floor(quota - Number(lacks) / Number(share))),
      resetSeconds: Math.ceil(Number(lacks) / NS_PER_SECOND),
      retryAfter: allowed ? 0 : Math.max(1, Math.ceil(Number(lacks + cost - whole) / NS_PER_SECOND)),
    };
  }

  /** Takes a cost, where the bucket may lack at most so much after it. */
  function spend(key: string, cost: bigint, most: bigint | undefined): RateVerdict {
    const place = buckets.use(key) + FULL_AT;
    for (;;) {
      const at = nowNs();
      const fullAt = Atomics.load(words, place);
      const lacks = fullAt > at ? fullAt - at : 0n;
      if (most !== undefined && lacks + cost > most) return verdictOf(false, lacks, cost);
      if (Atomics.compareExchange(words, place, fullAt, at + lacks + cost) === fullAt) {
        return verdictOf(true, lacks + cost, cost);
      }
    }
  }

  return {
    take: (key, cost = 1) => spend(key, BigInt(cost) * share, whole),
    peek(key) {
      const bucket = buckets.find(key);
      const lacks = bucket === undefined ? 0n : Atomics.load(words, bucket + FULL_AT) - nowNs();
      return verdictOf(lacks + share <= whole, lacks > 0n ? lacks : 0n, share);
    },
    charge: (key, cost) => void spend(key, BigInt(cost) * share, undefined),
    headersOf(verdict) {
      const state = `"${name}";r=${verdict.remaining};t=${verdict.resetSeconds}`;
      return { "RateLimit-Policy": policy, RateLimit: state };
    },
  };
}
