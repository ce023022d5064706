import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { v7 } from "uuid";
import { createOpaqueToken, hashToken } from "../../server/broker/access/opaque-token.ts";
import { sessionCookieName } from "../../server/broker/access/session-cookie.ts";
import { connect, type Sql } from "../../server/database/connect.ts";
import type { LoadGenerator } from "./load/run-load.ts";
import { makeUsers, tokenFor } from "./people.ts";
import { freePort, startService } from "./start-service.ts";
import type { Place } from "./start-stage.ts";

/** The dependencies of a broker, and how many people it knows. */
interface BrokerOptions {
  readonly sql: Sql;
  readonly databaseUrl: string;
  readonly dataDir: string;
  readonly load: LoadGenerator;
  readonly accounts: number;
  /** Gets the steps that end it. */
  readonly closings: (() => unknown)[];
}

interface Demo {
  readonly client_id: string;
  readonly client_secret: string;
}

/** A merchant may start 1 200 sessions a minute, which no limit is to measure. */
const MERCHANTS = 100;
const DATABASE = "bench_broker";
const [ORIGIN, THIS_MACHINE] = ["https://shop.example", "http://localhost"];
const KEY_BYTES = 32;
const [DEMO_TIMEOUT_MS, POLL_MS] = [10_000, 100];

/** Reads the demo's API client, which is made after the port opens. */
async function readDemo(file: string): Promise<Demo> {
  for (let waitedMs = 0; !existsSync(file) && waitedMs < DEMO_TIMEOUT_MS; waitedMs += POLL_MS) await delay(POLL_MS);
  return JSON.parse(readFileSync(file, "utf8")) as Demo;
}

/** Makes a merchant of a user; returns its server key. */
async function makeMerchant(sql: Sql, userId: string): Promise<string> {
  const [id, now, key] = [v7(), new Date(), createOpaqueToken("sk_", randomBytes)];
  await sql`insert into broker.merchants ${sql({ id, user_id: userId, name: "Bench", created_at: now })}`;
  await sql`insert into broker.merchant_origins ${sql({ merchant_id: id, origin: ORIGIN })}`;
  const row = { key_hash: hashToken(key), merchant_id: id, kind: "server", created_at: now };
  await sql`insert into broker.merchant_keys ${sql(row)}`;
  return key;
}

/** Signs a user in as a person of the demo, who approves by a button; returns the cookie. */
async function makePerson(sql: Sql, userId: string): Promise<string> {
  const [id, now, token] = [v7(), new Date(), createOpaqueToken("si_", randomBytes)];
  const person = { id, user_id: userId, role: "person", demo_name: id, demo_role: "payer", display_name: "User" };
  await sql`insert into broker.people ${sql({ ...person, created_at: now })}`;
  const session = { token_hash: hashToken(token), person_id: id, created_at: now, last_active_at: now };
  await sql`insert into broker.sign_in_sessions ${sql(session)}`;
  return `${sessionCookieName({ publicOrigin: THIS_MACHINE })}=${token}`;
}

/** Starts service and broker in one process with the demo on, on a database of their own, and lets people in. */
export async function startBroker(options: BrokerOptions): Promise<Place> {
  const { databaseUrl, dataDir, load, accounts, closings } = options;
  await options.sql.unsafe(`create database ${DATABASE} template template0`);
  const url = databaseUrl.replace(/[^/]+$/, DATABASE);
  const folder = join(dataDir, "broker");
  mkdirSync(folder);
  const servicePort = await freePort();
  const { pid, port, stop } = await startService({
    databaseUrl: url,
    logFile: join(dataDir, "broker.log"),
    profileFolder: undefined,
    role: "all",
    portVariable: "CUPO_PORT",
    environment: {
      CUPO_KEY: randomBytes(KEY_BYTES).toString("base64"),
      CUPO_DATA_DIR: folder,
      CUPO_DEMO: "on",
      CUPO_ENTITY: "Bench",
      CUPO_SERVICE_PORT: String(servicePort),
    },
  });
  closings.push(stop);
  const sql = connect(url, { max: 4, applicationName: "cupo bench" });
  closings.push(() => sql.end());
  const demo = await readDemo(join(folder, "demo.json"));
  const client = { clientId: demo.client_id, clientSecret: demo.client_secret };
  await makeUsers({ port: servicePort, load }, [await tokenFor(servicePort, client)], accounts);
  const users = await sql<{ id: string }[]>`select id from service.users where name = 'User' order by id`;
  const [sellers, payers] = [users.slice(0, MERCHANTS), users.slice(MERCHANTS)];
  const keys = await Promise.all(sellers.map(({ id }) => makeMerchant(sql, id)));
  const cookies = await Promise.all(payers.map(({ id }) => makePerson(sql, id)));
  const [books] = await sql<{ quota: string }[]>`
    select sum(posted)::text as quota from service.accounts where kind = 'user_quota'`;
  const quota = BigInt(books?.quota ?? 0);
  return { sql, pid, port, lists: { keys, cookies }, quota: () => quota };
}
