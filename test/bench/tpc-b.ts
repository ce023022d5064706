import { connect, type Sql } from "../../server/database/connect.ts";
import { type Load, type LoadResult, runWorkers } from "./run-workers.ts";

/** How large the TPC-B-like tables are. */
export interface TpcBScale {
  readonly branches: number;
  readonly accountsPerBranch: number;
}

/** One run of the TPC-B-like script: `concurrency` is the number of connections. */
export interface TpcBLoad extends Load {
  readonly databaseUrl: string;
  readonly scale: TpcBScale;
}

const TELLERS_PER_BRANCH = 10;
const MOST_DELTA = 5000;

/**
 * Makes the four tables of pgbench's TPC-B-like test, column for column. More branches than connections, so that
 * transactions seldom wait for one another's branch row.
 */
export async function makeTpcBTables(sql: Sql, { branches, accountsPerBranch }: TpcBScale): Promise<void> {
  await sql.unsafe(`
    create schema bench;
    create table bench.branches (bid int primary key, bbalance int not null, filler char(88));
    create table bench.tellers (tid int primary key, bid int not null, tbalance int not null, filler char(84));
    create table bench.accounts (aid int primary key, bid int not null, abalance int not null, filler char(84));
    create table bench.history (tid int, bid int, aid int, delta int, mtime timestamp, filler char(22));
    insert into bench.branches select bid, 0, '' from generate_series(1, ${branches}) bid;
    insert into bench.tellers
      select tid, (tid - 1) / ${TELLERS_PER_BRANCH} + 1, 0, ''
      from generate_series(1, ${branches * TELLERS_PER_BRANCH}) tid;
    insert into bench.accounts
      select aid, (aid - 1) / ${accountsPerBranch} + 1, 0, ''
      from generate_series(1, ${branches * accountsPerBranch}) aid;
    analyze bench.branches, bench.tellers, bench.accounts;
  `);
}

/** Runs the TPC-B-like script, its statements one after the other as pgbench sends them. */
export async function runTpcB(load: TpcBLoad, random: () => number): Promise<LoadResult> {
  const sql = connect(load.databaseUrl, { max: load.concurrency, applicationName: "cupo bench tpc-b" });
  const oneOf = (count: number): number => 1 + Math.floor(random() * count);
  const { branches, accountsPerBranch } = load.scale;
  try {
    return await runWorkers(load, async () => {
      const account = oneOf(branches * accountsPerBranch);
      const teller = oneOf(branches * TELLERS_PER_BRANCH);
      const branch = oneOf(branches);
      const delta = oneOf(2 * MOST_DELTA + 1) - MOST_DELTA - 1;
      await sql.begin(async (tx) => {
        await tx`update bench.accounts set abalance = abalance + ${delta} where aid = ${account}`;
        await tx`select abalance from bench.accounts where aid = ${account}`;
        await tx`update bench.tellers set tbalance = tbalance + ${delta} where tid = ${teller}`;
        await tx`update bench.branches set bbalance = bbalance + ${delta} where bid = ${branch}`;
        await tx`insert into bench.history (tid, bid, aid, delta, mtime)
          values (${teller}, ${branch}, ${account}, ${delta}, current_timestamp)`;
      });
      return "approved";
    });
  } finally {
    await sql.end();
  }
}
