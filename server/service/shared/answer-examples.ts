import { join } from "node:path";

/** The folder of the answers and messages that the service sent for the examples: one file each, written by tests. */
export const SERVICE_EXAMPLES = join(import.meta.dirname, "../examples");
