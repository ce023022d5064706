import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import { getRequestListener, RequestError } from "@hono/node-server";
import type { Hono } from "hono";
import { ApiError, type ErrorCode, errorCodes } from "../../src/contract/shared/errors.ts";
import type { HttpEnv } from "./exchange.ts";
import { describeError, type HttpLog } from "./http-log.ts";
import { problemOf } from "./problem.ts";
import { securityHeaders } from "./security-headers.ts";
import { type SerializedHandler, serializeRequests } from "./serialize-requests.ts";
import { createUnreadAnswers, UNREAD_LIMIT } from "./unread-answers.ts";
import { createUnreadBodies } from "./unread-bodies.ts";
import { watchLoop } from "./watch-loop.ts";

/** Options of {@link listen}: where to listen, and how long to wait for slow clients. */
export interface ListenOptions {
  readonly host: string;
  /** 0 takes any free port. */
  readonly port: number;
  readonly log: HttpLog;
  readonly newRequestId: () => string;
  /** The address by which clients reach it, which decides on HSTS. Default: this machine's own. */
  readonly baseUrl?: string;
  /** Default 10 000 ms for the request's headers. */
  readonly headersTimeoutMs?: number;
  /** Default 15 000 ms: a reader that takes nothing of its answer for as long is cut off. */
  readonly unreadTimeoutMs?: number;
  /** How many listeners share the port, this one included; the system spreads connections. Default: only this one. */
  readonly listeners?: number;
  /** Connections beyond so many are closed at once. Default: as many as the system has room for. */
  readonly maxConnections?: number;
  /** Called before each request: with thousands of connections ready, the event loop reaches little else. */
  readonly beforeEach?: () => void;
}

/** A server that listens: its port, and the way to close it. */
export interface Listening {
  readonly port: number;
  /**
   * Takes no more connections, lets what is under way finish for at most so many milliseconds, then cuts what is left.
   * Resolves to true if everything finished. Closing twice waits for the same end.
   */
  close(drainMs: number): Promise<boolean>;
}

const clearSentences: Readonly<Record<string, string>> = {
  EADDRINUSE: "is already in use: stop what uses it, or choose another port",
  EACCES: "may not be used by this user: choose a port above 1023",
  EADDRNOTAVAIL: "does not exist on this machine: choose another host address",
  ENOTFOUND: "is not a known host name: choose another host address",
};

/** Thrown when a port cannot be listened on; the message says why and what to do, and is all that a person needs. */
export class ListenError extends Error {
  override readonly name = "ListenError";
}

/** Makes the error of a port that cannot be listened on. */
export function listenError(
  error: NodeJS.ErrnoException,
  { host, port }: Pick<ListenOptions, "host" | "port">,
): ListenError {
  const sentence = clearSentences[error.code ?? ""] ?? `cannot be listened on (${error.code ?? error.message})`;
  return new ListenError(`Port ${port} on ${host} ${sentence}.`, { cause: error });
}

const THIS_MACHINE = "http://localhost";

/** Serializes headers for an answer that no framework writes. */
function headerLines(headers: Readonly<Record<string, string | number>>): string {
  return Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join("");
}

/** Makes the problem document for a request that never reaches the app, because it is not well-formed HTTP. */
function unreadable(
  { newRequestId, baseUrl }: Pick<ListenOptions, "newRequestId" | "baseUrl">,
  code: ErrorCode,
  detail: string,
) {
  const requestId = newRequestId();
  const problem = problemOf(new ApiError(code, { detail }), requestId);
  return {
    body: JSON.stringify(problem),
    headers: {
      ...securityHeaders(baseUrl ?? THIS_MACHINE),
      ...{ "Content-Type": "application/problem+json", "Request-Id": requestId, "Cache-Control": "no-store" },
    },
  };
}

/** How long the answer to an unreadable request may take to arrive before the connection is cut. */
const LAST_WORD_MS = 1_000;

