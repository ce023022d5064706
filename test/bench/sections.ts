import { familySeconds, processSeconds } from "./processor-time.ts";
import type { LoadResult } from "./run-workers.ts";
import type { Stage } from "./start-stage.ts";
import { percentile } from "./statistics.ts";

/** The sections of the bench, in the order in which they take turns. */
export const sectionTitles = Object.freeze({
  tpcB: "(a) TPC-B-like transactions",
  transfers: "(b) transfers, random accounts",
  hotTransfers: "(c) transfers, one hot account",
  keyedTransfers: "(d) as (b), Idempotency-Key",
});

/** The name of a section. */
export type SectionName = keyof typeof sectionTitles;

/** A party whose use of the processors is measured. */
export type Party = "service" | "database" | "load";

/** The results of one section in one round. */
export interface Measurement {
  readonly section: SectionName;
  /** Connections of (a), requests in flight of the others. */
  readonly concurrency: number;
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly approved: number;
  readonly rejected: number;
  readonly faults: number;
  readonly faultSamples: readonly string[];
  /** Database transactions that wrote the approved ones. */
  readonly commits: number;
  /** How many processor cores each kept busy; not a number where the system does not say. */
  readonly cores: Readonly<Record<Party, number>>;
}

/** How one section runs once. */
export interface Take {
  readonly section: SectionName;
  readonly concurrency: number;
  readonly seconds: number;
  /** The number of this take in the run: idempotency keys are never used twice. */
  readonly number: number;
}

const FIRST_ID = "00000000-0000-0000-0000-000000000000";

async function run(stage: Stage, { section, concurrency, seconds, number }: Take): Promise<LoadResult> {
  const { databaseUrl, scale, service, people, load } = stage;
  if (section === "tpcB") return load.ask("tpcB", { concurrency, seconds, databaseUrl, scale });
  return load.ask("transfers", {
    concurrency,
    seconds,
    port: service.port,
    accessToken: people.accessToken,
    userIds: people.userIds,
    hotUserId: section === "hotTransfers" ? people.hotUserId : undefined,
    keyPrefix: section === "keyedTransfers" ? `bench-${number}` : undefined,
  });
}

async function lastPosting({ sql }: Stage): Promise<string> {
  const [row] = await sql<{ id: string }[]>`select id from service.postings order by id desc limit 1`;
  return row?.id ?? FIRST_ID;
}

/** Counts commits after a posting: ids rise in the order of recording, and xmin is the transaction that wrote a row. */
async function commitsSince({ sql }: Stage, posting: string): Promise<number> {
  const [row] = await sql<{ commits: bigint }[]>`
    select count(distinct xmin::text) as commits from service.postings where id > ${posting}`;
  return Number(row?.commits ?? 0);
}

function processorSeconds({ service, load, postmasterPid }: Stage): Record<Party, number> {
  return {
    service: processSeconds(service.pid) ?? Number.NaN,
    database: familySeconds(postmasterPid) ?? Number.NaN,
    load: processSeconds(load.pid) ?? Number.NaN,
  };
}

/** Runs a section once and measures it. */
export async function measure(stage: Stage, take: Take): Promise<Measurement> {
  const posting = await lastPosting(stage);
  const before = processorSeconds(stage);
  const result = await run(stage, take);
  const after = processorSeconds(stage);
  const { seconds, latenciesMs, approved, rejected, faults, faultSamples } = result;
  const cores = (party: Party): number => (after[party] - before[party]) / seconds;
  return {
    section: take.section,
    concurrency: take.concurrency,
    perSecond: (approved + rejected) / seconds,
    p50Ms: percentile(latenciesMs, 0.5),
    p99Ms: percentile(latenciesMs, 0.99),
    approved,
    rejected,
    faults,
    faultSamples,
    commits: take.section === "tpcB" ? approved : await commitsSince(stage, posting),
    cores: { service: cores("service"), database: cores("database"), load: cores("load") },
  };
}
