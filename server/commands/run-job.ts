import { join } from "node:path";
import type { Config } from "../config/config.ts";
import { beginAgain } from "../database/begin-again.ts";
import { connect } from "../database/connect.ts";
import { migrate } from "../database/migrate.ts";
import { reachDatabase } from "../database/reach-database.ts";
import type { IdSource } from "../runtime/id-source.ts";
import { keepInstallation } from "../runtime/keep-installation.ts";
import { newestId } from "../runtime/newest-id.ts";
import { keptApiClient } from "../runtime/own-api-client.ts";
import type { CommandContext, CommandOutput, Job, ServiceAccess } from "./terminal-command.ts";

const MIGRATIONS = join(import.meta.dirname, "../database/migrations");
const CLOSE_SECONDS = 5;

/** The broker's own credentials: those it is configured with, else those that npm start has kept for it. */
function serviceAccess({ baseUrl, authUrl, clientId, clientSecret, dataDir }: Config): ServiceAccess | undefined {
  if (clientId !== undefined && clientSecret !== undefined) return { baseUrl, authUrl, clientId, clientSecret };
  const own = keptApiClient(dataDir, "broker");
  return own && { baseUrl, authUrl, clientId: own.clientId, clientSecret: own.clientSecret };
}

/** Runs a command's job on the configured database, migrated first, beside a running Cupo or without one. */
export async function runJob(
  { job, part }: { readonly job: Job; readonly part: "service" | "broker" },
  config: Config,
  services: Pick<CommandContext, "clock" | "random" | "machine"> & { readonly newId: IdSource },
): Promise<CommandOutput> {
  const database = await reachDatabase(config, services.random);
  try {
    const sql = connect(database.url, { max: 1, applicationName: "cupo command" });
    try {
      await migrate(sql, join(MIGRATIONS, part));
      await keepInstallation(sql, part, config);
      const newest = await newestId(sql, part);
      if (newest !== undefined) services.newId.continueAbove(newest);
      const { authUrl, timeZone, currency, publicOrigin, webhookPrivate = [] } = config;
      const settings = { authUrl, timeZone, currency, publicOrigin, webhookPrivate };
      return await job({
        ...services,
        ...settings,
        serviceAccess: serviceAccess(config),
        sql: beginAgain(sql),
        key: database.key,
      });
    } finally {
      await sql.end({ timeout: CLOSE_SECONDS });
    }
  } finally {
    await database.stop();
  }
}
