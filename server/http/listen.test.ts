import { once } from "node:events";
import { request as httpRequest } from "node:http";
import { connect } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { pino } from "pino";
import { Registry } from "prom-client";
import { afterEach, describe, expect, it } from "vitest";
import type { Problem } from "../../src/contract/shared/errors.ts";
import { AN_ID, asA, post, sampleApp } from "../../test/support/sample-http-app.ts";
import { parseTrustedProxies } from "./client-address.ts";
import { type Listening, listen } from "./listen.ts";

const log = pino({ level: "silent" });
const open: Listening[] = [];

type Limits = Partial<Pick<Parameters<typeof listen>[1], "port" | "maxConnections">>;

async function start(changes: Parameters<typeof sampleApp>[0] = {}, { port = 0, ...limits }: Limits = {}) {
  const { app } = sampleApp(changes);
  const server = await listen(app, {
    host: "127.0.0.1",
    port,
    log,
    newRequestId: () => "from-listen",
    headersTimeoutMs: 1_500,
    ...limits,
  });
  open.push(server);
  return { server, url: `http://127.0.0.1:${server.port}` };
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
  // One that is cut while it writes is closed as well.
  socket.on("error", () => undefined);
  socket.write(text);
  await new Promise((resolve) => socket.once("close", resolve));
  return answer;
}

