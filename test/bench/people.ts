import { randomBytes } from "node:crypto";
import { v7 } from "uuid";
import type { Sql } from "../../server/database/connect.ts";
import {
  type ApiClientCredentials,
  createApiClient,
  createEntity,
} from "../../server/service/api-clients/api-clients.ts";
import { SCOPES, type Scope } from "../../src/contract/shared/scopes.ts";
import type { LoadGenerator } from "./load/run-load.ts";

/** One entity: tokens of its API clients, and its users. */
export interface BenchEntity {
  readonly clients: readonly ApiClientCredentials[];
  readonly tokens: readonly string[];
  /** Each starts with {@link QUOTA}. */
  readonly users: readonly string[];
  /** Starts with {@link QUOTA} and pays, or receives, in the hot sections alone. */
  readonly hotUser: string;
}

/** How many entities and users to make. */
export interface PeopleOptions {
  readonly sql: Sql;
  readonly port: number;
  readonly load: LoadGenerator;
  readonly entities: number;
  readonly accounts: number;
  /** Takes the messages of half of the entities, where there are several. */
  readonly webhookUrl: string;
}

/** The quota that each user starts with, in currency units: more than any run can spend. */
export const QUOTA = 1_000_000_000;

/** A client may make 5 000 requests a second and its entity four times as many, which no limit is to measure. */
const CLIENTS = 4;
const AT_ONCE = 64;
const MOST_SECONDS = 900;
const FIRST_PHONE = 300_000_0000;

let phones = FIRST_PHONE;

/** Gets a token, with every ordinary scope or the given one. */
export async function tokenFor(port: number, { clientId, clientSecret }: ApiClientCredentials, scope?: Scope) {
  const response = await fetch(`http://127.0.0.1:${port}/oauth2/token`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ client_id: clientId, client_secret: clientSecret, scope }),
  });
  if (!response.ok) throw new Error(`no token: ${response.status} ${await response.text()}`);
  return ((await response.json()) as { access_token: string }).access_token;
}

/** Gets a token for each API client: they last for an hour. */
export function tokensOf(port: number, clients: readonly ApiClientCredentials[]): Promise<readonly string[]> {
  return Promise.all(clients.map((client) => tokenFor(port, client)));
}

/** Makes users through the service; each starts with {@link QUOTA}. */
export async function makeUsers(
  { port, load }: Pick<PeopleOptions, "port" | "load">,
  tokens: readonly string[],
  count: number,
): Promise<void> {
  const first = phones;
  phones += count;
  const body = `{"name":"User","nit":"<sequence ${first}>","phone":"+57<sequence ${first}>","quota":${QUOTA}}`;
  const figures = await load.run({
    port,
    connections: AT_ONCE,
    seconds: MOST_SECONDS,
    warmUp: 0,
    operations: count,
    key: "people",
    lists: { tokens },
    scripts: [
      {
        weight: 1,
        payments: 0,
        steps: [{ request: "POST /create-user", headers: ["Authorization: Bearer <tokens>"], body }],
      },
    ],
  });
  if (figures.done !== count) throw new Error(`Not every user was made: ${figures.samples.join(" ")}`);
}

async function makeEntity({ sql, port, load }: PeopleOptions, accounts: number): Promise<BenchEntity> {
  const id = v7();
  const now = new Date();
  const name = "Bench";
  const clients = await sql.begin(async (tx) => {
    await createEntity(tx, { id, name, now });
    const made = [];
    for (let client = 0; client < CLIENTS; client += 1) {
      made.push(await createApiClient(tx, { entityId: id, name, scopes: SCOPES }, { now, randomBytes }));
    }
    return made;
  });
  const tokens = await tokensOf(port, clients);
  await makeUsers({ port, load }, tokens, accounts + 1);
  const rows = await sql<{ id: string }[]>`select id from service.users where creator_id = ${id} order by id`;
  const [hotUser = "", ...users] = rows.map((row) => row.id);
  return { clients, tokens, users, hotUser };
}

async function putWebhook({ port, webhookUrl }: PeopleOptions, { clients: [client] }: BenchEntity): Promise<void> {
  if (client === undefined) throw new Error("an entity has API clients");
  const token = await tokenFor(port, client, "administration");
  const response = await fetch(`http://127.0.0.1:${port}/webhooks/bench`, {
    method: "PUT",
    headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
    body: JSON.stringify({ url: webhookUrl }),
  });
  if (!response.ok) throw new Error(`no webhook: ${response.status} ${await response.text()}`);
}

/** Makes entities with API clients, and users with quota, through the service. */
export async function makePeople(options: PeopleOptions): Promise<readonly BenchEntity[]> {
  const made: BenchEntity[] = [];
  while (made.length < options.entities) {
    const entity = await makeEntity(options, Math.round(options.accounts / options.entities));
    if (options.entities > 1 && made.length % 2 === 0) await putWebhook(options, entity);
    made.push(entity);
  }
  return made;
}
