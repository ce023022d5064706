import { Counter, type Registry } from "prom-client";
import { type BusinessTime, businessTime } from "../../src/business-time.ts";
import { TransactionQr } from "../../src/contract/service/qr.ts";
import type { ServiceContract } from "../../src/contract/service/service.ts";
import { serviceContract } from "../../src/contract/service/service.ts";
import { serviceExamples } from "../../src/contract/service/service-examples.ts";
import { TokenError, token } from "../../src/contract/service/token.ts";
import { Transaction, TransactionInput } from "../../src/contract/service/transactions.ts";
import { User } from "../../src/contract/service/users.ts";
import { ApiError } from "../../src/contract/shared/errors.ts";
import type { Handlers } from "../../src/contract/shared/handler.ts";
import type { Sql } from "../database/connect.ts";
import { createSealer } from "../database/sealer.ts";
import type { HttpLog } from "../http/http-log.ts";
import { openApiOf } from "../http/openapi.ts";
import { createRateLimiter } from "../http/rate-limiter.ts";
import { ClockError, type ClockFault, ClockWatch } from "../ledger/clock-watch.ts";
import type { MachineClock } from "../ledger/model/machine-clock.ts";
import { Writer } from "../ledger/writer.ts";
import { type EndedCredentials, loadEndedCredentials } from "../service/api-clients/ended-credentials.ts";
import { fieldDescriptions } from "../service/field-descriptions.ts";
import { loadSigningKeys, type SigningKeys } from "../service/keys/signing-keys.ts";
import { serviceGuide, serviceTags } from "../service/service-guide.ts";
import { serviceHandlers } from "../service/service-handlers.ts";
import { SERVICE_EXAMPLES } from "../service/shared/answer-examples.ts";
import { changesFrom } from "../service/shared/changes-from.ts";
import type { ApiCaller, Currency } from "../service/shared/service-context.ts";
import { type AccessTokens, createAccessTokens } from "../service/tokens/access-tokens.ts";
import { WRONG_SECRET_LIMITS } from "../service/tokens/secret-attempts.ts";
import { createTokenEndpoint } from "../service/tokens/token-endpoint.ts";
import { eventSchemas, serviceWebhooks } from "../service/webhooks/service-webhooks.ts";
import { createWellKnown } from "../service/well-known.ts";
import { readExamples } from "../shared/example-files.ts";
import type { Deliverer } from "../webhooks/deliverer.ts";
import type { WebhookOptions } from "../webhooks/webhook-options.ts";
import { classifyAway, type ServiceCoreAnswers } from "./service-http.ts";
import {
  type LimitMemory,
  limitInMinorUnits,
  limitMemory,
  type ServiceLimitOptions,
  serviceLimits,
} from "./service-limits.ts";
import { startServiceTasks } from "./service-tasks.ts";
import { startWebhooks } from "./webhook-parts.ts";

/** Number of slots over which the rows that every posting updates are spread. */
const SLOTS = 16;

/** Seconds of `Retry-After` while a clock is wrong, which waits for a person. */
const RETRY_CLOCK_SECONDS = 60;

/** Options of {@link startServiceCore}. */
export interface ServiceCoreOptions extends ServiceLimitOptions {
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
  readonly random: (length: number) => Uint8Array;
  /** A new UUIDv7, greater than the one before. */
  readonly newId: () => string;
  readonly machine: MachineClock;
  readonly log: HttpLog;
  /** The metrics registry, and the token that reads it. */
  readonly metrics?: { readonly registry: Registry; readonly token?: string };
  readonly webhooks?: WebhookOptions;
  /** True for a batch that is to be committed as if what the writer remembers were stale: only for tests. */
  readonly isDoubted?: () => boolean;
  /** Starts what sends the webhooks, where another thread does. Default: this one does. */
  readonly startDeliverer?: () => Deliverer;
}

/** The part of the service of which a process has one: writer, keys, limits, webhooks and periodic tasks. */
export interface ServiceCore {
  readonly ledger: Writer;
  readonly clockWatch: ClockWatch;
  readonly handlers: Handlers<ServiceContract, ApiCaller>;
  readonly answers: ServiceCoreAnswers;
  readonly tokens: Pick<AccessTokens, "verifyAccessToken"> & Pick<SigningKeys, "tokenKey"> & EndedCredentials;
  readonly limits: ReturnType<typeof serviceLimits>["requests"];
  readonly limitMemory: LimitMemory;
  /** Answers everything that was accepted; the database may be closed after that. */
  close(): Promise<void>;
}

