import { once } from "node:events";
import { connect } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { pino } from "pino";
import { afterEach, describe, expect, it } from "vitest";
import { sampleApp } from "../../test/support/sample-http-app.ts";
import { type Listening, listen } from "./listen.ts";

const open: Listening[] = [];

type Changes = NonNullable<Parameters<typeof sampleApp>[0]>;

async function start(changes: Changes = {}, unreadTimeoutMs?: number) {
  const where = { host: "127.0.0.1", port: 0, log: pino({ level: "silent" }), newRequestId: () => "from-listen" };
  const server = await listen(sampleApp(changes).app, {
    ...where,
    ...(unreadTimeoutMs === undefined ? {} : { unreadTimeoutMs }),
  });
  open.push(server);
  return { server };
}

afterEach(async () => {
  await Promise.all(open.splice(0).map((server) => server.close(1_000)));
});

/** Everything that a raw connection gets until the server ends it. */
async function raw(port: number, text: string): Promise<string> {
  const socket = connect(port, "127.0.0.1");
  let answer = "";
  socket.on("data", (chunk) => {
    answer += chunk;
  });
  socket.write(text);
  await once(socket, "close");
  return answer;
}

describe("what is hardly HTTP", () => {
  const cases: readonly (readonly [string, string])[] = [
    ["no HTTP at all", "hello\r\n\r\n"],
    ["an unknown method", "BREW /open HTTP/1.1\r\nHost: x\r\n\r\n"],
    ["no Host", "GET /open HTTP/1.1\r\nConnection: close\r\n\r\n"],
    ["a broken Host", "GET /open HTTP/1.1\r\nHost: a b\r\nConnection: close\r\n\r\n"],
    ["headers without end", `GET /open HTTP/1.1\r\nHost: x\r\nX: ${"x".repeat(20_000)}\r\n\r\n`],
    ["two Hosts", "GET /open HTTP/1.1\r\nHost: x\r\nHost: x\r\nConnection: close\r\n\r\n"],
    ["two Hosts of HTTP/1.0", "GET /open HTTP/1.0\r\nHost: x\r\nhost: y\r\n\r\n"],
    ["two lengths", "POST /open HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n"],
  ];
  for (const [what, text] of cases) {
    it(`${what} gets a 400`, async () => {
      const { server } = await start();
      expect(await raw(server.port, text)).toMatch(/^HTTP\/1\.1 400 /);
    });
  }

  it.each([
    ["hello\r\n\r\n", "The request is not well-formed HTTP."],
    ["GET /open HTTP/1.1\r\n\r\n", "The request has no Host header."],
    ["GET /open HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n", "The request has more than one Host header: send one."],
    [
      "GET /open HTTP/1.1\r\nHost: x\r\nExpect: 200-ok\r\n\r\n",
      "The Expect header asks for something else than 100-continue: leave it out.",
    ],
    ...["Authorization", "Content-Type", "Idempotency-Key"].map((name) => [
      `GET /open HTTP/1.1\r\nHost: x\r\n${name}: k\r\n${name.toLowerCase()}: k\r\n\r\n`,
      `The request has more than one ${name} header: send one.`,
    ]),
  ])("%j is told so in a problem document", async (request, detail) => {
    const { server } = await start();
    const answer = await raw(server.port, request);
    expect(JSON.parse(answer.slice(answer.indexOf("\r\n\r\n")))).toMatchObject({
      ...{ status: 400, code: "invalid_request", request_id: "from-listen", detail },
    });
  });
});

describe("HTTP/1.0", () => {
  it.each(["", "Host:\r\n", "Host: localhost\r\n"])("is served with %j for a host", async (host) => {
    const { server } = await start();
    expect(await raw(server.port, `GET /open HTTP/1.0\r\n${host}\r\n`)).toMatch(/^HTTP\/1\.1 200 /);
  });
});

it("nonsense behind a request is not answered in its place", async () => {
  const { promise: finish, resolve: release } = Promise.withResolvers<void>();
  const { server } = await start({
    custom: (app) => void app.get("/slow", (c) => finish.then(() => c.text("done"))),
  });
  expect(await raw(server.port, "GET /slow HTTP/1.1\r\nHost: x\r\n\r\nnonsense\r\n\r\n")).toBe("");
  release();
});

it("a reader that takes nothing of its answer is cut off, and one that takes a little at a time is not", async () => {
  const bytes = 24 * 1024 * 1024;
  const large = { custom: (app) => void app.get("/large", (c) => c.body("x".repeat(bytes))) } satisfies Changes;
  // Far longer than a busy machine keeps this process from its turn; the slow reader takes more than twice as long.
  const unreadTimeoutMs = 1_500;
  const { server } = await start(large, unreadTimeoutMs);
  const [deaf, slow] = [connect(server.port, "127.0.0.1").pause(), connect(server.port, "127.0.0.1")];
  let taken = 0;
  slow.on("data", (chunk) => {
    taken += chunk.length;
    slow.pause();
    setTimeout(() => slow.resume(), 10);
  });
  for (const socket of [deaf, slow]) socket.write("GET /large HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
  await Promise.all([once(slow, "close"), delay(2 * unreadTimeoutMs)]);
  expect(taken).toBeGreaterThan(bytes);
  let left = 0;
  deaf.on("data", (chunk) => {
    left += chunk.length;
  });
  deaf.on("error", () => undefined);
  await once(deaf.resume(), "close");
  expect(left).toBeLessThan(bytes);
});
