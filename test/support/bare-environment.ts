import { resolve } from "node:path";

/** Where Node.js keeps compiled modules over the processes of a test run; `npm test` begins with none. */
const COMPILE_CACHE = resolve(import.meta.dirname, "../../test-results/compiled");

/** All that the product's own processes get of ours, with what makes the many starts of one run quicker. */
export function bareEnvironment(): Record<string, string> {
  return { PATH: process.env.PATH ?? "", HOME: process.env.HOME ?? "", NODE_COMPILE_CACHE: COMPILE_CACHE };
}