/** Maps the errors of other modules to an `ApiError`: of the clock watch, and of an unreachable database. */
export function classifyServiceError(error: unknown): ApiError | undefined {
  if (!(error instanceof ClockError)) return classifyAway(error);
  return new ApiError("unavailable", { retryAfter: RETRY_CLOCK_SECONDS, cause: error });
}

/** Writes the service's OpenAPI document as JSON text. */
function serviceDocument({ baseUrl, authUrl, version }: ServiceCoreOptions): string {
  const document = openApiOf({
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
    answers: readExamples(SERVICE_EXAMPLES),
    webhooks: serviceWebhooks(),
    fields: fieldDescriptions,
  });
  return JSON.stringify(document);
}

/** Loads the keys, and makes what answers for tokens and public documents. */
async function startTokens(options: ServiceCoreOptions) {
  const { sql, key, clock, random: randomBytes, authUrl, baseUrl, qrGuid, now, currency, timeZone } = options;
  const signingKeys = await loadSigningKeys({ sql, key, clock, randomBytes });
  const endedCredentials = await loadEndedCredentials({ sql, clock });
  const places = { issuer: authUrl, audience: baseUrl };
  const accessTokens = createAccessTokens({ signingKeys, endedCredentials, ...places, clock, randomBytes });
  const limits = {
    perClient: createRateLimiter({ ...WRONG_SECRET_LIMITS.perClient, now }),
    perAddress: createRateLimiter({ ...WRONG_SECRET_LIMITS.perAddress, now }),
  };
  const installation = { currency: currency.code, decimals: currency.digits, time_zone: timeZone };
  const wellKnown = createWellKnown({ signingKeys, issuer: authUrl, qrGuid, installation });
  const document = serviceDocument(options);
  const answers: ServiceCoreAnswers = {
    ...createTokenEndpoint({ sql, accessTokens, limits }),
    wellKnown: async (path) => JSON.stringify(await wellKnown[path]()),
    openApi: async () => document,
  };
  const { verifyAccessToken } = accessTokens;
  const { qr, tokenKey } = signingKeys;
  return { qr, answers, tokens: { verifyAccessToken, tokenKey, refusalOf: endedCredentials.refusalOf } };
}

/** Starts the writer and its clock watch; returns them with the default counterparty limit in minor units. */
async function startLedger(
  { sql, writeSql, isDoubted, clock, now, machine, random, newId, log, ...options }: ServiceCoreOptions,
  time: BusinessTime,
  { eventBody, settings }: ReturnType<typeof startWebhooks>,
) {
  const onFault = (fault: ClockFault): void => log.error({ ...fault }, "a clock is wrong");
  const clockWatch = await ClockWatch.start({ sql, clock, machine, onFault });
  const counterpartyLimit = limitInMinorUnits(options);
  const ledger = new Writer({
    sql,
    ...(writeSql && { writeSql }),
    ...(isDoubted && { isDoubted }),
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
 * Starts the core of the service: keys, tokens, writer, handlers, webhooks and periodic tasks. The database must be
 * migrated.
 */
export async function startServiceCore(options: ServiceCoreOptions): Promise<ServiceCore> {
  const { sql, clock, random, log, currency, qrGuid, city } = options;
  const { qr, answers, tokens } = await startTokens(options);
  const time = businessTime(options.timeZone);
  const webhooks = startWebhooks(options);
  const sealer = createSealer(options.key, random);
  const started = await startLedger(options, time, webhooks);
  const { ledger, clockWatch } = started;
  if (options.metrics !== undefined) registerLedgerMetrics(options.metrics.registry, ledger);
  const memory = limitMemory();
  const { requests, foreignLookUps } = serviceLimits(options, memory);
  const posting = { sql, readSql: options.readSql ?? sql, ...started };
  const shared = { ...posting, changesFrom: changesFrom({ sql, clock }), clock, random, currency, time, qrGuid, city };
  const handlers = serviceHandlers({ ...shared, qr, webhooks: webhooks.settings, sealer, foreignLookUps });
  const tasks = startServiceTasks({ ...shared, log });
  return {
    ...{ ledger, clockWatch, handlers, answers, tokens, limits: requests, limitMemory: memory },
    async close() {
      // A task may still post: the ledger takes nothing more after it.
      await Promise.all([tasks.stop().then(() => ledger.close()), webhooks.stop()]);
      await clockWatch.close();
    },
  };
}
