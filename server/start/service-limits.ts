import { createRateLimiter, rateLimiterMemory } from "../http/rate-limiter.ts";
import type { Currency } from "../service/shared/service-context.ts";

/** Requests a minute of each API client, by default. */
const RATE_LIMIT = 1_200_000;

/** An entity's rate limit as a multiple of one API client's, however many clients it has. */
const CLIENTS_PER_ENTITY = 4;

/** Requests a minute of an address, where no credential is known. */
const ADDRESS_LIMIT = 30_000;

/** Look-ups of users of other entities that an entity may make in a minute, by default. */
const FOREIGN_LOOK_UPS = 600;

/** The buckets of the service's limits, in which each thread counts. */
export type LimitMemory = Readonly<
  Record<"principal" | "group" | "address" | "perEntity" | "refusals", SharedArrayBuffer>
>;

/** Options of {@link serviceLimits}. */
export interface ServiceLimitOptions {
  /** Milliseconds from a point that all threads have in common. */
  readonly now: () => number;
  /** Requests a minute of each API client; those of an entity may make four times as many together. */
  readonly rateLimit?: number;
  /** Look-ups of other entities' users a minute of each entity. */
  readonly foreignLookUps?: number;
}

/** Converts the configured limit of an entity's exposure to minor units. */
export function limitInMinorUnits({
  counterpartyLimit,
  currency,
}: {
  readonly counterpartyLimit: bigint;
  readonly currency: Currency;
}): bigint {
  return counterpartyLimit * 10n ** BigInt(currency.digits);
}

/** Makes the buckets of {@link serviceLimits}. */
export function limitMemory(): LimitMemory {
  return {
    principal: rateLimiterMemory(),
    group: rateLimiterMemory(),
    address: rateLimiterMemory(),
    perEntity: rateLimiterMemory(),
    refusals: rateLimiterMemory(),
  };
}

/** Makes the limits of requests by client, entity and address, and of look-ups of other entities' users. */
export function serviceLimits(options: ServiceLimitOptions, memory: LimitMemory) {
  const { now, rateLimit = RATE_LIMIT, foreignLookUps = FOREIGN_LOOK_UPS } = options;
  const perMinute = (key: keyof LimitMemory, quota: number, name?: string) =>
    createRateLimiter({ quota, windowSeconds: 60, now, memory: memory[key], ...(name === undefined ? {} : { name }) });
  return {
    requests: {
      principal: perMinute("principal", rateLimit),
      group: perMinute("group", rateLimit * CLIENTS_PER_ENTITY, "entity"),
      address: perMinute("address", ADDRESS_LIMIT),
    },
    foreignLookUps: { perEntity: perMinute("perEntity", foreignLookUps), refusals: perMinute("refusals", 1) },
  };
}
