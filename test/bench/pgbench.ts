import { execFile } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { connect, type Sql } from "../../server/database/connect.ts";

/** A script that pgbench runs beside Cupo on the same PostgreSQL. */
export interface SqlContest {
  readonly name: string;
  readonly databaseUrl: string;
  /** Absent: pgbench's own TPC-B-like script. */
  readonly file?: string;
  /** Transfers that one transaction of the script makes. */
  readonly transfers: number;
  readonly clients: number;
}

/** Transfers a second, and the mean latency of a transaction. */
export interface SqlFigures {
  readonly perSecond: number;
  readonly meanMs: number;
}

const run = promisify(execFile);
const CLIENTS = 8;
const SCALE = 50;
const TRANSFERS = /^-- transfers: (\d+)$/m;
const CLIENTS_OF = /^-- clients: (\d+)$/m;
const RATE = /^tps = ([\d.]+)/m;
const LATENCY = /^latency average = ([\d.]+) ms/m;

/** Folders with `setup.sql` and one script of pgbench for each contest, named by the environment: none is kept here. */
const FOREIGN = Object.freeze({ pgledger: "CUPO_BENCH_PGLEDGER", "tb-perf": "CUPO_BENCH_TB_PERF" });

async function newDatabase(sql: Sql, databaseUrl: string, name: string): Promise<string> {
  await sql.unsafe(`create database ${name} template template0`);
  return databaseUrl.replace(/[^/]+$/, name);
}

async function foreignContests(sql: Sql, databaseUrl: string, name: string, folder: string): Promise<SqlContest[]> {
  const url = await newDatabase(sql, databaseUrl, `bench_${name.replace("-", "_")}`);
  const own = connect(url, { max: 1, applicationName: "cupo bench" });
  try {
    await own.unsafe(readFileSync(join(folder, "setup.sql"), "utf8"));
  } finally {
    await own.end();
  }
  const scripts = readdirSync(folder).filter((file) => file.endsWith(".sql") && file !== "setup.sql");
  return scripts.sort().map((script) => {
    const file = join(folder, script);
    const content = readFileSync(file, "utf8");
    const transfers = Number(TRANSFERS.exec(content)?.[1] ?? 1);
    const clients = Number(CLIENTS_OF.exec(content)?.[1] ?? CLIENTS);
    return { name: `${name}, ${script.replace(/\.sql$/, "")}`, databaseUrl: url, file, transfers, clients };
  });
}

/** Makes the tables of TPC-B and of what the environment names; nothing where there is no pgbench. */
export async function prepareContests(
  sql: Sql,
  databaseUrl: string,
  signal: AbortSignal,
): Promise<readonly SqlContest[]> {
  try {
    await run("pgbench", ["--version"]);
  } catch {
    return [];
  }
  const url = await newDatabase(sql, databaseUrl, "bench_tpc_b");
  await run("pgbench", ["--initialize", "--init-steps=dtGvp", `--scale=${SCALE}`, "--quiet", url]);
  const contests: SqlContest[] = [{ name: "TPC-B", databaseUrl: url, transfers: 1, clients: CLIENTS }];
  for (const [name, variable] of Object.entries(FOREIGN)) {
    const folder = process.env[variable];
    if (folder !== undefined) contests.push(...(await foreignContests(sql, databaseUrl, name, folder)));
  }
  // A script that does not run says so now, and not after an hour.
  for (const contest of contests) await runContest(contest, 1, signal);
  return contests;
}

/** Runs a contest for so many seconds, with prepared statements. */
export async function runContest(
  { databaseUrl, file, transfers, clients }: SqlContest,
  seconds: number,
  signal: AbortSignal,
): Promise<SqlFigures> {
  const script = file === undefined ? [] : ["--no-vacuum", `--file=${file}`];
  const options = ["--protocol=prepared", `--client=${clients}`, `--time=${seconds}`, ...script, databaseUrl];
  const { stdout } = await run("pgbench", options, { signal });
  const [perSecond, meanMs] = [RATE, LATENCY].map((figure) => Number(figure.exec(stdout)?.[1]));
  if (!(Number(perSecond) > 0)) throw new Error(`pgbench said no figure: ${stdout}`);
  return { perSecond: Number(perSecond) * transfers, meanMs: Number(meanMs) };
}
