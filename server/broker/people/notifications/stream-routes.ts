import type { Hono } from "hono";
import { ApiError } from "../../../../src/contract/shared/errors.ts";
import { addressKey } from "../../../http/client-address.ts";
import type { HttpEnv } from "../../../http/exchange.ts";
import type { HttpTools } from "../../../http/http-options.ts";
import type { Authenticate } from "../../access/authenticate.ts";
import { streamPolicy } from "../../access/policy/policy.ts";
import { type Principal, type PrincipalKind, principalLabel } from "../../access/principal.ts";
import type { ChangeStreams, StreamRequest } from "./change-streams.ts";

/** `X-Accel-Buffering` asks proxies to pass on each line as it comes. */
const STREAM_HEADERS = Object.freeze({ "Content-Type": "text/event-stream", "X-Accel-Buffering": "no" });

/** Determines a stream's topic and the rest of its session's life; throws `not_found` for another kind of principal. */
function streamOf(principal: Principal, kind: PrincipalKind, now: Date): Omit<StreamRequest, "owner" | "address"> {
  if (principal.kind === kind && principal.kind === "paySession") {
    const { reference, merchantId, shownUntil } = principal;
    return { topic: `code:${reference}`, merchantId, sessionMs: shownUntil.getTime() - now.getTime() };
  }
  // A person's session may end at any time: the stream's own age, after which it is asked for anew, bounds it.
  if (principal.kind === kind && principal.kind === "person") {
    const { userId } = principal;
    const topics = { topic: `user:${userId}`, endTopic: `ended:${userId}` } as const;
    return { ...topics, merchantId: undefined, sessionMs: Number.POSITIVE_INFINITY };
  }
  throw new ApiError("not_found");
}

/**
 * Adds the routes of the event streams: plain routes and no rows of the contract, because their answer is no JSON
 * document. The policy still says which principals may open one, and nothing about a payment goes through them.
 */
export function addStreamRoutes(
  app: Hono<HttpEnv>,
  tools: HttpTools,
  { streams, authenticate, clock }: { streams: ChangeStreams; authenticate: Authenticate; clock: () => Date },
): void {
  for (const [path, kind] of Object.entries(streamPolicy)) {
    app.get(path, async (c) => {
      const principal = await authenticate(kind === "person" ? "person" : "widget", c.req.raw);
      const who = { owner: principalLabel(principal), address: addressKey(tools.address(c)) };
      const request = { ...streamOf(principal, kind, clock()), ...who };
      tools.label(c, request.owner);
      if (c.req.raw.method === "HEAD") return tools.respond(c, 200, null, STREAM_HEADERS);
      const { body, ended } = streams.open(request);
      tools.reportAfter(c, ended);
      return tools.respond(c, 200, body, STREAM_HEADERS);
    });
  }
}
