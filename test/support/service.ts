import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { v7 } from "uuid";
import { connect, type Sql } from "../../server/database/connect.ts";
import { migrate } from "../../server/database/migrate.ts";
import type { MachineClock } from "../../server/ledger/model/machine-clock.ts";
import { idSource } from "../../server/runtime/id-source.ts";
import { createApiClient, createEntity } from "../../server/service/api-clients/api-clients.ts";
import { createServiceApp, type ServiceApp } from "../../server/start/service-app.ts";
import type { WebhookOptions } from "../../server/webhooks/webhook-options.ts";
import { type Client, createClient } from "../../src/client.ts";
import { type ServiceContract, serviceContract } from "../../src/contract/service/service.ts";
import { formatScopes, SCOPES } from "../../src/contract/shared/scopes.ts";
import { doubtAtRandom } from "./a-ledger.ts";
import { aDatabase, type TestDatabase } from "./database.ts";
import { type ClockMoves, movableTime } from "./invented-clock.ts";
import { localNames } from "./local-names.ts";
import { silentLog } from "./silent-log.ts";

/** Where the tests' service pretends to be; the app is called as a function, without a port. */
export const BASE_URL = "http://service.test";

/** How long a client uses a token before it asks for another: less than its lifetime. */
const TOKEN_USE_MS = 4 * 60 * 1000;

/** A fintech with an API client, and its typed client that asks for tokens as any other does. */
export interface TestEntity {
  readonly entityId: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly client: Client<ServiceContract>;
  /** A token for five minutes with every scope, or as long as usual with others. */
  accessToken(scope?: string): Promise<string>;
}

/** The real service on a fresh database. */
export interface TestService extends ServiceApp, ClockMoves {
  readonly sql: Sql;
  readonly databaseUrl: string;
  /** The service key, and the service's clock: what commands at the terminal work with. */
  readonly key: Uint8Array;
  readonly clock: () => Date;
  readonly machine: MachineClock;
  /** Calls the app with any request, as the network would. */
  readonly fetch: typeof fetch;
  anEntity(name?: string): Promise<TestEntity>;
  stop(): Promise<void>;
}

interface Demand {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly scope: string;
}

async function tokenOf(call: typeof fetch, baseUrl: string, demand: Demand): Promise<string> {
  const { clientId: client_id, clientSecret: client_secret, scope } = demand;
  const response = await call(`${baseUrl}/oauth2/token`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ client_id, client_secret, scope }),
  });
  if (!response.ok) throw new Error(`no token: ${response.status} ${await response.text()}`);
  return ((await response.json()) as { access_token: string }).access_token;
}

interface EntityMaking {
  readonly sql: Sql;
  readonly call: typeof fetch;
  readonly clock: () => Date;
  readonly baseUrl: string;
}

async function anEntity({ sql, call, clock, baseUrl }: EntityMaking, name: string): Promise<TestEntity> {
  const entityId = v7();
  const making = { now: clock(), randomBytes: (length: number) => randomBytes(length) };
  const credentials = await sql.begin(async (tx) => {
    await createEntity(tx, { id: entityId, name, now: clock() });
    return createApiClient(tx, { entityId, name, scopes: SCOPES }, making);
  });
  const accessToken = (scope = formatScopes(SCOPES)) => tokenOf(call, baseUrl, { ...credentials, scope });
  let token: Promise<string> | undefined;
  let goodUntilMs = 0;
  const headers = async () => {
    const nowMs = clock().getTime();
    if (nowMs >= goodUntilMs) [token, goodUntilMs] = [accessToken(), nowMs + TOKEN_USE_MS];
    return { authorization: `Bearer ${await token}` };
  };
  const client = createClient(serviceContract, { baseUrl, fetch: call, headers });
  return { entityId, ...credentials, client, accessToken };
}

/** How a test's service differs from the usual one. */
interface ServiceVariant {
  readonly baseUrl?: string;
  /** Requests a minute of each API client. */
  readonly rateLimit?: number;
  /** Look-ups a minute of other entities' users by each entity. */
  readonly foreignLookUps?: number;
  /**
   * The limit of an entity's exposure to another, in whole units. Default: so much that no test reaches it by accident.
   */
  readonly counterpartyLimit?: bigint;
  readonly webhooks?: WebhookOptions;
  /** Default: a fresh one of the run's PostgreSQL. */
  readonly database?: TestDatabase;
  /** The service key of the one that made the database. */
  readonly key?: Uint8Array;
  /** A pool on a replica. */
  readonly readSql?: Sql;
  /** True for a batch that is not to find its rows as remembered. Default: one of four, at random. */
  readonly isDoubted?: () => boolean;
}

/** Starts the service on a fresh database; call `stop` when done. */
export async function aService({
  baseUrl = BASE_URL,
  counterpartyLimit = 10n ** 14n,
  database: given,
  webhooks,
  key = randomBytes(32),
  isDoubted = doubtAtRandom,
  ...variant
}: ServiceVariant = {}): Promise<TestService> {
  const database = given ?? (await aDatabase("service"));
  const sql = connect(database.url, { max: 10, applicationName: "cupo service test" });
  await migrate(sql, join(import.meta.dirname, "../../server/database/migrations/service"));
  const { clock, machine, now, ...moves } = movableTime();
  const service = await createServiceApp({
    ...variant,
    webhooks: { find: localNames, ...webhooks },
    sql,
    key,
    baseUrl,
    authUrl: baseUrl,
    currency: { code: "COP", numeric: "170", digits: 2 },
    counterpartyLimit,
    timeZone: "America/Bogota",
    city: "Bogota",
    qrGuid: "co.qp",
    version: "0.0.0",
    clock,
    now,
    random: (length) => randomBytes(length),
    machine,
    newId: idSource({ nowMs: () => clock().getTime(), random: (length) => randomBytes(length) }),
    isDoubted,
    log: silentLog,
  });
  const call: typeof fetch = async (input, init) => service.app.fetch(new Request(input, init));
  return {
    ...service,
    sql,
    key,
    clock,
    databaseUrl: database.url,
    fetch: call,
    anEntity: (name = "Fintech") => anEntity({ sql, call, clock, baseUrl }, name),
    machine,
    ...moves,
    async stop() {
      await service.close();
      await sql.end();
      await database.drop();
    },
  };
}

let people = 0;

/** A user of the entity, with a fresh nit and phone. */
export async function aUser(entity: TestEntity, { name = "Ana", quota = 0 }: { name?: string; quota?: number } = {}) {
  people += 1;
  const nit = `${process.pid}${people}`;
  const phone = `+57300${String(1_000_000 + people)}`;
  const { body } = await entity.client.createUser({ body: { name, nit, phone, ...(quota === 0 ? {} : { quota }) } });
  return body;
}
