import { join } from "node:path";

/** The name of the API client that the demo's people belong to. */
export const DEMO_CLIENT = "demo";

/** Where the demo's credentials and people are written, for its owner alone. */
export function demoFile(dataDir: string): string {
  return join(dataDir, "demo.json");
}
