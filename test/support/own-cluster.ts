import { randomBytes } from "node:crypto";
import { rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { launchEmbedded } from "../../server/database/launch-embedded.ts";
import { copyCluster } from "./cluster-template.ts";

/** A PostgreSQL of a test's own, such as a customer's `DATABASE_URL` names. */
export interface OwnCluster {
  readonly url: string;
  /** Stops it and removes its files. */
  stop(): Promise<void>;
}

/** Starts one with an empty database. */
export async function aClusterOfItsOwn(): Promise<OwnCluster> {
  const dataDir = join(tmpdir(), `cupo-own-${randomBytes(8).toString("hex")}`);
  await copyCluster(dataDir);
  const database = await launchEmbedded({ dataDir, randomBytes, durable: false });
  return {
    url: database.url,
    async stop() {
      await database.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
