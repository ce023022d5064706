import { Hono } from "hono";
import { routePath } from "hono/route";
import { ApiError } from "../../src/contract/shared/errors.ts";
import type { Contract, Operation } from "../../src/contract/shared/operation.ts";
import { clientAddress } from "./client-address.ts";
import { createTools } from "./create-tools.ts";
import { addDocsRoutes } from "./docs-routes.ts";
import { type Exchange, type HttpContext, type HttpEnv, respond } from "./exchange.ts";
import { addHealthRoutes } from "./health-routes.ts";
import { describeError } from "./http-log.ts";
import { createHttpMetrics, type HttpMetrics } from "./http-metrics.ts";
import type { HttpOptions, HttpTools } from "./http-options.ts";
import { challengeHeaders, notFoundError, problemResponse } from "./problem.ts";
import { answerDocument, keptDocument, publicDocument } from "./public-document.ts";
import { createRateLimiter } from "./rate-limiter.ts";
import { type RequestLimits, type RowHandler, runRow } from "./run-row.ts";
import { securityHeaders } from "./security-headers.ts";
import { watchProxies } from "./watch-proxies.ts";

/** Serves an OpenAPI document, asked for once. */
function addOpenApiRoute(app: Hono<HttpEnv>, tools: HttpTools, read: () => Promise<string>): void {
  const kept = keptDocument(async () => publicDocument(await read(), "application/json"));
  app.get("/openapi.json", async (c) => answerDocument(c, tools, await kept()));
}

const REQUEST_ID = /^[A-Za-z0-9_-]{1,64}$/;
const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"];
const NO_SUCH_PATH = "unmatched";
const QUIET_ROUTES = new Set(["/health/live", "/health/ready", "/metrics"]);

function openExchange<C extends Contract, P>(
  c: HttpContext,
  options: HttpOptions<C, P>,
  security: Readonly<Record<string, string>>,
  watch: ReturnType<typeof watchProxies>,
): Exchange {
  const { headers } = c.req.raw;
  const sent = headers.get("request-id");
  const requestId = sent !== null && REQUEST_ID.test(sent) ? sent : options.newRequestId();
  const peer = c.env?.incoming?.socket?.remoteAddress ?? options.assumedPeer?.address ?? "unknown";
  watch(peer, headers);
  return {
    requestId,
    address: clientAddress(peer, headers, options.trustedProxies),
    headers: { "Request-Id": requestId, "Cache-Control": "no-store", ...security },
    route: undefined,
    principal: undefined,
    errorShape: undefined,
    ended: undefined,
    complete: false,
  };
}

/** Answers anything thrown: an expected error as itself, everything else as 500 with a line in the log. */
function failureResponse<C extends Contract, P>(c: HttpContext, thrown: unknown, options: HttpOptions<C, P>): Response {
  const exchange = c.get("exchange");
  const known = thrown instanceof ApiError ? thrown : options.classify?.(thrown);
  const place = () => ({ requestId: exchange.requestId, route: exchange.route, error: describeError(thrown) });
  if (known === undefined || known.code === "internal_error") options.log.error(place(), "request failed");
  else if (known.status === 502 || known.status === 503) options.log.warn(place(), "dependency failed");
  const error = known ?? new ApiError("internal_error");
  return problemResponse(exchange, error, challengeHeaders(error, c.req.raw, options.realm ?? "cupo"));
}

/** Adds the headers of a row's answer to a plain route's answer; its own `Cache-Control` stays. */
function completeHeaders(c: HttpContext, exchange: Exchange): void {
  for (const [name, value] of Object.entries(exchange.headers)) {
    if (name === "Request-Id" || !c.res.headers.has(name)) c.header(name, value);
  }
}

