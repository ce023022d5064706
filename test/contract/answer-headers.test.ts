import { createConnection } from "node:net";
import { v7 } from "uuid";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Broker, createBroker } from "../../server/broker/create-broker.ts";
import { type Listening, listen } from "../../server/http/listen.ts";
import { securityHeaders } from "../../server/http/security-headers.ts";
import { aBroker, anOrder, type TestBroker } from "../support/broker.ts";
import { silentLog } from "../support/silent-log.ts";

const PUBLIC = "https://pay.example";

let broker: TestBroker;
/** Another process of the broker, that browsers reach by a public address. */
let publicBroker: Broker;
let session: string;
let ports: Readonly<Record<"service" | "broker", Listening>>;

function listening(app: Parameters<typeof listen>[0]): Promise<Listening> {
  return listen(app, { host: "127.0.0.1", port: 0, log: silentLog, newRequestId: () => v7(), baseUrl: PUBLIC });
}

beforeAll(async () => {
  broker = await aBroker({}, { baseUrl: PUBLIC });
  session = (await anOrder(broker)).session;
  publicBroker = createBroker({ ...broker.options, publicOrigin: PUBLIC });
  ports = { service: await listening(broker.service.app), broker: await listening(broker.app) };
});
afterAll(async () => {
  broker.endStreams();
  await publicBroker.close();
  await Promise.all(Object.values(ports).map((port) => port.close(1_000)));
  await broker.stop();
});

type Kind = readonly [port: keyof typeof ports, status: number, path: string, init?: RequestInit];

/** One of every kind of answer that a port has. */
const KINDS: Readonly<Record<string, Kind>> = {
  "JSON of the service": ["service", 200, "/.well-known/jwks.json"],
  "a problem of the service": ["service", 401, "/user?id=1"],
  "no path of the service": ["service", 404, "/nothing"],
  "another method of the service": ["service", 405, "/create-transaction"],
  "options of the service": ["service", 204, "/create-transaction", { method: "OPTIONS" }],
  "an error of the token endpoint": ["service", 400, "/oauth2/token", { method: "POST", body: "x" }],
  "the OpenAPI document": ["service", 200, "/openapi.json"],
  "the docs page": ["service", 200, "/docs"],
  "a file of the docs page": ["service", 200, "/docs/page.css"],
  "health of the service": ["service", 200, "/health/live"],
  "JSON of the broker": ["broker", 200, "/.well-known/cupo-qr-keys.json"],
  "a problem of the broker": ["broker", 401, "/v1/me"],
  "no path of the broker": ["broker", 404, "/nothing.txt"],
  "another method of the broker": ["broker", 405, "/v1/scans"],
  "options of the broker": ["broker", 204, "/v1/scans", { method: "OPTIONS" }],
  "a page that is not built": ["broker", 503, "/"],
  "a redirect": ["broker", 308, "/demo"],
  "health of the broker": ["broker", 200, "/health/ready"],
};

function expectSecured(headers: Headers): void {
  expect(headers.get("x-content-type-options")).toBe("nosniff");
  expect(headers.get("content-security-policy")).toMatch(/^default-src 'none'; .*frame-ancestors 'none'/);
}

describe("every kind of answer, on both ports, says how it may be used:", () => {
  it.each(Object.entries(KINDS))("%s", async (_, [port, status, path, init]) => {
    const answer = await fetch(`http://127.0.0.1:${ports[port].port}${path}`, { redirect: "manual", ...init });
    await answer.body?.cancel();
    expect(answer.status).toBe(status);
    expectSecured(answer.headers);
  });

  it.each(["service", "broker"] as const)("a document that did not change, of the %s", async (port) => {
    const headers = { authorization: `Bearer ${session}` };
    const url = `http://127.0.0.1:${ports[port].port}${port === "service" ? "/openapi.json" : "/v1/session"}`;
    const tag = (await fetch(url, { headers })).headers.get("etag") ?? "";
    const unchanged = await fetch(url, { headers: { ...headers, "if-none-match": tag } });
    expect(unchanged.status).toBe(304);
    expectSecured(unchanged.headers);
  });

  it("a stream", async () => {
    const headers = { authorization: `Bearer ${session}` };
    const stream = await fetch(`http://127.0.0.1:${ports.broker.port}/v1/session/stream`, { headers });
    await stream.body?.cancel();
    expect(stream.headers.get("content-type")).toBe("text/event-stream");
    expectSecured(stream.headers);
  });

  it.each(["service", "broker"] as const)("what is no HTTP, to the %s", async (port) => {
    const answer = await new Promise<string>((resolve) => {
      let text = "";
      const socket = createConnection(ports[port].port, "127.0.0.1", () => socket.write("no http\r\n\r\n"));
      socket.on("data", (part) => (text += part));
      socket.on("close", () => resolve(text));
    });
    const [status = "", ...lines] = (answer.split("\r\n\r\n", 1)[0] ?? "").split("\r\n");
    expect(status).toContain("400");
    const pairs = lines.map((line): [string, string] => [line.split(": ", 1)[0] ?? "", line.replace(/^[^:]*: /, "")]);
    expectSecured(new Headers(pairs));
    expect(new Headers(pairs).get("strict-transport-security")).toMatch(/^max-age=\d{8}/);
  });
});

describe("HSTS", () => {
  it.each(["https://pay.example", "https://pay.example:8443"])("is said by %s", (baseUrl) => {
    expect(securityHeaders(baseUrl)["Strict-Transport-Security"]).toMatch(/^max-age=\d{8}; includeSubDomains$/);
  });

  it.each(["http://localhost:4000", "https://localhost:4000", "https://127.0.0.1", "http://10.0.0.5:4100"])(
    "is not said by %s, where it would hold for other things or for nothing",
    (baseUrl) => expect(securityHeaders(baseUrl)).not.toHaveProperty("Strict-Transport-Security"),
  );

  it.each(["service", "broker"] as const)("is on every kind of answer of a %s that is public", async (name) => {
    const app = name === "service" ? broker.service.app : publicBroker.app;
    for (const [, , path, init] of Object.values(KINDS).filter(([port]) => port === name)) {
      const answer = await app.fetch(new Request(`${PUBLIC}${path}`, init));
      expect([path, answer.headers.get("strict-transport-security")]).toEqual([
        path,
        expect.stringMatching(/^max-age/),
      ]);
    }
  });
});