/** Sends the answer and closes; a client that keeps its own end open, and our descriptor with it, is cut off. */
function hangUp(socket: Duplex, answer: string): void {
  socket.end(answer);
  const cut = setTimeout(() => socket.destroy(), LAST_WORD_MS);
  socket.once("close", () => clearTimeout(cut));
}

/** The request of an HTTP/1.0 client may name no host; nothing depends on the name that it then gets. */
const NO_HOST = "localhost";

/** Headers that must be unique. Sent twice, a proxy may check one while we act on the other. */
const SINGLE_HEADERS: ReadonlyMap<string, string> = new Map(
  ["Host", "Authorization", "Content-Type", "Idempotency-Key"].map((name) => [name.toLowerCase(), name]),
);

/**
 * Returns why a request's headers are refused; only HTTP/1.0 may omit Host (RFC 9112 §3.2), and 100-continue is the
 * only expectation there is (RFC 9110 §10.1.1).
 */
function headerFault({ rawHeaders, httpVersion, headers: { expect } }: IncomingMessage): string | undefined {
  if (expect !== undefined && expect.toLowerCase() !== "100-continue")
    return "The Expect header asks for something else than 100-continue: leave it out.";
  const seen = new Set<string>();
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = SINGLE_HEADERS.get(rawHeaders[index]?.toLowerCase() ?? "");
    if (name === undefined) continue;
    if (seen.has(name)) return `The request has more than one ${name} header: send one.`;
    seen.add(name);
  }
  return seen.has("Host") || httpVersion === "1.0" ? undefined : "The request has no Host header.";
}

function answerClientError(
  error: NodeJS.ErrnoException,
  socket: Duplex,
  { answering, ...options }: Pick<SerializedHandler, "answering"> & Pick<ListenOptions, "newRequestId" | "baseUrl">,
): void {
  const other = answering(socket);
  // The client would read this answer as that of the previous request, or as a part of it.
  const isTaken = other !== undefined && (other.headersSent || other.req.complete);
  if (error.code === "ECONNRESET" || !socket.writable || isTaken) {
    socket.destroy();
    return;
  }
  if (error.code === "ERR_HTTP_REQUEST_TIMEOUT") {
    const bare = { ...securityHeaders(options.baseUrl ?? THIS_MACHINE), Connection: "close", "Content-Length": 0 };
    hangUp(socket, `HTTP/1.1 408 Request Timeout\r\n${headerLines(bare)}\r\n`);
    return;
  }
  const overflow = error.code === "HPE_HEADER_OVERFLOW";
  const detail = overflow ? "The request's headers are too large." : "The request is not well-formed HTTP.";
  const { body, headers } = unreadable(options, "invalid_request", detail);
  const all = { ...headers, "Content-Length": Buffer.byteLength(body), Connection: "close" };
  hangUp(socket, `HTTP/1.1 400 Bad Request\r\n${headerLines(all)}\r\n${body}`);
}

/** The interval of a check while draining: Node counts a silent connection as busy until its headers are overdue. */
const DRAIN_CHECK_MS = 100;

/** Ends busy connections with their answer, silent ones at once, and all of them when the time is up. */
function drainer(server: Server, underWay: ReadonlySet<ServerResponse>) {
  return (drainMs: number): Promise<boolean> => {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    let finished = true;
    const cut = setTimeout(() => {
      finished = underWay.size === 0;
      server.closeAllConnections();
    }, drainMs);
    const check = setInterval(() => {
      if (underWay.size === 0) server.closeAllConnections();
    }, DRAIN_CHECK_MS);
    server.close(() => {
      clearTimeout(cut);
      clearInterval(check);
      resolve(finished);
    });
    for (const response of underWay) if (!response.headersSent) response.setHeader("Connection", "close");
    server.closeIdleConnections();
    return promise;
  };
}

