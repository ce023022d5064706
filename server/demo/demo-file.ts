import { join } from "node:path";

/** The name of the API client that the demo makes for itself, and creates its people with. */
export const DEMO_CLIENT = "demo";

/** The path of the file with the demo's credentials and people, which only its owner may read. */
export function demoFile(dataDir: string): string {
  return join(dataDir, "demo.json");
}
