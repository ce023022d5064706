import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { ErrorCode } from "../../src/contract/shared/errors.ts";
import type { Idempotency } from "../../src/contract/shared/handler.ts";
import { AN_ID, asA, post, problemOf, sampleApp } from "../../test/support/sample-http-app.ts";
import { createRateLimiter } from "./rate-limiter.ts";

const good = JSON.stringify({ name: "cup", amount: 5 });

describe("errors come in the order of precedence", () => {
  const bigBody = `"${"x".repeat(300 * 1024)}"`;
  const noToken = { authorization: "" };
  const bytes = (...values: number[]) => new Uint8Array(values);
  /** Each case is wrong in its own way and in every later one that it can also be wrong in. */
  const cases: readonly (readonly [string, RequestInit, ErrorCode])[] = [
    [
      "no token, wrong Accept, wrong type, too big",
      post(bigBody, { ...noToken, accept: "x/y", "content-type": "x/y" }),
      "unauthorized",
    ],
    [
      "wrong Accept, wrong type, too big",
      post(bigBody, { accept: "text/html", "content-type": "text/plain" }),
      "not_acceptable",
    ],
    ["wrong type, too big", post(bigBody, { "content-type": "text/plain" }), "unsupported_media_type"],
    ["other charset", post(good, { "content-type": "application/json; charset=latin1" }), "unsupported_media_type"],
    ["compressed", post(good, { "content-encoding": "gzip" }), "unsupported_media_type"],
    ["too big, not JSON", post(`{${bigBody}`), "payload_too_large"],
    ["declared too big", post("{}", { "content-length": "300000" }), "payload_too_large"],
    ["broken JSON and a wrong header", post("{", { "idempotency-key": "ñ" }), "malformed_json"],
    ["empty", post(" "), "malformed_json"],
    ["broken UTF-8", post(bytes(0x22, 0xc3, 0x28, 0x22)), "malformed_json"],
    ["depth bomb", post(`${"[".repeat(120_000)}${"]".repeat(120_000)}`), "malformed_json"],
    ["depth bomb of objects", post(`${'{"a":'.repeat(40_000)}1${"}".repeat(40_000)}`), "malformed_json"],
    ["name twice", post('{"name":"cup","amount":1,"amount":1}'), "malformed_json"],
    ["NaN", post('{"name":"cup","amount":NaN}'), "malformed_json"],
    ["wrong fields", post("{}"), "invalid_request"],
    ["not an object", post("null"), "invalid_request"],
    ["1e400", post('{"name":"cup","amount":1e400}'), "invalid_request"],
    ["too many digits", post('{"name":"cup","amount":0.1000000000000000055}'), "invalid_request"],
    ["the handler refuses", post('{"name":"short","amount":5}'), "insufficient_balance"],
  ];
  for (const [what, init, code] of cases) {
    it(`${what}: ${code}`, async () => {
      const { app, seen } = sampleApp();
      const problem = await problemOf(await app.request("/create-thing", init));
      expect(problem.code).toBe(code);
      expect(problem.detail).toMatch(/^[A-Z].*\.$/);
      expect(problem.type).toBe(`urn:cupo:error:${code}`);
      expect(seen).toHaveLength(code === "insufficient_balance" ? 1 : 0);
    });
  }

  it("a caller past its limit hears 429 before any other fault", async () => {
    const { app } = sampleApp({
      limits: { principal: createRateLimiter({ quota: 1, windowSeconds: 60, now: () => 0 }) },
    });
    expect((await app.request("/create-thing", post(good))).status).toBe(201);
    const refused = await app.request("/create-thing", post("{", { accept: "text/html" }));
    expect((await problemOf(refused)).code).toBe("too_many_requests");
    expect(refused.headers.get("retry-after")).toBe("60");
    expect(refused.headers.get("ratelimit-policy")).toBe('"default";q=1;w=60');
    expect(refused.headers.get("ratelimit")).toBe('"default";r=0;t=60');
    const other = await app.request("/create-thing", post(good, { authorization: "Bearer good-b" }));
    expect(other.status).toBe(201);
  });

  it("guessing tokens runs into 429", async () => {
    const { app } = sampleApp({
      limits: { address: createRateLimiter({ quota: 2, windowSeconds: 60, now: () => 0 }) },
    });
    const statuses = [];
    for (let attempt = 0; attempt < 3; attempt += 1) statuses.push((await app.request("/thing")).status);
    expect(statuses).toEqual([401, 401, 429]);
    expect((await app.request(`/thing?id=${AN_ID}`, { headers: asA })).status).toBe(200);
  });
});

