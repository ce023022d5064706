import { type Measurement, measure, type SectionName, sectionTitles } from "./sections.ts";
import type { Stage } from "./start-stage.ts";

/** Every measurement of a run. */
export interface Measured {
  /** Neither printed nor compared, but their transfers count when the books are checked. */
  readonly warmUps: readonly Measurement[];
  /** Each concurrency of (a) and (b), to find the one that serves it best. */
  readonly probes: readonly Measurement[];
  /** One list per round: each section once. */
  readonly rounds: readonly (readonly Measurement[])[];
}

/** How long a run takes. */
export interface RoundsOptions {
  readonly rounds: number;
  readonly seconds: number;
}

const WARM_UP_SECONDS = 3;
const PROBE_SECONDS = 3;
const CONNECTIONS: readonly number[] = [1, 8, 32];
const IN_FLIGHT: readonly number[] = [32, 128, 256];

function best(probes: readonly Measurement[]): number {
  return probes.reduce((first, other) => (other.perSecond > first.perSecond ? other : first)).concurrency;
}

/**
 * Runs every section in turn, several times, so that what changes on the machine meanwhile meets all of them alike.
 * First everything is warmed up, and the concurrency is chosen that serves (a) and (b) best; (c) and (d) run with that
 * of (b).
 */
export async function runRounds(
  stage: Stage,
  { rounds, seconds }: RoundsOptions,
  tell: (line: string) => void,
): Promise<Measured> {
  let takes = 0;
  const take = (section: SectionName, concurrency: number, length: number): Promise<Measurement> => {
    takes += 1;
    return measure(stage, { section, concurrency, seconds: length, number: takes });
  };
  const takeEach = async (section: SectionName, concurrencies: readonly number[], length: number) => {
    const measurements: Measurement[] = [];
    for (const concurrency of concurrencies) measurements.push(await take(section, concurrency, length));
    return measurements;
  };

  tell("Warming up, then looking for the best concurrency …");
  const warmUps = [await take("tpcB", 8, 1), await take("keyedTransfers", 128, WARM_UP_SECONDS)];
  const connectionProbes = await takeEach("tpcB", CONNECTIONS, PROBE_SECONDS);
  const inFlightProbes = await takeEach("transfers", IN_FLIGHT, PROBE_SECONDS);
  const connections = best(connectionProbes);
  const inFlight = best(inFlightProbes);

  const sections = Object.keys(sectionTitles) as SectionName[];
  const done: Measurement[][] = [];
  for (let round = 1; round <= rounds; round += 1) {
    tell(`Round ${round} of ${rounds} …`);
    const measurements: Measurement[] = [];
    for (const section of sections) {
      measurements.push(await take(section, section === "tpcB" ? connections : inFlight, seconds));
    }
    done.push(measurements);
  }
  return { warmUps, probes: [...connectionProbes, ...inFlightProbes], rounds: done };
}
