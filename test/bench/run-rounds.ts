import { type Check, checkBooks } from "./check-books.ts";
import { type ContestMeasurement, type Measurement, measure, measureContest, type Take } from "./measure.ts";
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

const WARM_UP: Omit<Take, "scenario"> = { connections: 64, rate: 0 };

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
  for (const scenario of new Set(takes.map((take) => take.scenario))) {
    tell(`Warming up: ${scenario} …`);
    all.push(await measure(stage, { ...WARM_UP, scenario }, seconds));
  }
  const done: Round[] = [];
  for (let round = 1; round <= rounds; round += 1) {
    const contests: ContestMeasurement[] = [];
    for (const contest of stage.contests) contests.push(await measureContest(stage, contest, seconds));
    const measured: Measurement[] = [];
    for (const take of takes) {
      const measurement = await measure(stage, take, seconds);
      measured.push(measurement);
      all.push(measurement);
      const { scenario, connections, perSecond, figures } = measurement;
      tell(
        `${round}/${rounds}  ${scenario} @ ${connections}  ${Math.round(perSecond)}/s  p50 ${figures.sinceDue.p50} µs`,
      );
    }
    done.push({ takes: measured, contests, checks: await checkBooks(stage, all) });
  }
  return done;
}
