import { randomBytes } from "node:crypto";
import { keepKey } from "./keep-key.ts";
import { launchEmbedded } from "./launch-embedded.ts";

/** The configuration that says where the database is. */
export interface DatabaseChoice {
  readonly databaseUrl: string | undefined;
  readonly dataDir: string;
  readonly databasePort: number | undefined;
  /** The 32-byte service key; without it one is made and kept in the data folder. */
  readonly key: Uint8Array | undefined;
}

/** A database that takes connections, and the service key that opens its sealed secrets. */
export interface StartedDatabase {
  readonly url: string;
  readonly key: Uint8Array;
  /** Settles when an embedded database ends; never for another. */
  readonly exited: Promise<void>;
  stop(): Promise<void>;
}

/** Uses the database that is configured, else runs one of our own in the data folder. */
export async function startDatabase(choice: DatabaseChoice): Promise<StartedDatabase> {
  const { databaseUrl, dataDir, databasePort, key } = choice;
  if (databaseUrl !== undefined && key !== undefined) {
    return { url: databaseUrl, key, exited: new Promise(() => undefined), stop: async () => undefined };
  }
  const kept = key ?? keepKey(dataDir, (length) => randomBytes(length));
  const embedded = await launchEmbedded({ dataDir, port: databasePort, randomBytes: (length) => randomBytes(length) });
  return { url: embedded.url, key: kept, exited: embedded.exited, stop: () => embedded.stop() };
}
