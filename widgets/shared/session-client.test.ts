import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { isPaySession } from "../pay-qr/is-pay-session.ts";
import { readSession, requestSession, SessionError, startedSession } from "./session-client.ts";

const SESSION = {
  kind: "pay",
  state: "unpaid",
  payee: "Café",
  amount: 25_000,
  currency: "COP",
  reference: "K7M39QXT2V4FW",
  check_code: "7K3M",
  payload: "000201",
  app_link: "https://pay.example/p#000201",
  expires_at: "2026-01-01T00:15:00.000Z",
  expires_in: 900,
  rejected_attempts: 0,
};

const ENDED = AbortSignal.abort();

interface Reply {
  readonly status: number;
  readonly headers?: Record<string, string>;
  readonly body?: string;
}

let server: Server;
let origin: string;
let reply: Reply | "drop";
let requests: IncomingMessage[];

beforeEach(async () => {
  requests = [];
  server = createServer((request, response) => {
    requests.push(request);
    if (reply === "drop") response.destroy();
    else response.writeHead(reply.status, reply.headers).end(reply.body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterEach(() => {
  vi.unstubAllGlobals();
  server.closeAllConnections();
  server.close();
});

function ask(etag?: string) {
  return readSession({ broker: origin, token: "ws_1", etag, signal: new AbortController().signal }, isPaySession);
}

async function failureOf(answer: Promise<unknown>): Promise<SessionError> {
  const error = await answer.then(
    () => undefined,
    (failure: unknown) => failure,
  );
  expect(error).toBeInstanceOf(SessionError);
  return error as SessionError;
}

test("asks with the session's token and gives what the broker says", async () => {
  reply = { status: 200, headers: { etag: '"a"', "retry-after": "3" }, body: JSON.stringify(SESSION) };
  expect(await ask()).toEqual({ changed: true, session: SESSION, etag: '"a"', retryAfterMs: 3000 });
  expect(requests[0]?.url).toBe("/v1/session");
  expect(requests[0]?.headers.authorization).toBe("Bearer ws_1");
  expect(requests[0]?.headers["if-none-match"]).toBeUndefined();
});

test.each([
  ["with AbortSignal.any", AbortSignal.any],
  ["without it, as in Safari before 17.4", undefined],
])("a request has a time limit, %s", async (_how, joined) => {
  vi.stubGlobal("AbortSignal", { timeout: () => ENDED, ["any"]: joined?.bind(AbortSignal) });
  reply = { status: 200, body: JSON.stringify(SESSION) };
  expect(await failureOf(ask())).toMatchObject({ code: "no_answer", transient: true });
});

test("an unchanged session is a 304 for the ETag that was sent", async () => {
  reply = { status: 304 };
  expect(await ask('"a"')).toEqual({ changed: false, retryAfterMs: 0 });
  expect(requests[0]?.headers["if-none-match"]).toBe('"a"');
});

test.each<[string, Reply | "drop", { code: string; transient: boolean; retryAfterMs?: number }]>([
  ["a cut connection", "drop", { code: "no_answer", transient: true }],
  ["a problem with a code", problem(503, "unavailable"), { code: "unavailable", transient: true }],
  ["a proxy's page", { status: 502, body: "<p>Sorry</p>" }, { code: "unavailable", transient: true }],
  ["an ended session", problem(401, "unauthorized"), { code: "unauthorized", transient: false }],
  ["a 401 without a document", { status: 401 }, { code: "unauthorized", transient: false }],
  ["an operation that is not there", problem(501, "not_implemented"), { code: "not_implemented", transient: false }],
  ["a refusal without a document", { status: 404 }, { code: "not_understood", transient: false }],
  ["a page in place of JSON", { status: 200, body: "<p>Hi</p>" }, { code: "not_understood", transient: false }],
  ["another object", { status: 200, body: "{}" }, { code: "not_understood", transient: false }],
  ["null", { status: 200, body: "null" }, { code: "not_understood", transient: false }],
  [
    "a limit",
    problem(429, "too_many_requests", { "retry-after": "7" }),
    { code: "too_many_requests", transient: true, retryAfterMs: 7000 },
  ],
  [
    "a wait of a day, which is cut to a minute",
    problem(503, "unavailable", { "retry-after": "86400" }),
    { code: "unavailable", transient: true, retryAfterMs: 60_000 },
  ],
])("%s is told apart", async (_what, given, expected) => {
  reply = given;
  expect(await failureOf(ask())).toMatchObject(expected);
});

test.each(Object.keys(SESSION).filter((name) => !["kind", "expires_at", "amount"].includes(name)))(
  "a session without %s is not shown",
  async (name) => {
    reply = { status: 200, body: JSON.stringify({ ...SESSION, [name]: undefined }) };
    expect((await failureOf(ask())).code).toBe("not_understood");
  },
);

test("a session may leave the amount to the payer", async () => {
  reply = { status: 200, body: JSON.stringify({ ...SESSION, amount: undefined }) };
  expect(await ask()).toMatchObject({ changed: true });
});

test("the merchant's endpoint is asked by POST, and its session is taken", async () => {
  reply = { status: 201, body: JSON.stringify({ session: "ws_2", broker: "https://pay.example", order: 7 }) };
  const started = await requestSession(`${origin}/session?order=1`, origin);
  expect(started).toEqual({ token: "ws_2", broker: "https://pay.example" });
  expect(requests[0]?.method).toBe("POST");
});

test("what is no session is refused", () => {
  for (const answer of [undefined, null, "ws_1", {}, { session: 7 }, { session: "" }]) {
    expect(() => startedSession(answer, origin)).toThrow(SessionError);
  }
});

function problem(status: number, code: string, headers: Record<string, string> = {}): Reply {
  const body = JSON.stringify({ type: "about:blank", title: code, status, code, request_id: "r" });
  return { status, headers: { "content-type": "application/problem+json", ...headers }, body };
}
