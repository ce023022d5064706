import { randomBytes } from "node:crypto";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { launchEmbedded } from "../../../server/database/launch-embedded.ts";
import { type BenchOptions, GROW_FROM } from "../bench-options.ts";
import { type GrowthMeasurement, measureGrowth } from "./measure-growth.ts";

/** The sizes of both histories, and the reads as measured on them. */
export interface GrowthReport {
  readonly small: number;
  readonly large: number;
  readonly reads: readonly GrowthMeasurement[];
}

const REPEATS = 31;

/** Makes a small and a large history in a PostgreSQL of their own, measures the reads, and removes it all. */
export async function benchGrowth(
  { folder, growTo }: BenchOptions,
  interrupted: Promise<never>,
  tell: (line: string) => void,
): Promise<GrowthReport> {
  const dataDir = join(folder, `cupo-test-bench-${randomBytes(8).toString("hex")}`);
  tell(`Starting PostgreSQL in ${folder}, for histories of ${GROW_FROM} and ${growTo} transactions …`);
  const database = await launchEmbedded({ dataDir, randomBytes });
  try {
    const sizes = { small: GROW_FROM, large: growTo };
    const measuring = measureGrowth({ ...sizes, databaseUrl: database.url, repeats: REPEATS, tell });
    return { ...sizes, reads: await Promise.race([measuring, interrupted]) };
  } finally {
    await database.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}
