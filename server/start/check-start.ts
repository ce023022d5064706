import { existsSync, realpathSync } from "node:fs";
import type { Config } from "../config/config.ts";
import { takeFolder } from "../database/launch-embedded.ts";
import { tryPort } from "../http/share-port.ts";

/** The part of the configuration that says what a start takes for itself. */
type Taken = Pick<Config, "dataDir" | "databaseUrl" | "host" | "port" | "servicePort">;

/**
 * Checks that a start finds its data folder and its ports free, and takes nothing: `npm start` asks before it builds,
 * which takes a while. Throws {@link LaunchError} or {@link ListenError}, as the start itself would.
 */
export async function checkStart({ dataDir, databaseUrl, host, port, servicePort }: Taken): Promise<void> {
  if (databaseUrl === undefined && existsSync(dataDir)) takeFolder(realpathSync(dataDir)).release();
  for (const each of [port, servicePort]) await tryPort({ host, port: each });
}
