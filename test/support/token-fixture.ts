import { randomBytes } from "node:crypto";
import { fileURLToPath } from "node:url";
import { v7 as uuid } from "uuid";
import { connect, type Sql } from "../../server/database/connect.ts";
import { migrate } from "../../server/database/migrate.ts";
import { createRateLimiter } from "../../server/http/rate-limiter.ts";
import {
  type ApiClientCredentials,
  createApiClient,
  createEntity,
} from "../../server/service/api-clients/api-clients.ts";
import { loadEndedCredentials } from "../../server/service/api-clients/ended-credentials.ts";
import { loadSigningKeys, type SigningKeys } from "../../server/service/keys/signing-keys.ts";
import {
  type AccessTokens,
  type AccessTokensOptions,
  createAccessTokens,
} from "../../server/service/tokens/access-tokens.ts";
import { WRONG_SECRET_LIMITS } from "../../server/service/tokens/secret-attempts.ts";
import { createTokenEndpoint, type TokenEndpoint } from "../../server/service/tokens/token-endpoint.ts";
import { SCOPES, type Scope } from "../../src/contract/shared/scopes.ts";
import { aDatabase } from "./database.ts";

const MIGRATIONS = fileURLToPath(new URL("../../server/database/migrations/service", import.meta.url));

/** A clock that stands until a test moves it. */
export interface TestClock {
  (): Date;
  advance(seconds: number): void;
}

/** One process's keys, tokens and endpoint. */
export interface TokenProcess {
  readonly signingKeys: SigningKeys;
  readonly accessTokens: AccessTokens;
  readonly endpoint: TokenEndpoint;
}

/** A database with the service's tables, and processes that issue and check tokens over it. */
export interface TokenFixture {
  readonly sql: Sql;
  readonly key: Uint8Array;
  readonly clock: TestClock;
  /** How often the signing keys and the disabled clients were read. */
  readonly reads: () => number;
  aProcess(more?: Partial<AccessTokensOptions>): Promise<TokenProcess>;
  /** With every scope, unless some are named. */
  aClient(scopes?: readonly Scope[]): Promise<ApiClientCredentials & { readonly entityId: string }>;
  drop(): Promise<void>;
}

/** A clock that starts at an instant of its own. */
export function aClock(start = "2026-03-31T15:04:05.678Z"): TestClock {
  let now = Date.parse(start);
  return Object.assign(() => new Date(now), {
    advance: (seconds: number) => {
      now += seconds * 1000;
    },
  });
}

/** Makes the fixture; `drop` it in `afterAll`. */
export async function aTokenFixture(): Promise<TokenFixture> {
  const database = await aDatabase("service");
  const pool = connect(database.url, { max: 10, applicationName: "cupo test" });
  await migrate(pool, MIGRATIONS);
  const clock = aClock();
  const key = randomBytes(32);
  let reads = 0;
  // The driver's template function, counted.
  const sql = new Proxy(pool, {
    apply(target, receiver, parameters) {
      const [parts] = parameters;
      if (Array.isArray(parts) && String(parts).includes("select")) reads += 1;
      return Reflect.apply(target, receiver, parameters);
    },
  });

  async function aProcess(more: Partial<AccessTokensOptions> = {}): Promise<TokenProcess> {
    const signingKeys = await loadSigningKeys({ sql, key, clock, randomBytes });
    const endedCredentials = await loadEndedCredentials({ sql, clock });
    const addresses = { issuer: "https://auth.cupo.example", audience: "https://api.cupo.example" };
    const accessTokens = createAccessTokens({
      ...{ signingKeys, endedCredentials, clock, randomBytes, ...addresses },
      ...more,
    });
    const now = () => clock().getTime();
    const limits = {
      perClient: createRateLimiter({ ...WRONG_SECRET_LIMITS.perClient, now }),
      perAddress: createRateLimiter({ ...WRONG_SECRET_LIMITS.perAddress, now }),
    };
    return { signingKeys, accessTokens, endpoint: createTokenEndpoint({ sql, accessTokens, limits }) };
  }

  async function aClient(scopes = SCOPES): Promise<ApiClientCredentials & { readonly entityId: string }> {
    const entityId = uuid();
    return await pool.begin(async (tx) => {
      await createEntity(tx, { id: entityId, name: "Fintech", now: clock() });
      const making = { now: clock(), randomBytes };
      return { entityId, ...(await createApiClient(tx, { entityId, name: "Server", scopes }, making)) };
    });
  }

  return {
    ...{ sql, key, clock, aProcess, aClient, reads: () => reads },
    async drop() {
      await pool.end();
      await database.drop();
    },
  };
}
