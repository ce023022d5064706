import type { Contract } from "../../src/contract/shared/operation.ts";
import { addressKey, isDirectLoopback } from "./client-address.ts";
import { isGone, respond } from "./exchange.ts";
import type { HttpOptions, HttpTools } from "./http-options.ts";
import { readLimitedBody } from "./read-limited-body.ts";
import { limit, type RequestLimits } from "./run-row.ts";
import { shareBody } from "./unread-answers.ts";

/** Makes the tools that an app gives to its plain routes, from its options and limits. */
export function createTools<C extends Contract, P>(options: HttpOptions<C, P>, limits: RequestLimits): HttpTools {
  const { assumedPeer, log } = options;
  return {
    readBody: (c, limit) => readLimitedBody(c.req.raw, c.env?.incoming, limit),
    respond: (c, status, body, headers = {}) => respond(c.get("exchange"), status, body, headers),
    respondShared: (c, status, body, headers = {}) => {
      shareBody(c.env?.outgoing);
      return respond(c.get("exchange"), status, body, headers);
    },
    shapeErrors: (c, shape) => {
      c.get("exchange").errorShape = shape;
    },
    label: (c, principal) => {
      c.get("exchange").principal = principal;
    },
    reportAfter: (c, ended) => {
      c.get("exchange").ended = ended;
    },
    requestId: (c) => c.get("exchange").requestId,
    address: (c) => c.get("exchange").address,
    limitAddress: (c) => {
      const exchange = c.get("exchange");
      limit(limits.address, addressKey(exchange.address), exchange);
    },
    isGone,
    isDirectLoopback: (c) => {
      const { socket, httpVersion = "1.1" } = c.env?.incoming ?? {};
      const peer = socket?.remoteAddress ?? assumedPeer?.address ?? "unknown";
      const port = socket?.localPort ?? assumedPeer?.port ?? 0;
      return isDirectLoopback({ peer, headers: c.req.raw.headers, port, httpVersion });
    },
    log,
  };
}
