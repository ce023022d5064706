import type { Hono } from "hono";
import { ApiError } from "../../../src/contract/errors.ts";
import type { HttpEnv } from "../../http/exchange.ts";
import type { HttpTools } from "../../http/http-options.ts";
import { streamPolicy } from "../policy.ts";
import type { Authenticate } from "../principals/authenticate.ts";
import { principalLabel } from "../principals/principal.ts";
import type { HintStreams, StreamRequest } from "./hint-streams.ts";

/** `X-Accel-Buffering` asks proxies to pass on each line as it comes. */
const STREAM_HEADERS = Object.freeze({ "Content-Type": "text/event-stream", "X-Accel-Buffering": "no" });

/**
 * Adds the streams of hints: plain routes and no rows of the contract, because what they answer is no JSON document.
 * Who may open one stands in the policy all the same, and nothing about a payment goes through them.
 */
export function addStreamRoutes(
  app: Hono<HttpEnv>,
  tools: HttpTools,
  { streams, authenticate, clock }: { streams: HintStreams; authenticate: Authenticate; clock: () => Date },
): void {
  for (const [path, kind] of Object.entries(streamPolicy)) {
    app.get(path, async (c) => {
      const principal = await authenticate("widget", c.req.raw);
      if (principal.kind !== kind) throw new ApiError("not_found");
      const owner = principalLabel(principal);
      tools.label(c, owner);
      if (c.req.raw.method === "HEAD") return tools.respond(c, 200, null, STREAM_HEADERS);
      const sessionMs = principal.shownUntil.getTime() - clock().getTime();
      const request: StreamRequest = { topic: `code:${principal.reference}`, owner, sessionMs };
      const { body, ended } = streams.open(request);
      tools.reportAfter(c, ended);
      return tools.respond(c, 200, body, STREAM_HEADERS);
    });
  }
}
