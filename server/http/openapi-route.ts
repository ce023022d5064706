import type { Hono } from "hono";
import { entityTag, matchesTag } from "./answer-call.ts";
import type { HttpEnv } from "./exchange.ts";
import type { HttpTools } from "./http-options.ts";

/** Serves an OpenAPI document, written once; caches may keep it for five minutes and then ask with its tag. */
export function addOpenApiRoute(app: Hono<HttpEnv>, tools: HttpTools, document: object): void {
  const text = JSON.stringify(document);
  const tag = entityTag(text);
  const caching = { "Cache-Control": "public, max-age=300", ETag: tag };
  app.get("/openapi.json", (c) => {
    if (matchesTag(c.req.raw.headers.get("if-none-match"), tag)) return tools.respond(c, 304, null, caching);
    return tools.respond(c, 200, text, { "Content-Type": "application/json", ...caching });
  });
}
