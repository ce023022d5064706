import { createHash } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { StubTill, type TillAnswer, type TillChange } from "./stub-till.ts";

/** How a stubbed payment behaves from now on; absent fields stay as they are. */
interface StubChange {
  /**
   * Fields of the session's answer; `expires_in` counts down from the moment of the change. A new session that names
   * another `kind` than `pay` has these fields alone.
   */
  readonly answer?: Readonly<Record<string, unknown>>;
  /** Every poll is refused with this status and code; `null` ends that. `drop` cuts the connection. */
  readonly refuse?: { readonly status: number; readonly code?: string; readonly retryAfter?: number } | "drop" | null;
  readonly delayMs?: number;
  /** Seconds that every answer asks to wait before the next poll. */
  readonly retryAfter?: number;
  /** Sends "look again" to the streams that are open, cuts them, or refuses new ones. */
  readonly stream?: "hint" | "cut" | "refuse";
  /** All sessions so far are refused with 401; the merchant's endpoint makes new ones. */
  readonly end?: true;
  /** The merchant's endpoint refuses to make a session with this; `null` ends that. */
  readonly refuseSessions?: { readonly status: number; readonly code?: string } | null;
  /** The outcome of look-ups and sales of a recharge session. */
  readonly till?: TillChange;
}

interface StubPayment {
  answer: Record<string, unknown>;
  deadline: number;
  refuse: StubChange["refuse"];
  delayMs: number;
  looks: { at: number; status: number; conditional: boolean }[];
  inFlight: number;
  mostInFlight: number;
  sessionsAsked: number;
  refuseSessions: StubChange["refuseSessions"];
  /** How often its sessions were ended. */
  endings: number;
  retryAfter: number | undefined;
  refusesStreams: boolean;
  streamsAsked: number;
  readonly streams: Set<ServerResponse>;
  readonly till: StubTill;
}

/** A file or page that the stub serves besides. */
export interface StubFile {
  readonly type: string;
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * An HTTP server that speaks the broker's `GET /v1/session` and a merchant's session endpoint, and does what a test
 * tells it under `/stub/PAYMENT`: what a broker cannot be brought to do at will (late, refused and dropped answers).
 */
export class StubBroker {
  readonly #payments = new Map<string, StubPayment>();
  readonly #files: Readonly<Record<string, () => Promise<StubFile>>>;
  readonly #server: Server = createServer((request, response) => void this.#serve(request, response));

  constructor(files: Readonly<Record<string, () => Promise<StubFile>>> = {}) {
    this.#files = files;
  }

