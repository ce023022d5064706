/** The outcome of one attempt. A fault says in one line what went wrong. */
export type Outcome = "approved" | "rejected" | { readonly fault: string };

/** How much work to do: so many workers, each with one attempt under way at a time, for so long. */
export interface Load {
  readonly concurrency: number;
  readonly seconds: number;
}

/** The results of a load. Every attempt that was begun is in it. */
export interface LoadResult {
  /** From the first attempt to the end of the last. */
  readonly seconds: number;
  readonly approved: number;
  readonly rejected: number;
  readonly faults: number;
  /** The first few, each in one line. */
  readonly faultSamples: readonly string[];
  readonly latenciesMs: Float64Array;
}

const MOST_FAULT_SAMPLES = 5;
/** After this many the load ends, instead of hammering a service that is gone. */
const MOST_FAULTS = 100;

async function outcomeOf(attempt: Promise<Outcome>): Promise<Outcome> {
  try {
    return await attempt;
  } catch (error) {
    return { fault: String(error) };
  }
}

/** Keeps `concurrency` attempts under way until the time is up, and measures each. One that throws is a fault. */
export async function runWorkers(load: Load, attempt: (worker: number) => Promise<Outcome>): Promise<LoadResult> {
  const latencies: number[] = [];
  const counts = { approved: 0, rejected: 0 };
  const faults: string[] = [];
  const startedAt = performance.now();
  const endsAt = startedAt + load.seconds * 1000;

  async function work(worker: number): Promise<void> {
    while (performance.now() < endsAt && faults.length < MOST_FAULTS) {
      const begunAt = performance.now();
      const outcome = await outcomeOf(attempt(worker));
      latencies.push(performance.now() - begunAt);
      if (typeof outcome === "string") counts[outcome] += 1;
      else faults.push(outcome.fault);
    }
  }

  await Promise.all(Array.from({ length: load.concurrency }, (_, worker) => work(worker)));
  return {
    seconds: (performance.now() - startedAt) / 1000,
    ...counts,
    faults: faults.length,
    faultSamples: faults.slice(0, MOST_FAULT_SAMPLES),
    latenciesMs: Float64Array.from(latencies),
  };
}
