import type { BlockList } from "node:net";
import type { Hono } from "hono";
import { Counter, type Registry } from "prom-client";
import { type BusinessTime, businessTime } from "../../src/business-time.ts";
import { TransactionQr } from "../../src/contract/service/qr.ts";
import { serviceContract } from "../../src/contract/service/service.ts";
import { serviceExamples } from "../../src/contract/service/service-examples.ts";
import { TokenError, token } from "../../src/contract/service/token.ts";
import { Transaction, TransactionInput } from "../../src/contract/service/transactions.ts";
import { User } from "../../src/contract/service/users.ts";
import { ApiError } from "../../src/contract/shared/errors.ts";
import type { Operation } from "../../src/contract/shared/operation.ts";
import { isDatabaseAway } from "../database/classify-database-error.ts";
import type { Sql } from "../database/connect.ts";
import { requireWritable } from "../database/require-writable.ts";
import { createSealer } from "../database/sealer.ts";
import { addressKey } from "../http/client-address.ts";
import { ConcurrencyLimiter } from "../http/concurrency-limiter.ts";
import { createApp } from "../http/create-app.ts";
import type { HttpEnv } from "../http/exchange.ts";
import type { HttpLog } from "../http/http-log.ts";
import type { AddRoutes } from "../http/http-options.ts";
import { openApiOf } from "../http/openapi.ts";
import { createRateLimiter } from "../http/rate-limiter.ts";
import { MAX_ANONYMOUS_BODY_BYTES } from "../http/read-limited-body.ts";
import { ClockError, type ClockFault, ClockWatch } from "../ledger/clock-watch.ts";
import type { MachineClock } from "../ledger/model/machine-clock.ts";
import { Writer } from "../ledger/writer.ts";
import { loadEndedCredentials } from "../service/api-clients/ended-credentials.ts";
import { fieldDescriptions } from "../service/field-descriptions.ts";
import { loadSigningKeys } from "../service/keys/signing-keys.ts";
import { serviceGuide, serviceTags } from "../service/service-guide.ts";
import { serviceHandlers } from "../service/service-handlers.ts";
import { readAnswerExamples } from "../service/shared/answer-examples.ts";
import { changesFrom } from "../service/shared/changes-from.ts";
import type { ApiCaller, Currency, ForeignLookUps } from "../service/shared/service-context.ts";
import { createAccessTokens } from "../service/tokens/access-tokens.ts";
import { WRONG_SECRET_LIMITS } from "../service/tokens/secret-attempts.ts";
import { tokenErrorShape } from "../service/tokens/token-answer.ts";
import { createTokenEndpoint } from "../service/tokens/token-endpoint.ts";
import { eventSchemas, serviceWebhooks } from "../service/webhooks/service-webhooks.ts";
import { createWellKnown } from "../service/well-known.ts";
import type { WebhookOptions } from "../webhooks/webhook-options.ts";
import { startServiceTasks } from "./service-tasks.ts";
import { startWebhooks } from "./webhook-parts.ts";

/** Number of slots over which the rows that every posting updates are spread. */
const SLOTS = 16;

/** Seconds of `Retry-After` while a clock is wrong, which waits for a person. */
const RETRY_CLOCK_SECONDS = 60;

/** Concurrent requests that use the database beside the writer, which is left some connections of the pool. */
const PLACES = 6;

/** Requests a minute of each API client, by default. */
const RATE_LIMIT = 1_200_000;

/** An entity's rate limit as a multiple of one API client's, however many clients it has. */
const CLIENTS_PER_ENTITY = 4;

/** Look-ups of users of other entities that an entity may make in a minute, by default. */
const FOREIGN_LOOK_UPS = 600;

/** Every option of {@link createServiceApp}: what the tests run is what ships. */
export interface ServiceAppOptions {
  readonly sql: Sql;
  /** A pool on a replica, for statistics and closed reports. Default: the same pool. */
  readonly readSql?: Sql;
  /** The connections of the ledger's commits, where they have their own. */
  readonly writeSql?: Sql;
  /** The 32-byte service key that seals private keys. */
  readonly key: Uint8Array;
  /** Public addresses, without a slash at the end: issuer and audience of tokens. */
  readonly baseUrl: string;
  readonly authUrl: string;
  readonly currency: Currency;
  /** The limit of one entity's exposure to another where the creditor set none: whole currency units. */
  readonly counterpartyLimit: bigint;
  readonly timeZone: string;
  readonly city: string;
  readonly qrGuid: string;
  readonly version: string;
  readonly clock: () => Date;
  /** Milliseconds from any fixed point, for durations. */
  readonly now: () => number;
  readonly random: (length: number) => Uint8Array;
  /** A new UUIDv7, greater than the one before. */
  readonly newId: () => string;
  readonly machine: MachineClock;
  readonly log: HttpLog;
  /** Requests a minute of each API client; those of an entity may make four times as many together. */
  readonly rateLimit?: number;
  /** Look-ups of other entities' users a minute of each entity. */
  readonly foreignLookUps?: number;
  readonly trustedProxies?: BlockList;
  /** The metrics registry, and the token that reads it. */
  readonly metrics?: { readonly registry: Registry; readonly token?: string };
  readonly webhooks?: WebhookOptions;
}

