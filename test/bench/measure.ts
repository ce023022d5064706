import type { LoadFigures } from "./load/run-load.ts";
import { runContest, type SqlContest } from "./pgbench.ts";
import {
  busiestOf,
  familySeconds,
  peakMemory,
  processSeconds,
  resetPeakMemory,
  threadTimes,
} from "./processor-time.ts";
import { type Scenario, type ScenarioName, scenarios } from "./scenarios.ts";
import { METRICS_TOKEN } from "./start-service.ts";
import type { Place, Stage } from "./start-stage.ts";

/** A party whose use of the processors is measured. */
export type Party = "service" | "database" | "load";

/** One row of the table, as it is measured once in each round. */
export interface Take {
  readonly scenario: ScenarioName;
  readonly connections: number;
  /** Words that tell it from other takes of the scenario; empty for a closed loop. */
  readonly note: string;
  /** Operations begin whatever is answered, at so many times the highest rate of the round; 0: in a closed loop. */
  readonly ofPeak: number;
}

/** The load of one take. */
export interface Measurement extends Take {
  /** Operations a second that were due; 0 in a closed loop. */
  readonly rate: number;
  /** Payments, or reads, a second. */
  readonly perSecond: number;
  readonly figures: LoadFigures;
  /** Postings for each database transaction that wrote them. */
  readonly perCommit: number;
  /** The share of its commits that were made on remembered rows; not a number where nothing was committed. */
  readonly remembered: number;
  /** Bytes that the database grew by for each payment. */
  readonly bytesEach: number;
  /** Cores that each party kept busy, and those of its busiest thread or process; not a number where it is unknown. */
  readonly cores: Readonly<Record<Party, number>>;
  readonly busiest: Readonly<Record<"service" | "database", number>>;
  /** The most memory of the service, in bytes. */
  readonly memory: number;
  /** Webhook messages that arrived. */
  readonly delivered: number;
}

/** Seconds that a take is measured and those before, and how many operations a second are due. */
export interface Timing {
  readonly seconds: number;
  readonly warmUp: number;
  readonly rate: number;
}

const FIRST_ID = "00000000-0000-0000-0000-000000000000";
const REJECTED = '"status":"rejected"';

let takes = 0;

async function booked({ sql }: Place): Promise<{ posting: string; bytes: number }> {
  const [row] = await sql<{ id: string | null; bytes: bigint }[]>`
    select (select id from service.postings order by id desc limit 1) as id,
      pg_database_size(current_database()) as bytes`;
  return { posting: row?.id ?? FIRST_ID, bytes: Number(row?.bytes ?? 0) };
}

/** Postings per commit since one of them: ids rise in the order of recording, and xmin is the writing transaction. */
async function perCommitSince({ sql }: Place, posting: string): Promise<number> {
  const [row] = await sql<{ postings: bigint; commits: bigint }[]>`
    select count(*) as postings, count(distinct xmin::text) as commits
    from (select xmin from service.postings where id > ${posting} order by id limit 200000) written`;
  return Number(row?.postings ?? 0) / Number(row?.commits ?? 0);
}

/** Commits of the service so far, by way. */
async function commitsOf({ port }: Place): Promise<Readonly<Record<"remembered" | "locked", number>>> {
  const headers = { authorization: `Bearer ${METRICS_TOKEN}` };
  const metrics = await (await fetch(`http://127.0.0.1:${port}/metrics`, { headers })).text();
  const count = (way: string): number =>
    Number(new RegExp(`^cupo_ledger_batches_total\\{way="${way}"\\} (\\d+)$`, "m").exec(metrics)?.[1] ?? Number.NaN);
  return { remembered: count("remembered"), locked: count("locked") };
}

function processorsOf({ pid }: Place, postmasterPid: number) {
  return {
    service: processSeconds(pid) ?? Number.NaN,
    database: familySeconds(postmasterPid) ?? Number.NaN,
    threads: threadTimes(pid, "threads"),
    backends: threadTimes(postmasterPid, "children"),
  };
}

/** Runs a scenario once and measures it. */
export async function measure(stage: Stage, take: Take, { seconds, warmUp, rate }: Timing): Promise<Measurement> {
  const { crowd, each, replaysIn1000, scripts }: Scenario = scenarios[take.scenario];
  const place = await stage.placeOf(crowd);
  const before = await booked(place);
  const commitsBefore = await commitsOf(place);
  resetPeakMemory(place.pid);
  const used = processorsOf(place, stage.postmasterPid);
  const received = stage.messages();
  takes += 1;
  const figures = await stage.load.run({
    port: place.port,
    connections: take.connections,
    rate,
    seconds,
    warmUp,
    replaysIn1000,
    key: `bench-${takes}`,
    mark: REJECTED,
    lists: place.lists,
    scripts,
  });
  const usedAfter = processorsOf(place, stage.postmasterPid);
  const after = await booked(place);
  const commits = await commitsOf(place);
  const rememberedCommits = commits.remembered - commitsBefore.remembered;
  const cores = (party: "service" | "database") => (usedAfter[party] - used[party]) / figures.ranFor;
  return {
    ...take,
    rate,
    perSecond: figures.perSecond * each,
    figures,
    perCommit: await perCommitSince(place, before.posting),
    remembered: rememberedCommits / (rememberedCommits + commits.locked - commitsBefore.locked),
    bytesEach: (after.bytes - before.bytes) / (figures.done * each),
    cores: { service: cores("service"), database: cores("database"), load: figures.processorCores },
    busiest: {
      service: busiestOf(used.threads, usedAfter.threads) / figures.ranFor,
      database: busiestOf(used.backends, usedAfter.backends) / figures.ranFor,
    },
    memory: peakMemory(place.pid),
    delivered: stage.messages() - received,
  };
}

/** The speed of SQL alone on the same PostgreSQL. */
export interface ContestMeasurement {
  readonly contest: string;
  readonly clients: number;
  readonly perSecond: number;
  readonly meanMs: number;
}

/** Runs a script of pgbench once. */
export async function measureContest(stage: Stage, contest: SqlContest, seconds: number): Promise<ContestMeasurement> {
  return {
    contest: contest.name,
    clients: contest.clients,
    ...(await runContest(contest, seconds, stage.interrupted)),
  };
}