describe("bodies over a socket", () => {
  const big = Buffer.alloc(300 * 1024, "x");

  async function upload(port: number, headers: Record<string, string>, chunks: readonly Buffer[]) {
    const request = httpRequest({ port, method: "POST", path: "/create-thing", headers: { ...asA, ...headers } });
    for (const chunk of chunks) request.write(chunk);
    request.end();
    const [response] = await once(request, "response");
    let text = "";
    for await (const chunk of response) text += chunk;
    return { status: response.statusCode as number, problem: JSON.parse(text) as Problem };
  }

  it("300 KB are refused with 413, declared or chunked, and the server lives on", async () => {
    const { server, url } = await start();
    const json = { "content-type": "application/json" };
    const declared = await upload(server.port, { ...json, "content-length": String(big.length) }, [big]);
    const chunked = await upload(server.port, { ...json, "transfer-encoding": "chunked" }, [big]);
    for (const { status, problem } of [declared, chunked]) {
      expect([status, problem.code, problem.detail]).toEqual([413, "payload_too_large", "The body is over 256 KiB."]);
    }
    expect((await fetch(`${url}/open`)).status).toBe(200);
  });

  it("chunked ones below the limit are read whole, split anywhere", async () => {
    const { server } = await start();
    const text = Buffer.from(JSON.stringify({ name: "café", amount: 5 }));
    const pieces = [...text].map((byte) => Buffer.from([byte]));
    const headers = { "content-type": "application/json", "transfer-encoding": "chunked" };
    const { status, problem } = await upload(server.port, headers, pieces);
    expect([status, (problem as unknown as { name: string }).name]).toEqual([201, "café"]);
  });

  it("an endless upload is cut off", async () => {
    const { server, url } = await start();
    const socket = connect(server.port, "127.0.0.1");
    let answer = "";
    socket.on("data", (chunk) => {
      answer += chunk;
    });
    // A write may meet the end of the connection first.
    socket.on("error", () => undefined);
    const closed = new Promise((resolve) => socket.on("close", resolve));
    socket.write("POST /create-thing HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer good-a\r\n");
    socket.write("Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n");
    const timer = setInterval(() => socket.write(`8000\r\n${"x".repeat(0x8000)}\r\n`), 5);
    await closed;
    clearInterval(timer);
    expect(answer).toMatch(/^HTTP\/1\.1 413 /);
    expect((await fetch(`${url}/open`)).status).toBe(200);
  });

  it("after one that was refused in the middle its connection goes on", async () => {
    const { server } = await start();
    const socket = connect(server.port, "127.0.0.1");
    let answer = "";
    socket.on("data", (chunk) => {
      answer += chunk;
    });
    socket.write("POST /create-thing HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer good-a\r\n");
    socket.write("Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n");
    socket.write(`${big.length.toString(16)}\r\n${big}\r\n0\r\n\r\n`);
    await expect.poll(() => answer).toMatch(/^HTTP\/1\.1 413 /);
    // Longer than the rest of a body may take.
    await delay(1_200);
    socket.write("GET /open HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
    await expect.poll(() => answer).toContain("HTTP/1.1 200 OK");
  });

  it("one that its client gives up is nobody's fault", async () => {
    const { server, url } = await start();
    const socket = connect(server.port, "127.0.0.1");
    socket.write("POST /create-thing HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer good-a\r\n");
    socket.write('Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{"name"');
    await delay(50);
    socket.destroy();
    expect((await fetch(`${url}/open`)).status).toBe(200);
  });

  it("a GET's body is ignored, and its connection goes on", async () => {
    const { server } = await start();
    const get = (path: string, last: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\n${last}`;
    const answer = await raw(
      server.port,
      `${get("/open", "Content-Length: 4\r\n\r\nbody")}${get("/open", "Connection: close\r\n\r\n")}`,
    );
    expect(answer.match(/HTTP\/1\.1 200 OK/g)).toHaveLength(2);
  });
});

it("a connection beyond as many as there may be is closed at once, and those before go on", async () => {
  const { server, url } = await start({}, { maxConnections: 1 });
  const answered = () => fetch(`${url}/health/live`).then(({ status }) => status);
  expect(await answered()).toBe(200);
  // The first connection is kept open.
  expect(await raw(server.port, "GET /health/live HTTP/1.1\r\nHost: a\r\n\r\n")).toBe("");
  expect(await answered()).toBe(200);
});

it("a client that sends half a request and never hangs up is cut off a second after its answer", async () => {
  const { server } = await start();
  const socket = connect({ port: server.port, host: "127.0.0.1", allowHalfOpen: true });
  socket.resume();
  socket.write("GET /open HTTP/1.1\r\nHost: loc");
  await once(socket, "end");
  await delay(1_500);
  // A server that still held its end would accept both silently.
  const refused = once(socket, "error", { signal: AbortSignal.timeout(1_000) });
  socket.write("x");
  await delay(200);
  socket.write("x");
  expect((await refused)[0]).toMatchObject({ code: expect.stringMatching(/ECONNRESET|EPIPE/) });
});

describe("addresses", () => {
  it("are the peer's, or a trusted proxy's word", async () => {
    const headers = { ...asA, "x-forwarded-for": "203.0.113.9, 10.0.0.7" };
    const path = `/things/${AN_ID}/part`;
    const { url } = await start();
    expect(await (await fetch(url + path, { headers })).json()).toMatchObject({ address: "127.0.0.1" });
    const behind = await start({ trustedProxies: parseTrustedProxies(["127.0.0.1", "10.0.0.0/8"]) });
    expect(await (await fetch(behind.url + path, { headers })).json()).toMatchObject({ address: "203.0.113.9" });
  });
});

describe("health", () => {
  it("is live, and ready when the check says so", async () => {
    let answer: () => Promise<boolean> = async () => true;
    const { url } = await start({ ready: () => answer() });
    expect(await (await fetch(`${url}/health/live`)).json()).toEqual({ status: "live" });
    expect((await fetch(`${url}/health/ready`)).status).toBe(200);
    answer = async () => false;
    const away = await fetch(`${url}/health/ready`);
    expect([away.status, away.headers.get("retry-after")]).toEqual([503, "1"]);
    answer = () => Promise.reject(new Error("no database"));
    expect((await fetch(`${url}/health/ready`)).status).toBe(503);
    answer = () => new Promise(() => undefined);
    expect((await fetch(`${url}/health/ready`)).status).toBe(503);
    expect((await fetch(`${url}/health/live`)).status).toBe(200);
  });

  it("metrics are for the token alone, also on this machine", async () => {
    const { url } = await start({ metrics: { registry: new Registry(), app: "sample", token: "t0ken" } });
    await fetch(`${url}/open`);
    const read = (headers = {}) => fetch(`${url}/metrics`, { headers });
    const text = await (await read({ authorization: "Bearer t0ken" })).text();
    expect(text).toContain(
      'http_request_duration_seconds_count{app="sample",method="GET",route="/open",status="200"} 1',
    );
    expect(text).toContain("process_cpu_seconds_total");
    expect([(await read()).status, (await read({ authorization: "Bearer other" })).status]).toEqual([404, 404]);
    expect((await read({ "x-forwarded-for": "203.0.113.9", authorization: "Bearer t0ken" })).status).toBe(200);
  });

  it("metrics are there for nobody where no token was set", async () => {
    const { url } = await start({ metrics: { registry: new Registry(), app: "sample" } });
    expect((await fetch(`${url}/metrics`)).status).toBe(404);
  });
});

describe("closing", () => {
  function slowApp() {
    const { promise: started, resolve: arrived } = Promise.withResolvers<void>();
    const { promise: finish, resolve: release } = Promise.withResolvers<void>();
    const custom: NonNullable<Parameters<typeof sampleApp>[0]>["custom"] = (app) => {
      app.get("/slow", async (c) => {
        arrived();
        await finish;
        return c.text("done");
      });
    };
    return { custom, started, release };
  }

  it("finishes what is under way, closes idle connections and takes no more", async () => {
    const { custom, started, release } = slowApp();
    const { server, url } = await start({ custom });
    await (await fetch(`${url}/open`)).text();
    const slow = fetch(`${url}/slow`);
    await started;
    const closed = server.close(5_000);
    await expect(fetch(`${url}/open`)).rejects.toThrow();
    release();
    const response = await slow;
    expect([await response.text(), response.headers.get("connection")]).toEqual(["done", "close"]);
    expect(await closed).toBe(true);
    expect(await server.close(5_000)).toBe(true);
  });

  it("does not wait for a connection that says nothing", async () => {
    const { server } = await start();
    const silent = connect(server.port, "127.0.0.1");
    await once(silent, "connect");
    const ended = once(silent, "close");
    expect(await server.close(5_000)).toBe(true);
    await ended;
  });

  it("cuts what does not finish in time", async () => {
    const { custom, started, release } = slowApp();
    const { server, url } = await start({ custom });
    const slow = expect(fetch(`${url}/slow`)).rejects.toThrow();
    await started;
    expect(await server.close(50)).toBe(false);
    await slow;
    release();
  });

  it("a port in use is told in one sentence", async () => {
    const { server } = await start();
    await expect(start({}, { port: server.port })).rejects.toThrow(
      `Port ${server.port} on 127.0.0.1 is already in use: stop what uses it, or choose another port.`,
    );
  });
});

describe("over a socket as by function call", () => {
  it("a write answers 201 with its headers", async () => {
    const { url } = await start();
    const response = await fetch(`${url}/create-thing`, post('{"name":"cup","amount":5}', { "request-id": "mine" }));
    expect(response.status).toBe(201);
    expect(response.headers.get("request-id")).toBe("mine");
    expect(response.headers.get("content-type")).toBe("application/json");
    expect(response.headers.get("ratelimit")).toBe('"default";r=1199999;t=1');
    const picture = await fetch(`${url}/picture`, post('{"name":"cup"}'));
    expect(new Uint8Array(await picture.arrayBuffer())).toEqual(new Uint8Array([0x89, 0x50, 0x4e, 0x47]));
    const head = await fetch(`${url}/thing?id=${AN_ID}`, { method: "HEAD", headers: asA });
    expect([head.status, head.headers.get("content-type")]).toEqual([200, "application/json"]);
  });
});
