import { type Check, checkBooks } from "./check-books.ts";
import {
  type ContestMeasurement,
  type Measurement,
  measure,
  measureContest,
  type Take,
  type Timing,
} from "./measure.ts";
import { type ScenarioName, scenarios } from "./scenarios.ts";
import type { Stage } from "./start-stage.ts";

/** One round: each row and each script of pgbench once, and the books after it. */
export interface Round {
  readonly takes: readonly Measurement[];
  readonly contests: readonly ContestMeasurement[];
  readonly checks: readonly Check[];
}

/** How a run measures. */
export interface RoundsOptions {
  readonly rounds: number;
  readonly seconds: number;
  readonly tell: (line: string) => void;
}

/** The time before a take that is not measured, as a share of it. */
const WARM_UP_SHARE = 0.25;
/** The least time for a storm, and the time in which the service must be back at work after it. */
const [STORM_SECONDS, AFTER_SECONDS] = [10, 2];
/** A closed loop has nothing to show after so long. */
const CLOSED_SECONDS = 60;
const WARM_UP = { connections: 16, ofPeak: 0, note: "" };

/** A storm needs time to be felt, and the take after it begins to measure at once. */
function timingOf(take: Take, before: Measurement | undefined, { seconds, rate }: Omit<Timing, "warmUp">): Timing {
  if (take.ofPeak > 1) return { seconds: Math.max(seconds, STORM_SECONDS), warmUp: 0, rate };
  if ((before?.ofPeak ?? 0) > 1) return { seconds: AFTER_SECONDS, warmUp: 0, rate };
  const length = rate === 0 ? Math.min(seconds, CLOSED_SECONDS) : seconds;
  return { seconds: length, warmUp: Math.min(length, CLOSED_SECONDS) * WARM_UP_SHARE, rate };
}

/** The highest rate of a closed loop among takes of one scenario. */
function peakOf(takes: readonly Measurement[], scenario: ScenarioName): number {
  const closed = takes.filter((take) => take.scenario === scenario && take.ofPeak === 0 && take.note === "");
  return Math.max(...closed.map(({ figures }) => figures.perSecond));
}

/**
 * Forgets the webhook messages that wait: a closed loop makes more than are sent, and what is measured next would be
 * measured beside their sending.
 */
async function forgetMessages({ sql }: Stage): Promise<void> {
  await sql`truncate service.webhook_deliveries`;
}

/** Says in one line how a take went. */
function lineOf({ scenario, note, connections, rate, perSecond, figures }: Measurement): string {
  const due = rate === 0 ? "" : `, ${Math.round(rate)}/s due`;
  const { p50, p99 } = figures.sinceDue;
  return `${scenario}${note} @ ${connections}${due}: ${Math.round(perSecond)}/s, p50 ${p50} µs, p99 ${p99} µs`;
}

/**
 * Measures every row in turn, several times, so that what changes on the machine meanwhile meets all of them alike, and
 * checks the books after each round. A row of a scenario that is new to the service first runs unmeasured.
 */
export async function runRounds(
  stage: Stage,
  takes: readonly Take[],
  { rounds, seconds, tell }: RoundsOptions,
): Promise<readonly Round[]> {
  const all: Measurement[] = [];
  const names = takes.flatMap(({ scenario }) => [scenarios[scenario].after ?? scenario, scenario]);
  for (const scenario of new Set(names)) {
    tell(`Warming up: ${scenario} …`);
    all.push(
      await measure(stage, { ...WARM_UP, scenario }, { seconds: Math.min(seconds, STORM_SECONDS), warmUp: 0, rate: 0 }),
    );
  }
  const done: Round[] = [];
  for (let round = 1; round <= rounds; round += 1) {
    const contests: ContestMeasurement[] = [];
    await forgetMessages(stage);
    const length = Math.min(seconds, CLOSED_SECONDS);
    for (const contest of stage.contests) contests.push(await measureContest(stage, contest, length));
    const measured: Measurement[] = [];
    for (const take of takes) {
      // The take after a storm meets what that leaves.
      if ((measured.at(-1)?.ofPeak ?? 0) <= 1) await forgetMessages(stage);
      const rate = take.ofPeak === 0 ? 0 : Math.round(take.ofPeak * peakOf(measured, take.scenario));
      const measurement = await measure(stage, take, timingOf(take, measured.at(-1), { seconds, rate }));
      measured.push(measurement);
      all.push(measurement);
      tell(`${round}/${rounds}  ${lineOf(measurement)}`);
    }
    done.push({ takes: measured, contests, checks: await checkBooks(stage, all) });
  }
  return done;
}
