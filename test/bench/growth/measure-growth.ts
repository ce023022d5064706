import { randomBytes } from "node:crypto";
import { v7 } from "uuid";
import { connect, type Sql } from "../../../server/database/connect.ts";
import { createServiceApp, type ServiceApp } from "../../../server/start/service-app.ts";
import { businessTime } from "../../../src/business-time.ts";
import { createClient } from "../../../src/client.ts";
import { serviceContract } from "../../../src/contract/service/service.ts";
import { machineOf } from "../../support/invented-clock.ts";
import { silentLog } from "../../support/silent-log.ts";
import { type Spread, spreadOf } from "../statistics.ts";
import { type GrownHistory, growHistory } from "./grow-history.ts";
import { type Asked, growthReads } from "./growth-reads.ts";

/** The cost of one read on the small and on the large history. */
export interface GrowthMeasurement {
  readonly name: string;
  readonly smallMs: Spread;
  readonly largeMs: Spread;
  /** Median of the large history over median of the small one. */
  readonly ratio: number;
}

/** How large the histories are and how often each read is made. */
export interface GrowthOptions {
  readonly databaseUrl: string;
  readonly small: number;
  readonly large: number;
  readonly repeats: number;
  readonly tell: (line: string) => void;
}

const BASE_URL = "http://service.bench";
const TIME_ZONE = "America/Bogota";
const DAY_MS = 86_400_000;
const WARM_UPS = 3;

interface Side {
  readonly reads: readonly (() => Promise<unknown>)[];
  close(): Promise<void>;
}

async function tokenOf(call: typeof fetch, { clientId, clientSecret }: GrownHistory): Promise<string> {
  const body = JSON.stringify({ client_id: clientId, client_secret: clientSecret });
  const headers = { "content-type": "application/json" };
  const response = await call(`${BASE_URL}/oauth2/token`, { method: "POST", headers, body });
  return ((await response.json()) as { access_token: string }).access_token;
}

async function askedOf(service: ServiceApp, history: GrownHistory, endsAt: Date): Promise<Asked> {
  const call: typeof fetch = async (input, init) => service.app.fetch(new Request(input, init));
  const accessToken = await tokenOf(call, history);
  const headers = () => ({ authorization: `Bearer ${accessToken}` });
  const client = createClient(serviceContract, { baseUrl: BASE_URL, fetch: call, headers, timeoutMs: 120_000 });
  const time = businessTime(TIME_ZONE);
  const to = time.dayOf(endsAt);
  const from = time.addDays(to, -364);
  return { client, history, from, to };
}

/** A database with so many transactions. */
interface Grown {
  readonly sql: Sql;
  readonly history: GrownHistory;
}

async function grow({ databaseUrl, tell }: GrowthOptions, transactions: number, endsAt: Date): Promise<Grown> {
  const name = `growth_${transactions}`;
  const admin = connect(databaseUrl, { max: 1, applicationName: "cupo bench" });
  await admin.unsafe(`create database ${name} template template0`);
  await admin.end();
  const sql = connect(databaseUrl.replace(/[^/]+$/, name), { max: 4, applicationName: "cupo bench" });
  const started = performance.now();
  const history = await growHistory({ sql, transactions, endsAt, timeZone: TIME_ZONE });
  const seconds = (performance.now() - started) / 1000;
  tell(
    `${transactions} transactions made in ${seconds.toFixed(1)} s: ${Math.round(transactions / seconds)} per second`,
  );
  return { sql, history };
}

/** Starts the service on a history; it is called as a function, so no network is measured. */
async function startSide({ sql, history }: Grown, endsAt: Date): Promise<Side> {
  const service = await createServiceApp({
    sql,
    key: randomBytes(32),
    baseUrl: BASE_URL,
    authUrl: BASE_URL,
    currency: { code: "COP", numeric: "170", digits: 2 },
    counterpartyLimit: 100_000_000n,
    timeZone: TIME_ZONE,
    city: "Bogota",
    qrGuid: "co.qp",
    version: "0.0.0",
    clock: () => endsAt,
    now: () => performance.now(),
    random: (length) => randomBytes(length),
    newId: () => v7(),
    machine: machineOf(() => endsAt),
    log: silentLog,
  });
  const asked = await askedOf(service, history, endsAt);
  const reads = await Promise.all(growthReads.map(({ prepare }) => prepare(asked)));
  const close = async (): Promise<void> => {
    await service.close();
    await sql.end();
  };
  return { reads, close };
}

async function timeOf(read: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await read();
  return performance.now() - started;
}

async function measureRead(
  name: string,
  small: () => Promise<unknown>,
  large: () => Promise<unknown>,
  repeats: number,
) {
  for (let count = 0; count < WARM_UPS; count++) {
    await small();
    await large();
  }
  const [smallTimes, largeTimes]: [number[], number[]] = [[], []];
  // In turns, so that whatever else the machine does falls on both.
  for (let count = 0; count < repeats; count++) {
    smallTimes.push(await timeOf(small));
    largeTimes.push(await timeOf(large));
  }
  const [smallMs, largeMs] = [spreadOf(smallTimes), spreadOf(largeTimes)];
  return { name, smallMs, largeMs, ratio: largeMs.median / smallMs.median };
}

/** Makes both histories and measures every read on them in turns. */
export async function measureGrowth(options: GrowthOptions): Promise<readonly GrowthMeasurement[]> {
  const endsAt = new Date(Date.now() - DAY_MS);
  const grown = [await grow(options, options.small, endsAt), await grow(options, options.large, endsAt)] as const;
  // Only now, so that the tasks of both have worked for as long.
  const small = await startSide(grown[0], endsAt);
  try {
    const large = await startSide(grown[1], endsAt);
    try {
      const measured: GrowthMeasurement[] = [];
      for (const [index, { name }] of growthReads.entries()) {
        const [first, second] = [small.reads[index], large.reads[index]] as [
          () => Promise<unknown>,
          () => Promise<unknown>,
        ];
        measured.push(await measureRead(name, first, second, options.repeats));
      }
      return measured;
    } finally {
      await large.close();
    }
  } finally {
    await small.close();
  }
}