/** Makes the listener by which an app serves one of Node's requests; it resolves once the answer was handed over. */
function requestListener(app: Hono<HttpEnv>, options: ListenOptions) {
  const { log } = options;
  const listener = getRequestListener((request, env) => app.fetch(request, env as HttpEnv["Bindings"]), {
    hostname: NO_HOST,
    // By two timers for each body that nobody read, which hold its request and answer: see createUnreadBodies.
    autoCleanupIncoming: false,
    errorHandler: (error) => {
      // The app answers its own errors: anything else that arrives here is a bug in the machinery itself.
      if (!(error instanceof RequestError)) log.error({ error: describeError(error) }, "request failed");
      const code = error instanceof RequestError ? "invalid_request" : "internal_error";
      const { body, headers } = unreadable(options, code, "The request's address or Host header is malformed.");
      return new Response(body, { status: errorCodes[code].status, headers });
    },
  });
  return async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    const fault = headerFault(incoming);
    if (fault === undefined) return void (await listener(incoming, outgoing));
    const { body, headers } = unreadable(options, "invalid_request", fault);
    const all = { ...headers, "Content-Length": Buffer.byteLength(body), Connection: "close" };
    outgoing.writeHead(errorCodes.invalid_request.status, all).end(body);
  };
}

/**
 * Cuts a connection that idles or leaves its answer unread, but not one whose answer is still being made, and answers
 * what cannot be read. While timers run late neither is done for slowness: what was sent may not have been read.
 */
function cutSlow(server: Server, turns: SerializedHandler, options: ListenOptions): void {
  const loop = watchLoop();
  server.once("close", loop.stop);
  server.on("timeout", (socket) => {
    if (loop.isLate()) socket.setTimeout(server.timeout);
    else if (turns.answering(socket)?.writableLength !== 0) socket.destroy();
  });
  server.on("clientError", (error: NodeJS.ErrnoException, socket) => {
    // If it stays silent, it is cut as idle.
    if (error.code === "ERR_HTTP_REQUEST_TIMEOUT" && loop.isLate()) return;
    answerClientError(error, socket, { ...options, ...turns });
  });
}

/**
 * Serves an app on a port, one request of a connection at a time; rejects with {@link ListenError} if it cannot listen
 * there.
 */
export async function listen(app: Hono<HttpEnv>, options: ListenOptions): Promise<Listening> {
  const { log, headersTimeoutMs = 10_000 } = options;
  const underWay = new Set<ServerResponse>();
  const unread = createUnreadAnswers(UNREAD_LIMIT / (options.listeners ?? 1));
  const bodies = createUnreadBodies();
  let closing: Promise<boolean> | undefined;
  const listener = requestListener(app, options);
  const turns = serializeRequests((incoming, outgoing) => {
    options.beforeEach?.();
    underWay.add(outgoing);
    outgoing.once("close", () => underWay.delete(outgoing));
    outgoing.once("close", () => bodies.add(incoming));
    if (closing !== undefined) outgoing.setHeader("Connection", "close");
    void listener(incoming, outgoing).then(() => unread.add(outgoing));
  });
  const server = createServer(
    {
      headersTimeout: headersTimeoutMs,
      requestTimeout: 30_000,
      // Longer than the usual load balancer keeps its idle connections.
      keepAliveTimeout: 65_000,
      connectionsCheckingInterval: 2_000,
      // Node's own refusal of a missing Host has no body.
      requireHostHeader: false,
    },
    turns.serve,
  );
  // Node's own refusal of an unknown expectation has no body either.
  server.on("checkExpectation", turns.serve);
  if (options.maxConnections !== undefined) server.maxConnections = options.maxConnections;
  server.setTimeout(options.unreadTimeoutMs ?? 15_000);
  cutSlow(server, turns, options);
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => reject(listenError(error, options)));
    const { port, host, listeners } = options;
    server.listen({ port, host, reusePort: listeners !== undefined }, resolve);
  });
  server.on("error", (error) => log.error({ error: describeError(error) }, "server error"));
  const drain = drainer(server, underWay);
  return {
    port: (server.address() as AddressInfo).port,
    close: (drainMs) => {
      closing ??= drain(drainMs);
      return closing;
    },
  };
}