  /** Starts on a free port and gives the origin. */
  async listen(): Promise<string> {
    this.#server.listen(0, "127.0.0.1");
    await once(this.#server, "listening");
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Ends, open connections included. */
  async close(): Promise<void> {
    this.#server.close();
    this.#server.closeAllConnections();
    await once(this.#server, "close");
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    allowCrossOrigin(request, response);
    const { pathname } = new URL(request.url ?? "/", "http://stub");
    if (request.method === "OPTIONS") return void response.writeHead(204).end();
    const file = this.#files[pathname];
    if (file !== undefined) return sendFile(response, await file());
    const [, room, name = ""] = pathname.split("/");
    if (room === "stub") return this.#obey(name, request, response);
    if (room === "shop") return this.#startSession(name, response);
    if (pathname === "/v1/session") return this.#look(request, response);
    if (pathname === "/v1/session/stream") return this.#openStream(request, response);
    if (pathname === "/v1/look-ups" || pathname === "/v1/recharges") return this.#work(pathname, request, response);
    sendProblem(response, 404, "not_found");
  }

  async #obey(name: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.method === "GET") {
      const { streams, till, looks, mostInFlight, sessionsAsked, streamsAsked } = this.#payment(name);
      const seen = { looks, mostInFlight, sessionsAsked, streamsAsked, streamsOpen: streams.size, ...till.seen };
      return sendJson(response, 200, seen);
    }
    const change = JSON.parse(await bodyOf(request)) as StubChange;
    const payment = this.#payments.get(name) ?? newPayment(change.answer?.kind);
    this.#payments.set(name, payment);
    Object.assign(payment.answer, change.answer);
    if (change.answer?.expires_in !== undefined) {
      payment.deadline = performance.now() + Number(change.answer.expires_in) * 1000;
    }
    if (change.refuse !== undefined) payment.refuse = change.refuse;
    if (change.delayMs !== undefined) payment.delayMs = change.delayMs;
    if (change.retryAfter !== undefined) payment.retryAfter = change.retryAfter;
    if (change.end) payment.endings++;
    if (change.refuseSessions !== undefined) payment.refuseSessions = change.refuseSessions;
    if (change.till) payment.till.becomes(change.till);
    if (change.stream === "refuse") payment.refusesStreams = true;
    for (const stream of payment.streams) {
      if (change.stream === "hint") stream.write("data: look again\n\n");
      if (change.stream === "cut") stream.destroy();
    }
    sendJson(response, 200, {});
  }

  /** The merchant's own endpoint: each call is one more session of the same payment. */
  #startSession(name: string, response: ServerResponse): void {
    const payment = this.#payments.get(name);
    if (payment !== undefined) payment.sessionsAsked++;
    const refusal = payment === undefined ? { status: 404, code: "not_found" } : payment.refuseSessions;
    if (refusal) sendProblem(response, refusal.status, refusal.code);
    else if (payment !== undefined) sendJson(response, 201, { session: `ws_${name}${endingOf(payment)}` });
  }

  async #openStream(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const payment = this.#paymentOf(request);
    if (payment === undefined) return sendProblem(response, 401, "unauthorized");
    payment.streamsAsked++;
    if (payment.refusesStreams) return sendProblem(response, 503, "unavailable", 30);
    payment.streams.add(response);
    response.once("close", () => payment.streams.delete(response));
    response.writeHead(200, { "Content-Type": "text/event-stream" }).write(":\n\n");
  }

  #paymentOf({ headers }: IncomingMessage): StubPayment | undefined {
    const [name = "", ending = ""] = headers.authorization?.replace(/^Bearer ws_/, "").split("~") ?? [];
    const payment = this.#payments.get(name);
    return payment && endingOf(payment) === (ending && `~${ending}`) ? payment : undefined;
  }

  async #look(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const payment = this.#paymentOf(request);
    if (payment === undefined) return sendProblem(response, 401, "unauthorized");
    payment.inFlight++;
    payment.mostInFlight = Math.max(payment.mostInFlight, payment.inFlight);
    response.once("close", () => payment.inFlight--);
    const answer = answerOf(payment);
    const { refuse } = payment;
    await sleep(payment.delayMs);
    const etag = `"${createHash("sha256")
      .update(JSON.stringify({ ...answer, expires_in: 0 }))
      .digest("hex")}"`;
    const conditional = request.headers["if-none-match"] !== undefined;
    const unchanged = request.headers["if-none-match"] === etag;
    const status = refuse === "drop" ? 0 : (refuse?.status ?? (unchanged ? 304 : 200));
    payment.looks.push({ at: performance.now(), status, conditional });
    if (refuse === "drop") return void response.destroy();
    if (refuse) return sendProblem(response, refuse.status, refuse.code, refuse.retryAfter);
    response.setHeader("ETag", etag);
    if (payment.retryAfter !== undefined) response.setHeader("Retry-After", String(payment.retryAfter));
    if (unchanged) return void response.writeHead(304).end();
    sendJson(response, 200, answer);
  }

  /** Answers the till's other calls: look-ups, sales and their list. */
  async #work(path: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const till = this.#paymentOf(request)?.till;
    if (till === undefined) return sendProblem(response, 401, "unauthorized");
    const body = await bodyOf(request);
    const key = String(request.headers["idempotency-key"]);
    const answer: TillAnswer =
      path === "/v1/look-ups" ? till.lookUp(body) : request.method === "POST" ? till.sell(key, body) : till.list();
    await sleep(till.delayMs);
    if (answer === "drop") response.destroy();
    else if ("code" in answer) sendProblem(response, answer.status, answer.code, answer.retryAfter);
    else sendJson(response, answer.status, answer.body);
  }

  #payment(name: string): StubPayment {
    const payment = this.#payments.get(name);
    if (payment === undefined) throw new Error(`no stubbed payment "${name}"`);
    return payment;
  }
}

