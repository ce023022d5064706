import { join } from "node:path";
import type { Registry } from "prom-client";
import type { Config } from "../config/config.ts";
import { connect, type Sql } from "../database/connect.ts";
import { migrate } from "../database/migrate.ts";
import type { StartedDatabase } from "../database/start-database.ts";
import type { HttpLog } from "../http/http-log.ts";
import { listen } from "../http/listen.ts";
import { keepInstallation } from "../runtime/keep-installation.ts";
import { newestId } from "../runtime/newest-id.ts";
import type { Threads } from "../threads/threads.ts";
import type { SystemServices } from "./system-services.ts";

/** The part of Cupo that a process runs: the service, the broker, or both. */
export type Role = "all" | "service" | "broker";

/** Parts to stop, the latest first. */
export class Stops {
  readonly #stops: (() => Promise<unknown>)[] = [];

  add(stop: () => Promise<unknown>): void {
    this.#stops.unshift(stop);
  }

  async run(): Promise<void> {
    for (const stop of this.#stops.splice(0)) await stop();
  }
}

/** The dependencies of a part that is started, in the main thread or in one of its own. */
export interface Process {
  readonly config: Config;
  readonly role: Role;
  readonly log: HttpLog;
  readonly version: string;
  readonly services: SystemServices;
  readonly database: Pick<StartedDatabase, "url" | "key">;
  readonly registry: Registry;
  /** The metrics of all threads as text. */
  readonly metrics: () => Promise<string>;
  readonly stops: Stops;
  readonly threads: Threads;
  /** Threads that serve the service's HTTP; with 0 all is served in the main thread. */
  readonly httpThreads: number;
}

/** How long a part waits at its stop for what is under way. */
export const DRAIN_MS = 10_000;

const MIGRATIONS = join(import.meta.dirname, "../database/migrations");

/** Opens the pool of a part, whose database it migrates. */
export async function openPool(
  { database, stops, config, services }: Pick<Process, "database" | "stops" | "config" | "services">,
  part: "service" | "broker",
  max: number,
): Promise<Sql> {
  const sql = connect(database.url, { max, applicationName: `cupo ${part}` });
  stops.add(() => sql.end({ timeout: DRAIN_MS / 1000 }));
  await migrate(sql, join(MIGRATIONS, part));
  await keepInstallation(sql, part, config);
  const newest = await newestId(sql, part);
  if (newest !== undefined) services.newId.continueAbove(newest);
  return sql;
}

/** Serves the app of a part on its port. */
export async function serve(
  { log, stops, config, services }: Pick<Process, "log" | "stops" | "config" | "services">,
  app: Parameters<typeof listen>[0],
  { port, baseUrl }: { readonly port: number; readonly baseUrl: string },
): Promise<void> {
  const listening = await listen(app, { host: config.host, port, log, newRequestId: services.newId, baseUrl });
  stops.add(() => listening.close(DRAIN_MS));
}

/** The metrics of an app: the registry of its thread, and the way to those of all. */
export function metricsOf({
  registry,
  metrics: expose,
  config: { metricsToken: token },
}: Pick<Process, "registry" | "metrics" | "config">) {
  return { registry, expose, ...(token === undefined ? {} : { token }) };
}
