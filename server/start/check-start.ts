import { accessSync, constants, existsSync, realpathSync } from "node:fs";
import { dirname, resolve } from "node:path";
import type { Config } from "../config/config.ts";
import { takeFolder } from "../database/launch-embedded.ts";
import { tryPort } from "../http/share-port.ts";

/** The part of the configuration that says what a start takes for itself. */
type Taken = Pick<Config, "dataDir" | "databaseUrl" | "host" | "port" | "servicePort">;

/** Checks that the data folder is free, or can be made where it is missing. */
function checkFolder(dataDir: string): void {
  if (existsSync(dataDir)) {
    takeFolder(realpathSync(dataDir)).release();
    return;
  }
  let parent = dirname(dataDir);
  while (!existsSync(parent)) parent = dirname(parent);
  accessSync(parent, constants.W_OK | constants.X_OK);
}

/**
 * Checks that a start finds its data folder and its ports free, and takes nothing: `npm start` asks before it builds,
 * which takes a while. Throws {@link LaunchError}, {@link ListenError} or an error of the system, as the start would.
 */
export async function checkStart({ dataDir, databaseUrl, host, port, servicePort }: Taken): Promise<void> {
  if (databaseUrl === undefined) checkFolder(resolve(dataDir));
  for (const each of [port, servicePort]) await tryPort({ host, port: each });
}
