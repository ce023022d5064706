import { timingSafeEqual } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import type { Hono } from "hono";
import { ApiError } from "../../src/contract/shared/errors.ts";
import type { HttpContext, HttpEnv } from "./exchange.ts";
import type { HttpMetrics } from "./http-metrics.ts";
import type { HttpTools } from "./http-options.ts";
import { notFoundError } from "./problem.ts";

const READY_TIMEOUT_MS = 2_000;
const JSON_HEADERS = { "Content-Type": "application/json" };

/** Options of the health routes. */
export interface HealthOptions {
  readonly ready: (() => Promise<boolean>) | undefined;
  readonly missing: (() => Promise<readonly string[]>) | undefined;
  readonly metrics: HttpMetrics | undefined;
  /** The bearer token that reads the metrics; without one there are none: behind a proxy an address proves nothing. */
  readonly metricsToken: string | undefined;
  /** True if the app has an OpenAPI document: a caller without the token gets the same 404 as for an unknown path. */
  readonly isDescribed: boolean;
}

async function isReady(ready: () => Promise<boolean>, tools: HttpTools): Promise<boolean> {
  const timeout = new AbortController();
  try {
    const late = delay(READY_TIMEOUT_MS, false, { signal: timeout.signal });
    return await Promise.race([ready(), late]);
  } catch (error) {
    tools.log.warn({ reason: error instanceof Error ? error.message : "unknown" }, "not ready");
    return false;
  } finally {
    timeout.abort();
  }
}

function holdsToken(c: HttpContext, token: string): boolean {
  const sent = Buffer.from(c.req.header("authorization") ?? "");
  const wanted = Buffer.from(`Bearer ${token}`);
  return sent.length === wanted.length && timingSafeEqual(sent, wanted);
}

/** Adds `/health/live`, `/health/ready` and, where there is a token for it, `/metrics`: 404 without that token. */
export function addHealthRoutes(app: Hono<HttpEnv>, tools: HttpTools, options: HealthOptions): void {
  const { ready, missing, metrics, metricsToken, isDescribed } = options;
  app.get("/health/live", (c) => tools.respond(c, 200, '{"status":"live"}', JSON_HEADERS));
  app.get("/health/ready", async (c) => {
    if (ready !== undefined && !(await isReady(ready, tools))) throw new ApiError("unavailable", { retryAfter: 1 });
    const told = missing === undefined ? {} : { missing: await missing() };
    return tools.respond(c, 200, JSON.stringify({ status: "ready", ...told }), JSON_HEADERS);
  });
  if (metrics === undefined || metricsToken === undefined) return;
  app.get("/metrics", async (c) => {
    if (!holdsToken(c, metricsToken)) throw notFoundError(isDescribed);
    const { text, contentType } = await metrics.expose();
    return tools.respond(c, 200, text, { "Content-Type": contentType });
  });
}
