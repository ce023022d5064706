import type { Hono } from "hono";
import type { HttpEnv } from "./exchange.ts";
import type { HttpTools } from "./http-options.ts";
import { answerDocument, publicDocument } from "./public-document.ts";

/** Serves an OpenAPI document, written once. */
export function addOpenApiRoute(app: Hono<HttpEnv>, tools: HttpTools, document: object): void {
  const written = publicDocument(JSON.stringify(document), "application/json");
  app.get("/openapi.json", (c) => answerDocument(c, tools, written));
}
