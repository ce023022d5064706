import { randomBytes } from "node:crypto";
import { availableParallelism } from "node:os";
import { pino } from "pino";
import { type Config, ConfigError } from "../config/config.ts";
import type { HttpLog } from "../http/http-log.ts";
import type { MachineClock } from "../ledger/model/machine-clock.ts";
import { type IdSource, idSource } from "../runtime/id-source.ts";
import { randomPool } from "../runtime/random-pool.ts";
import { thisMachine } from "../runtime/this-machine.ts";
import type { Role } from "./parts.ts";

/** Clock, randomness and ids: the real ones in the shipped product. */
export interface SystemServices {
  readonly clock: () => Date;
  /** Milliseconds from a fixed point that all threads of the machine have in common; never goes back. */
  readonly now: () => number;
  readonly random: (length: number) => Uint8Array;
  /** A new UUIDv7, greater than the one before. */
  readonly newId: IdSource;
  readonly machine: MachineClock;
}

const NS_PER_MS = 1e6;

/** Makes the clock, randomness and ids of a thread. */
export function systemServices(): SystemServices {
  const clock = (): Date => new Date();
  const random = randomPool((length) => randomBytes(length));
  return {
    clock,
    now: () => Number(process.hrtime.bigint()) / NS_PER_MS,
    random,
    newId: idSource({ nowMs: () => clock().getTime(), random }),
    machine: thisMachine(random),
  };
}

/** Makes the log of a thread, which writes each line to standard error in one call, so that threads mix no lines. */
export function systemLog(level: string): HttpLog {
  return pino({ level }, pino.destination(2));
}

const MOST_HTTP_THREADS = 4;

/**
 * The number of threads that serve the service's HTTP: as configured, else those processors that writer and PostgreSQL
 * leave, and one of two where the service runs apart; none where the system does not spread the connections of a port
 * among those that listen on it.
 */
export function httpThreadsOf(
  { httpThreads }: Pick<Config, "httpThreads">,
  role: Role,
  { cores, platform } = { cores: availableParallelism(), platform: process.platform as string },
): number {
  const canShare = platform === "linux";
  const least = role === "service" && cores > 1 ? 1 : 0;
  if (httpThreads === undefined) return canShare ? Math.max(least, Math.min(cores - 2, MOST_HTTP_THREADS)) : 0;
  if (httpThreads === 0 || canShare) return httpThreads;
  throw new ConfigError([`CUPO_HTTP_THREADS must be 0 here: ${platform} does not let threads share a port.`]);
}
