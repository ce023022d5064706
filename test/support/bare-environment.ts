import { resolve } from "node:path";

/** Where Node.js keeps compiled modules over the processes of a test run; `npm test` begins with none. */
const COMPILE_CACHE = resolve(import.meta.dirname, "../../test-results/compiled");

/** The environment of the product's own processes: our `PATH` and `HOME`, and a cache that makes starts quicker. */
export function bareEnvironment(): Record<string, string> {
  return { PATH: process.env.PATH ?? "", HOME: process.env.HOME ?? "", NODE_COMPILE_CACHE: COMPILE_CACHE };
}