describe("faults", () => {
  it("are all named at once, in body, query and header", async () => {
    const { app } = sampleApp();
    const body = JSON.stringify({ id: AN_ID, nmae: "x", amount: "5", details: [] });
    const response = await app.request("/create-thing?a=1&b=2&b=3", post(body, { "idempotency-key": "x".repeat(256) }));
    const { code, errors } = await problemOf(response);
    expect(code).toBe("invalid_request");
    expect(errors).toEqual([
      { parameter: "b", detail: "must be sent only once" },
      { parameter: "a", detail: "is not known here: leave it out" },
      { parameter: "b", detail: "is not known here: leave it out" },
      { parameter: "Idempotency-Key", detail: "must be 1 to 255 printable ASCII characters" },
      { pointer: "/id", detail: "is assigned by the service: leave it out" },
      { pointer: "/nmae", detail: "is not known here: check the spelling or leave it out" },
      { pointer: "/name", detail: "is required" },
      { pointer: "/amount", detail: "must be a JSON number with at most 15 significant digits" },
      { pointer: "/details", detail: "must be an object" },
    ]);
  });

  it("never echo what was sent", async () => {
    const { app } = sampleApp();
    for (const body of ['{"name": hunter2}', '{"name":"cup","amount":"hunter2"}', '{"amount":5,"name":["hunter2"]}']) {
      expect(await (await app.request("/create-thing", post(body))).text()).not.toContain("hunter2");
    }
  });

  it("name broken characters where no schema looks", async () => {
    const { app } = sampleApp();
    const body = '{"name":"cup","amount":5,"details":{"a":["\\ud800"]}}';
    const { errors } = await problemOf(await app.request("/create-thing", post(body)));
    expect(errors).toEqual([{ pointer: "/details/a/0", detail: "must be text without broken characters" }]);
  });

  const queries: readonly (readonly [string, object])[] = [
    [`?id=${AN_ID}&id=${AN_ID}`, { parameter: "id", detail: "must be sent only once" }],
    ["?id=%FF", { parameter: "id", detail: "must be percent-encoded UTF-8" }],
    ["", { parameter: "id", detail: "is required" }],
    [`?id=${AN_ID}&__proto__=1`, { parameter: "__proto__", detail: expect.stringContaining("not known") }],
  ];
  for (const [query, fault] of queries) {
    it(`are found in the query ${query || "that is missing"}`, async () => {
      const { app } = sampleApp();
      const problem = await problemOf(await app.request(`/thing${query}`, { headers: asA }));
      expect(problem.code).toBe("invalid_request");
      expect(problem.errors).toContainEqual(fault);
    });
  }
});

describe("idempotency keys", () => {
  it("stand for the canonical body, whatever its spelling", async () => {
    const { app, seen } = sampleApp();
    const spellings = [
      '{"name":"cup","amount":5.0,"details":{"b":1,"a":"é"}}',
      '{ "details": {"a":"\\u00e9","b":1},"amount":5,"name":"cup"}',
    ];
    for (const body of spellings) {
      expect((await app.request("/create-thing", post(body, { "idempotency-key": "k 1" }))).status).toBe(201);
    }
    const canonical = '{"amount":5,"details":{"a":"é","b":1},"name":"cup"}';
    const fingerprint = createHash("sha256").update(canonical).digest();
    for (const call of seen as { idempotency: Idempotency }[]) {
      expect(call.idempotency.key).toBe("k 1");
      expect(Buffer.from(call.idempotency.fingerprint).equals(fingerprint)).toBe(true);
    }
  });

  it("are ignored where nothing is written", async () => {
    const { app } = sampleApp();
    const headers = { ...asA, "idempotency-key": "x".repeat(300) };
    expect((await app.request(`/thing?id=${AN_ID}`, { headers })).status).toBe(200);
  });

  it("a replayed answer says so", async () => {
    const { app } = sampleApp();
    const replayed = await app.request("/create-thing", post(good, { "idempotency-key": "again" }));
    expect(replayed.headers.get("idempotent-replayed")).toBe("true");
    const first = await app.request("/create-thing", post(good));
    expect(first.headers.get("idempotent-replayed")).toBeNull();
  });
});