/** The running service: its HTTP app, writer and clock watch. */
export interface ServiceApp {
  readonly app: Hono<HttpEnv>;
  readonly ledger: Writer;
  readonly clockWatch: ClockWatch;
  /** Answers everything that was accepted; the database may be closed after that. */
  close(): Promise<void>;
}

function bearerToken(request: Request): string {
  const found = /^Bearer +(\S+)$/i.exec(request.headers.get("authorization") ?? "")?.[1];
  if (found !== undefined) return found;
  throw new ApiError("unauthorized", { detail: "Send the header Authorization: Bearer and an access token." });
}

function classify(error: unknown): ApiError | undefined {
  if (error instanceof ClockError)
    return new ApiError("unavailable", { retryAfter: RETRY_CLOCK_SECONDS, cause: error });
  return isDatabaseAway(error) ? new ApiError("unavailable", { retryAfter: 1, cause: error }) : undefined;
}

/** True for rows whose calls are in no queue of the writer's: those that read, and those that change settings. */
function isUnqueued({ writes, scope }: Operation): boolean {
  return !writes || scope === "administration";
}

/** The limits of each API client and of each entity; that of addresses stays. */
function limitsOf({ rateLimit = RATE_LIMIT, now }: ServiceAppOptions) {
  const perMinute = { windowSeconds: 60, now };
  return {
    principal: createRateLimiter({ ...perMinute, quota: rateLimit }),
    group: createRateLimiter({ ...perMinute, quota: rateLimit * CLIENTS_PER_ENTITY, name: "entity" }),
  };
}

/** The limits of look-ups of users that an entity did not create. */
function foreignLookUpsOf({ foreignLookUps = FOREIGN_LOOK_UPS, now }: ServiceAppOptions): ForeignLookUps {
  const perMinute = (quota: number) => createRateLimiter({ quota, windowSeconds: 60, now });
  return { perEntity: perMinute(foreignLookUps), refusals: perMinute(1) };
}

/** The routes beside the contract's: token endpoint and public documents. */
async function oauthRoutes(options: ServiceAppOptions, places: ConcurrencyLimiter) {
  const { sql, key, clock, random, authUrl, baseUrl, qrGuid, now, currency, timeZone } = options;
  const signingKeys = await loadSigningKeys({ sql, key, clock, randomBytes: random });
  const endedCredentials = await loadEndedCredentials({ sql, clock });
  const accessTokens = createAccessTokens({
    signingKeys,
    endedCredentials,
    issuer: authUrl,
    audience: baseUrl,
    clock,
    randomBytes: random,
  });
  const limits = {
    perClient: createRateLimiter({ ...WRONG_SECRET_LIMITS.perClient, now }),
    perAddress: createRateLimiter({ ...WRONG_SECRET_LIMITS.perAddress, now }),
  };
  const endpoint = createTokenEndpoint({ sql, accessTokens, limits });
  const wellKnown = createWellKnown({
    ...{ signingKeys, issuer: authUrl, qrGuid },
    installation: { currency: currency.code, decimals: currency.digits, time_zone: timeZone },
  });
  const addRoutes: AddRoutes = (app, tools) => {
    app.post(token.path, async (c) => {
      tools.shapeErrors(c, tokenErrorShape);
      const address = addressKey(tools.address(c));
      const request = {
        contentType: c.req.header("content-type") ?? null,
        authorization: c.req.header("authorization") ?? null,
        body: await tools.readBody(c, MAX_ANONYMOUS_BODY_BYTES),
        address,
      };
      const isGone = () => tools.isGone(c);
      const answer = await places.run(address, isGone, () => endpoint.grantToken(request));
      return tools.respond(c, answer.status, answer.body, answer.headers);
    });
    for (const [path, handler] of Object.entries(wellKnown)) app.get(path, () => handler());
  };
  return { signingKeys, accessTokens, addRoutes };
}

