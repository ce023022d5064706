import { once } from "node:events";
import { readFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { attack } from "./support/attack.ts";
import { Target } from "./support/target.ts";

const MEGABYTE = 1024 * 1024;
/** As much as one connection's requests may come to in one piece. */
const PIPELINE_BYTES = 58_000;
const ATTACK_MS = 10_000;
/** Each took 266 MB before answers were bounded; several exceed the bound on a busy machine too. */
const LIST_CONNECTIONS = 6;
/** More than an idle process grows by of itself. */
const MOST_MEGABYTES = 200;
/** The limit of time without progress, twice: what is under way when it begins counts as progress. */
const CUT_WITHIN_MS = 40_000;

let target: Target;
/** The largest file of the app: nearly a megabyte. */
let file: string;
const sockets = new Set<Socket>();

beforeAll(async () => {
  target = await Target.start();
  file = await largestFile();
});
afterEach(() => {
  for (const socket of sockets) socket.destroy();
  sockets.clear();
});
afterAll(() => target?.remove());

/** Finds the WebAssembly that reads codes, which one of the scripts names that the app's service worker names. */
async function largestFile(): Promise<string> {
  const text = async (path: string) => (await fetch(`${target.origin}/${path}`)).text();
  const scripts = (await text("sw.js")).match(/assets\/[\w.-]+\.js/g) ?? [];
  const texts = await Promise.all([...new Set(scripts)].map(text));
  const [name] = texts.flatMap((script) => /[\w-]+-[\w-]{8}\.wasm/.exec(script) ?? []);
  return `/assets/${name}`;
}

const ports = {
  broker: () => Number(new URL(target.origin).port),
  service: () => Number(new URL(target.product.demo.base_url).port),
};

function memory(): number {
  const status = readFileSync(`/proc/${target.product.main.pid}/status`, "utf8");
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) * 1024;
}

/** A connection that sends and never reads. */
async function openUnreadConnection(port: number): Promise<Socket> {
  const socket = connect({ port, host: "127.0.0.1" }).pause();
  sockets.add(socket);
  socket.on("error", () => undefined);
  await once(socket, "connect");
  return socket;
}

/** Bytes by which the process's memory grows, at most, while requests are sent whose answers nobody reads. */
async function grownBy(port: number, requests: string, connections = 1): Promise<number> {
  const before = memory();
  for (let number = 0; number < connections; number += 1) (await openUnreadConnection(port)).write(requests);
  let most = before;
  for (const end = performance.now() + ATTACK_MS; performance.now() < end; await delay(50))
    most = Math.max(most, memory());
  return most - before;
}

function pipelined(path: string, fields = "", bytes = PIPELINE_BYTES): string {
  const request = `GET ${path} HTTP/1.1\r\nHost: localhost\r\n${fields}\r\n`;
  return request.repeat(Math.floor(bytes / request.length));
}

/** The unread bytes on a connection, until nothing has come for a while. */
async function rest(socket: Socket): Promise<Buffer> {
  const chunks: Buffer[] = [];
  socket.on("data", (chunk) => chunks.push(chunk)).resume();
  for (let before = -1; before !== chunks.length && !socket.destroyed; await delay(2_000)) before = chunks.length;
  return Buffer.concat(chunks);
}

function answersOf(bytes: Buffer): number {
  return bytes.toString("latin1").split("HTTP/1.1 200 OK").length - 1;
}

/** All that the server says to a raw request, until it ends the connection. */
async function said(port: number, text: string): Promise<string> {
  const socket = connect({ port, host: "127.0.0.1" });
  sockets.add(socket);
  let answer = "";
  socket.on("data", (chunk) => {
    answer += chunk;
  });
  socket.write(text);
  await once(socket, "close");
  return answer;
}

describe("unread answers", () => {
  attack("58 KB of requests for a file take hundreds of megabytes from the broker", async () => {
    const grown = await grownBy(ports.broker(), pipelined(file));
    expect(Math.round(grown / MEGABYTE)).toBeLessThan(MOST_MEGABYTES);
  });

  attack("requests for a list, 58 KB a connection, take hundreds of megabytes from the service", async () => {
    const own = await target.own();
    const { payer, merchant } = target.product.demo.users;
    const transfer = {
      from_user_id: payer.id,
      to_user_id: merchant.id,
      amount: 1,
      details: { note: "x".repeat(15_000) },
    };
    for (let number = 0; number < 100; number += 1) await own.post("/create-ledger-transaction", transfer);
    const list = pipelined(`/ledger-transaction-history?user-id=${payer.id}`, `Authorization: Bearer ${own.token}\r\n`);
    const grown = await grownBy(ports.service(), list, LIST_CONNECTIONS);
    expect(Math.round(grown / MEGABYTE)).toBeLessThan(MOST_MEGABYTES);
  });

  attack("a reader that takes nothing keeps its connection for ever, on either port", async () => {
    const waiting = [
      { socket: await openUnreadConnection(ports.broker()), request: pipelined(file, "", 4_000) },
      { socket: await openUnreadConnection(ports.service()), request: pipelined("/openapi.json", "", 4_000) },
    ];
    for (const { socket, request } of waiting) socket.write(request);
    await delay(CUT_WITHIN_MS);
    for (const { socket, request } of waiting) {
      const answers = answersOf(await rest(socket));
      expect(answers).toBeLessThan(request.split("GET ").length - 1);
    }
  });

  it("are no matter to a reader that is slow", async () => {
    const socket = await openUnreadConnection(ports.broker());
    socket.write(pipelined(file, "", 1_000));
    await delay(1_000);
    expect(answersOf(await rest(socket))).toBe(pipelined(file, "", 1_000).split("GET ").length - 1);
  });
});

describe.each(["broker", "service"] as const)("the host of a request to the %s", (name) => {
  attack("that HTTP/1.0 need not name is missed", async () => {
    expect(await said(ports[name](), "GET /health/live HTTP/1.0\r\n\r\n")).toMatch(/^HTTP\/1\.1 200 /);
  });

  attack("is named twice, and one of the two is believed", async () => {
    const request = "GET /health/live HTTP/1.1\r\nHost: localhost\r\nHost: other.example\r\nConnection: close\r\n\r\n";
    expect(await said(ports[name](), request)).toMatch(/^HTTP\/1\.1 400 /);
  });

  it("is required by HTTP/1.1, once", async () => {
    const request = "GET /health/live HTTP/1.1\r\nConnection: close\r\n";
    expect(await said(ports[name](), `${request}\r\n`)).toMatch(/^HTTP\/1\.1 400 /);
    expect(await said(ports[name](), `${request}Host: localhost\r\n\r\n`)).toMatch(/^HTTP\/1\.1 200 /);
  });
});

describe("a body that is dear to read", () => {
  attack("is read whole where nobody has shown a credential", async () => {
    const numbers = `{"details":{"a":[${Array(120_000).fill(1).join()}]}}`;
    const addresses = [`${target.origin}/v1/sign-in`, `${target.product.demo.auth_url}/oauth2/token`];
    const headers = { "content-type": "application/json", "x-cupo-request": "1", origin: target.origin };
    const refusals = addresses.map(async (url) =>
      (await fetch(url, { method: "POST", headers, body: numbers })).text(),
    );
    for (const refusal of await Promise.all(refusals)) expect(refusal).toContain("The body is over 32 KiB.");
  });
});
