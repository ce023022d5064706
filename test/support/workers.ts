import { availableParallelism, totalmem } from "node:os";

/** Memory for a test file with the product, the PostgreSQL and the browser that it starts. */
const WORKER_BYTES = 1.5 * 1024 ** 3;
/** Each test file holds some ten of the 200 connections of the PostgreSQL that all share. */
const MOST_WORKERS = 12;

/** The memory that this process may use: of the machine, or of its container where that has less. */
function memory(): number {
  return Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY);
}

/**
 * Number of test files that run at a time, and of pages in each browser: one for each processor, so that tests that
 * measure time need not wait for one another, and never fewer than two, because most tests wait for something else.
 */
export const WORKERS = Math.max(2, Math.min(availableParallelism(), Math.floor(memory() / WORKER_BYTES), MOST_WORKERS));