function openApi({ baseUrl, authUrl, version }: ServiceAppOptions): object {
  return openApiOf({
    contract: serviceContract,
    title: "Cupo service",
    version,
    license: "Apache-2.0",
    description: serviceGuide,
    tags: serviceTags,
    baseUrl,
    token: { row: token, authUrl, error: TokenError },
    schemas: { Transaction, TransactionInput, TransactionQr, User, ...eventSchemas },
    requests: serviceExamples,
    answers: readAnswerExamples(),
    webhooks: serviceWebhooks(),
    fields: fieldDescriptions,
  });
}

/** Starts the writer and its clock watch; returns them with the default counterparty limit in minor units. */
async function startLedger(
  { sql, writeSql, clock, now, machine, random, newId, log, currency, ...options }: ServiceAppOptions,
  time: BusinessTime,
  { eventBody, settings }: ReturnType<typeof startWebhooks>,
) {
  const onFault = (fault: ClockFault): void => log.error({ ...fault }, "a clock is wrong");
  const clockWatch = await ClockWatch.start({ sql, clock, machine, onFault });
  const counterpartyLimit = options.counterpartyLimit * 10n ** BigInt(currency.digits);
  const ledger = new Writer({
    sql,
    ...(writeSql === undefined ? {} : { writeSql }),
    clock,
    now,
    clockWatch,
    counterpartyLimit,
    nextId: newId,
    businessDay: (instant) => time.dayOf(instant),
    slot: (random(1)[0] ?? 0) % SLOTS,
    eventBody,
    onEvents: settings.wake,
  });
  return { ledger, clockWatch, counterpartyLimit };
}

/** Registers the counter of the ledger's batches, by the way in which they were committed. */
function registerLedgerMetrics(registry: Registry, ledger: Writer): void {
  new Counter({
    name: "cupo_ledger_batches_total",
    help: "Batches of commands, by way: remembered (on remembered rows), locked, refused (then locked)",
    labelNames: ["way"],
    registers: [registry],
    collect() {
      const { commits, remembered, refused } = ledger.figures;
      this.reset();
      for (const [way, count] of Object.entries({ remembered, locked: commits - remembered, refused })) {
        this.inc({ way }, count);
      }
    },
  });
}

/**
 * Assembles the service (keys, tokens, ledger, handlers, routes) and starts its writer, webhooks and periodic tasks.
 * The database must be migrated.
 */
export async function createServiceApp(options: ServiceAppOptions): Promise<ServiceApp> {
  const { sql, clock, random, newId, log, now, currency, qrGuid, city } = options;
  const places = new ConcurrencyLimiter({ places: PLACES, now });
  const { signingKeys, accessTokens, addRoutes } = await oauthRoutes(options, places);
  const time = businessTime(options.timeZone);
  const webhooks = startWebhooks(options);
  const sealer = createSealer(options.key, random);
  const started = await startLedger(options, time, webhooks);
  const { ledger, clockWatch } = started;
  if (options.metrics !== undefined) registerLedgerMetrics(options.metrics.registry, ledger);
  const posting = { sql, readSql: options.readSql ?? sql, ...started };
  const shared = { ...posting, changesFrom: changesFrom({ sql, clock }), clock, random, currency, time, qrGuid, city };
  const kept = { qr: signingKeys.qr, webhooks: webhooks.settings, sealer };
  const handlers = serviceHandlers({ ...shared, ...kept, foreignLookUps: foreignLookUpsOf(options) });
  const app = createApp({
    contract: serviceContract,
    handlers,
    authenticate: (_access, request): Promise<ApiCaller> => accessTokens.verifyAccessToken(bearerToken(request)),
    scopesOf: ({ scopes }) => scopes,
    labelOf: ({ clientId }) => clientId,
    log,
    now,
    newRequestId: newId,
    classify,
    baseUrl: options.baseUrl,
    ready: () => requireWritable(sql).then(() => true),
    openApi: openApi(options),
    custom: addRoutes,
    groupOf: ({ entityId }) => entityId,
    limits: limitsOf(options),
    turns: { limiter: places, isLimited: isUnqueued },
    ...(options.trustedProxies === undefined ? {} : { trustedProxies: options.trustedProxies }),
    ...(options.metrics === undefined ? {} : { metrics: { ...options.metrics, app: "service" } }),
  });
  const tasks = startServiceTasks({ ...shared, log });
  return {
    app,
    ledger,
    clockWatch,
    async close() {
      // A task may still post: the ledger takes nothing more after it.
      await Promise.all([tasks.stop().then(() => ledger.close()), webhooks.stop()]);
      await clockWatch.close();
    },
  };
}
