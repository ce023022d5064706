import { type Installation, installationFaults } from "../../src/installation.ts";
import { type Config, ConfigError } from "../config/config.ts";
import type { Sql } from "../database/connect.ts";

/** Returns the facts of the installation that a process is configured with: currency, decimals and time zone. */
export function installationOf({ currency, timeZone }: Pick<Config, "currency" | "timeZone">): Installation {
  return { currency: currency.code, digits: currency.digits, timeZone };
}

/**
 * Keeps currency, decimals and time zone with the data of a part, at the first start on a migrated database. Later, and
 * where another process was first, throws {@link ConfigError} unless the configuration agrees with what is kept.
 */
export async function keepInstallation(
  sql: Sql,
  part: "service" | "broker",
  config: Pick<Config, "currency" | "timeZone">,
): Promise<void> {
  const configured = installationOf(config);
  const table = sql(`${part}.installation`);
  const { currency, digits, timeZone } = configured;
  // Of two first starts the later one waits here for the other's row, and is then compared with it.
  await sql`insert into ${table} ${sql({ currency, digits, time_zone: timeZone })} on conflict (is_only) do nothing`;
  const [kept] = await sql<Installation[]>`select currency, digits, time_zone as "timeZone" from ${table}`;
  if (kept === undefined) throw new Error(`${part}.installation has no row`);
  const faults = installationFaults(configured, kept, "database");
  if (faults.length > 0) throw new ConfigError(faults);
}