function report<C extends Contract, P>(
  c: HttpContext,
  startedAt: number,
  options: HttpOptions<C, P>,
  metrics: HttpMetrics | undefined,
): void {
  const { requestId, principal, route = routePath(c) } = c.get("exchange");
  const ms = Math.round((options.now() - startedAt) * 100) / 100;
  const { method } = c.req.raw;
  const { status } = c.res;
  metrics?.observe(method, route, status, ms / 1000);
  const level = QUIET_ROUTES.has(route) ? "debug" : "info";
  options.log[level]({ method, route, status, ms, requestId, principal }, "request");
}

/** The methods that a path takes, but for catch-alls such as static files, which take any path. */
function allowedMethods(app: Hono<HttpEnv>, path: string): string[] {
  const allowed = METHODS.filter((method) =>
    app.router.match(method, path)[0].some(([[, route]]) => route.method === method && !route.path.includes("*")),
  );
  return allowed.includes("GET") ? ["HEAD", ...allowed, "OPTIONS"] : [...allowed, "OPTIONS"];
}

function unmatched(c: HttpContext, app: Hono<HttpEnv>, isDescribed: boolean): Response {
  const exchange = c.get("exchange");
  exchange.route = NO_SUCH_PATH;
  const allowed = allowedMethods(app, c.req.path);
  if (allowed.length === 1) return problemResponse(exchange, notFoundError(isDescribed));
  const allow = allowed.join(", ");
  if (c.req.method === "OPTIONS") return respond(exchange, 204, null, { Allow: allow });
  return problemResponse(exchange, new ApiError("method_not_allowed", { detail: `Use ${allow}.` }), { Allow: allow });
}

function addEdge<C extends Contract, P>(app: Hono<HttpEnv>, options: HttpOptions<C, P>, metrics?: HttpMetrics): void {
  const security = securityHeaders(options.baseUrl ?? "http://localhost");
  const watch = watchProxies(options.log, options.trustedProxies);
  app.use("*", async (c, next) => {
    const startedAt = options.now();
    const exchange = openExchange(c, options, security, watch);
    c.set("exchange", exchange);
    try {
      await next();
    } catch (thrown) {
      // Hono hands only Error objects to onError; anything may be thrown.
      c.res = failureResponse(c, thrown, options);
    }
    if (!exchange.complete) completeHeaders(c, exchange);
    if (exchange.ended === undefined) return report(c, startedAt, options, metrics);
    exchange.route = routePath(c);
    void exchange.ended.then(() => report(c, startedAt, options, metrics));
  });
  app.onError((error, c) => failureResponse(c, error, options));
  app.notFound((c) => unmatched(c, app, options.openApi !== undefined));
}

function limitsOf<C extends Contract, P>({ limits = {}, now }: HttpOptions<C, P>): RequestLimits {
  return {
    principal: limits.principal ?? createRateLimiter({ quota: 1_200_000, windowSeconds: 60, now }),
    address: limits.address ?? createRateLimiter({ quota: 30_000, windowSeconds: 60, now }),
    group: limits.group,
  };
}

/**
 * Makes a Hono app from a contract and its handlers. Rows come before plain routes; every request gets an id, a line in
 * the log and, when it fails, a problem document.
 */
export function createApp<const C extends Contract, P>(options: HttpOptions<C, P>): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>();
  const limits = limitsOf(options);
  const tools = createTools(options, limits);
  const metrics = options.metrics && createHttpMetrics(options.metrics);
  addEdge(app, options, metrics);
  options.before?.(app, tools);
  const isDescribed = options.openApi !== undefined;
  const { ready, missing } = options;
  addHealthRoutes(app, tools, { ready, missing, metrics, metricsToken: options.metrics?.token, isDescribed });
  if (options.openApi !== undefined) {
    addOpenApiRoute(app, tools, options.openApi);
    addDocsRoutes(app, tools);
  }
  for (const [name, row] of Object.entries<Operation>(options.contract)) {
    const handler = options.handlers[name] as unknown as RowHandler<P>;
    app.on(row.method, row.path, runRow(row, handler, options as unknown as HttpOptions<Contract, P>, limits));
  }
  app.use("*", async (c, next) => {
    tools.limitAddress(c);
    await next();
  });
  options.custom?.(app, tools);
  return app;
}
