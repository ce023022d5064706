import type { BlockList } from "node:net";
import type { Hono } from "hono";
import { type ServiceContract, serviceContract } from "../../src/contract/service/service.ts";
import { token } from "../../src/contract/service/token.ts";
import { ApiError } from "../../src/contract/shared/errors.ts";
import type { Call } from "../../src/contract/shared/handler.ts";
import type { Operation } from "../../src/contract/shared/operation.ts";
import { isDatabaseAway } from "../database/classify-database-error.ts";
import type { Sql } from "../database/connect.ts";
import { requireWritable } from "../database/require-writable.ts";
import { addressKey } from "../http/client-address.ts";
import { ConcurrencyLimiter } from "../http/concurrency-limiter.ts";
import { createApp } from "../http/create-app.ts";
import type { HttpEnv } from "../http/exchange.ts";
import type { HttpLog } from "../http/http-log.ts";
import type { AddRoutes, HttpOptions, MetricsOptions } from "../http/http-options.ts";
import { MAX_ANONYMOUS_BODY_BYTES } from "../http/read-limited-body.ts";
import { replyOf } from "../http/remote-call.ts";
import { drawQr } from "../service/qr/draw-qr.ts";
import type { ApiCaller } from "../service/shared/service-context.ts";
import type { AccessTokens } from "../service/tokens/access-tokens.ts";
import { tokenErrorShape } from "../service/tokens/token-answer.ts";
import type { TokenEndpoint } from "../service/tokens/token-endpoint.ts";
import { WELL_KNOWN_PATHS, type WellKnown } from "../service/well-known.ts";

/** Concurrent requests of a process that use the database beside the writer. */
const PLACES = 6;

/** Requests of a process that wait for such a place at most, and those of one entity. */
const [WAITING, WAITING_OF_ENTITY] = [4_000, 1_000];

/** Requests of a process that may be in the writer's queues, which one entity never fills: each takes memory. */
const QUEUED = 4_096;

/** Answers what HTTP asks of the core of the service, in the same thread or from another. */
export interface ServiceCoreAnswers extends TokenEndpoint {
  /** A public document as JSON text. */
  wellKnown(path: keyof WellKnown): Promise<string>;
  /** The OpenAPI document as JSON text. */
  openApi(): Promise<string>;
}

/** Options of {@link createServiceHttp}. */
export interface ServiceHttpOptions {
  readonly core: ServiceCoreAnswers;
  readonly verifyAccessToken: AccessTokens["verifyAccessToken"];
  readonly handlers: HttpOptions<ServiceContract, ApiCaller>["handlers"];
  /** Default: knows the errors of an unreachable database. */
  readonly classify?: (error: unknown) => ApiError | undefined;
  readonly limits: NonNullable<HttpOptions<ServiceContract, ApiCaller>["limits"]>;
  readonly sql: Sql;
  readonly baseUrl: string;
  readonly now: () => number;
  readonly newId: () => string;
  readonly log: HttpLog;
  readonly trustedProxies?: BlockList;
  readonly metrics?: MetricsOptions;
  /** Threads that serve HTTP, which share the process's places. Default: one. */
  readonly threads?: number;
}

function bearerToken(request: Request): string {
  const found = /^Bearer +(\S+)$/i.exec(request.headers.get("authorization") ?? "")?.[1];
  if (found !== undefined) return found;
  throw new ApiError("unauthorized", { detail: "Send the header Authorization: Bearer and an access token." });
}

/** Maps the error of an unreachable database to an `ApiError`. */
export function classifyAway(error: unknown): ApiError | undefined {
  return isDatabaseAway(error) ? new ApiError("unavailable", { retryAfter: 1, cause: error }) : undefined;
}

/** True for rows whose calls are in no queue of the writer's: those that read, and those that change settings. */
function isUnqueued({ writes, scope }: Operation): boolean {
  return !writes || scope === "administration";
}

/** The places of one of so many threads; a connection is a thread's own, so that no other could use its place. */
export function placesOf(threads: number): number {
  return Math.ceil(PLACES / threads);
}

/** The routes beside the contract's: token endpoint and public documents. */
function oauthRoutes(core: ServiceCoreAnswers, places: ConcurrencyLimiter): AddRoutes {
  return (app, tools) => {
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
      const answer = await places.run(address, isGone, () => core.grantToken(request));
      return tools.respond(c, answer.status, answer.body, answer.headers);
    });
    const headers = { "Content-Type": "application/json", "Cache-Control": "no-store" };
    for (const path of WELL_KNOWN_PATHS) {
      app.get(path, async () => new Response(await core.wellKnown(path), { headers }));
    }
  };
}

type QrCall = Call<ServiceContract["createTransactionQr"], ApiCaller>;

/** The handlers of all operations; the images of QRs are drawn here, wherever the QRs are made. */
function drawingHandlers({ handlers }: ServiceHttpOptions): ServiceHttpOptions["handlers"] {
  return {
    ...handlers,
    createTransactionQr: async (call: QrCall) => drawQr(replyOf(await handlers.createTransactionQr(call)), call),
  };
}

/** Makes the HTTP app of the service from its core, or from what reaches the core from another thread. */
export function createServiceHttp(options: ServiceHttpOptions): Hono<HttpEnv> {
  const { core, now, sql, threads = 1, trustedProxies, metrics } = options;
  const limiter = new ConcurrencyLimiter({
    places: placesOf(threads),
    waitingLimit: Math.ceil(WAITING / threads),
    waitingOfKeyLimit: Math.ceil(WAITING_OF_ENTITY / threads),
    now,
  });
  const queued = new ConcurrencyLimiter({ places: Math.ceil(QUEUED / threads), waitingLimit: 0, now });
  return createApp<ServiceContract, ApiCaller>({
    contract: serviceContract,
    handlers: drawingHandlers(options),
    authenticate: (_access, request) => options.verifyAccessToken(bearerToken(request)),
    scopesOf: ({ scopes }) => scopes,
    labelOf: ({ clientId }) => clientId,
    log: options.log,
    now,
    newRequestId: options.newId,
    classify: options.classify ?? classifyAway,
    baseUrl: options.baseUrl,
    ready: () => requireWritable(sql).then(() => true),
    openApi: core.openApi,
    custom: oauthRoutes(core, limiter),
    groupOf: ({ entityId }) => entityId,
    limits: options.limits,
    turnsOf: (row) => (isUnqueued(row) ? limiter : queued),
    ...(trustedProxies === undefined ? {} : { trustedProxies }),
    ...(metrics === undefined ? {} : { metrics: { ...metrics, app: "service" } }),
  });
}