const PAYLOAD =
  "00020101021226400005co.qp0122AZMfK3mQdGeLu8zwMCmYBA0206svq1lc0302k152040000530317054052500058" +
  "02CO5919Cafe La Candelaria6006Bogota62240513K7M39QXT2V4FW0703POS80990005co.qp0186" +
  `${"Zk3xw9".repeat(14)}Qw6304A13B`;

const PAY_ANSWER = Object.freeze({
  kind: "pay",
  state: "unpaid",
  payee: "Café La Candelaria",
  amount: 25000,
  currency: "COP",
  reference: "K7M39QXT2V4FW",
  check_code: "7K3M",
  payload: PAYLOAD,
  app_link: `https://pay.example/p#${PAYLOAD}`,
  rejected_attempts: 0,
});

function newPayment(kind: unknown = "pay"): StubPayment {
  return {
    answer: kind === "pay" ? { ...PAY_ANSWER } : {},
    deadline: performance.now() + 900_000,
    refuse: null,
    delayMs: 0,
    looks: [],
    inFlight: 0,
    mostInFlight: 0,
    sessionsAsked: 0,
    refuseSessions: null,
    endings: 0,
    retryAfter: undefined,
    refusesStreams: false,
    streamsAsked: 0,
    streams: new Set(),
    till: new StubTill(),
  };
}

/** Returns the suffix that tells the sessions after an ending from those before it. */
function endingOf({ endings }: StubPayment): string {
  return endings === 0 ? "" : `~${endings}`;
}

function answerOf({ answer, deadline, till }: StubPayment): Record<string, unknown> {
  const left = Math.max(0, deadline - performance.now());
  const expiresAt = new Date(performance.timeOrigin + performance.now() + left)
    .toISOString()
    .replace(/\.\d+Z/, ".000Z");
  const state = answer.state === "unpaid" && left === 0 ? "expired" : answer.state;
  const sold = answer.kind === "recharge" ? { sold_today: till.soldToday } : {};
  return { ...answer, ...sold, state, expires_at: answer.expires_at ?? expiresAt, expires_in: Math.ceil(left / 1000) };
}

function allowCrossOrigin(request: IncomingMessage, response: ServerResponse): void {
  const { origin } = request.headers;
  if (origin === undefined) return;
  response.setHeader("Access-Control-Allow-Origin", origin);
  response.setHeader("Vary", "Origin");
  response.setHeader("Access-Control-Allow-Methods", "GET, POST, PUT");
  response.setHeader("Access-Control-Allow-Headers", "authorization, if-none-match, content-type, idempotency-key");
  response.setHeader("Access-Control-Expose-Headers", "ETag, Link, Retry-After, Request-Id");
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}

function sendFile(response: ServerResponse, { type, body, headers }: StubFile): void {
  response.writeHead(200, { "Content-Type": type, "Cache-Control": "no-store", ...headers }).end(body);
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify(body));
}

/** Sends a problem document or, without a code, the page of a proxy in between. */
function sendProblem(response: ServerResponse, status: number, code?: string, retryAfter?: number): void {
  if (retryAfter !== undefined) response.setHeader("Retry-After", String(retryAfter));
  if (code === undefined) return void response.writeHead(status, { "Content-Type": "text/html" }).end("<p>Sorry</p>");
  response.writeHead(status, { "Content-Type": "application/problem+json" });
  response.end(JSON.stringify({ type: "about:blank", title: code, status, code, request_id: "stub" }));
}
