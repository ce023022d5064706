import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { silentLog } from "../../../test/support/silent-log.ts";
import { aStubUpstream, type StubUpstream } from "../../../test/support/stub-upstream.ts";
import type { Upstream } from "../access/policy/upstream-calls.ts";
import { createUpstream } from "./upstream.ts";

const USER = "01890a5d-ac96-774b-bcce-b302099a8057";
const REFERENCE = "7K3M9QXT2V4FW";

/** A busy machine answers within this. */
const TIMEOUT_MS = 2_000;

let stub: StubUpstream;
let upstream: Upstream;
let nowMs: number;
let pauses: number[];

beforeEach(async () => {
  stub = await aStubUpstream();
  nowMs = 0;
  pauses = [];
  upstream = createUpstream({
    upstream: {
      baseUrl: stub.url,
      authUrl: stub.url,
      clientId: stub.clientId,
      clientSecret: stub.clientSecret,
      timeoutMs: TIMEOUT_MS,
    },
    now: () => nowMs,
    random: (length) => new Uint8Array(length),
    wait: async (delayMs) => void pauses.push(delayMs),
    log: silentLog,
  });
});
afterEach(() => stub.close());

const code = {
  ...{ reference: REFERENCE, state: "unpaid", payload: "000201", to_user_id: USER, to_user: "Café", amount: 5 },
  ...{ currency: "COP", expires_at: "2026-03-31T12:00:00.000Z", expires_in: 60, check_code: "ABCD" },
};

function readCode() {
  return upstream.call("transactionQr", { reference: REFERENCE });
}

function makeCode(idempotencyKey?: string) {
  return upstream.call("createTransactionQr", { to_user_id: USER, amount: 5 }, idempotencyKey);
}

describe("the upstream client", () => {
  it("asks again with a fresh token after a 401, with one renewal for twenty callers", async () => {
    stub.on("/transaction-qr", () => ({ body: code }));
    await readCode();
    stub.withdrawTokens();
    const answers = await Promise.all(Array.from({ length: 20 }, readCode));
    expect(answers.map(({ body }) => body.state)).toEqual(Array(20).fill("unpaid"));
    expect(stub.tokensIssued()).toBe(2);
  });

  it("gives up after the second 401", async () => {
    stub.on("/transaction-qr", () => ({ status: 401, body: "no" }));
    await expect(readCode()).rejects.toMatchObject({ code: "upstream_failed" });
    expect(stub.seen).toHaveLength(2);
  });

  it("sends nothing but what it makes itself", async () => {
    stub.on("/transaction-qr", () => ({ body: code }));
    await readCode();
    const own = ["accept", "accept-encoding", "accept-language", "authorization", "connection", "host", "prefer"];
    const names = Object.keys(stub.seen[0]?.headers ?? {}).filter((name) => !name.startsWith("sec-fetch-"));
    expect(names.filter((name) => !own.includes(name))).toEqual(["user-agent"]);
  });

  it("tries a read three times with growing pauses while nobody answers", async () => {
    stub.on("/transaction-qr", () => ({ cut: true }));
    await expect(readCode()).rejects.toMatchObject({ code: "unavailable" });
    expect(stub.seen).toHaveLength(3);
    expect(pauses).toEqual([50, 100]);
  });

  it("never repeats a write without an idempotency key", async () => {
    stub.on("/create-transaction-qr", () => ({ cut: true }));
    await expect(makeCode()).rejects.toMatchObject({ code: "unavailable" });
    expect(stub.seen).toHaveLength(1);
  });

  it("repeats a write with the same idempotency key", async () => {
    stub.on("/create-transaction-qr", () => ({ cut: true }));
    await expect(makeCode("key-1")).rejects.toMatchObject({ code: "unavailable" });
    expect(stub.seen.map(({ headers }) => headers["idempotency-key"])).toEqual(["key-1", "key-1", "key-1"]);
  });

  it("asks no more while the upstream is down, says when to come back, and recovers", async () => {
    stub.on("/transaction-qr", () => ({ status: 503 }));
    await expect(readCode()).rejects.toMatchObject({ code: "unavailable" });
    await expect(readCode()).rejects.toMatchObject({ code: "unavailable" });
    const asked = stub.seen.length;
    expect(asked).toBe(5);
    await expect(readCode()).rejects.toMatchObject({ code: "unavailable", retryAfter: 2 });
    expect(stub.seen).toHaveLength(asked);
    stub.on("/transaction-qr", () => ({ body: code }));
    nowMs = 2_001;
    expect((await readCode()).body.state).toBe("unpaid");
    expect((await readCode()).body.state).toBe("unpaid");
  });

  it("does not count refusals as an outage", async () => {
    stub.on("/transaction-qr", () => ({ status: 404, body: { code: "qr_not_found" } }));
    for (let number = 0; number < 10; number += 1) {
      await expect(readCode()).rejects.toMatchObject({ code: "qr_not_found" });
    }
  });

  it("gives up on an upstream that does not answer in time", async () => {
    stub.on(
      "/create-transaction-qr",
      () => new Promise((resolve) => setTimeout(() => resolve({ cut: true }), 2 * TIMEOUT_MS)),
    );
    await expect(makeCode()).rejects.toMatchObject({ code: "unavailable" });
  });

  it("follows no redirect", async () => {
    stub.on("/transaction-qr", () => ({ status: 302, headers: { location: `${stub.url}/elsewhere` } }));
    await expect(readCode()).rejects.toMatchObject({ code: "unavailable" });
    expect(stub.seen.filter(({ path }) => path === "/elsewhere")).toEqual([]);
  });

  it.each([
    ["a refusal in its own words", { status: 409, body: { code: "qr_expired", detail: "SECRET" } }, "qr_expired"],
    ["an error that is none of ours", { status: 418, body: { code: "teapot", detail: "SECRET" } }, "upstream_failed"],
    ["a bug", { status: 500, body: { code: "internal_error", detail: "SECRET" } }, "upstream_failed"],
    ["an answer that does not fit", { body: { ...code, state: "SECRET" } }, "upstream_failed"],
    ["a page in place of JSON", { body: "<p>SECRET</p>" }, "upstream_failed"],
    ["a body that never ends", { body: "{", headers: { "content-length": "9" } }, "unavailable"],
    ["no JSON", { status: 502, body: "<p>SECRET</p>" }, "upstream_failed"],
  ])("turns what went wrong into our own sentence: %s", async (_name, answer, expected) => {
    stub.on("/transaction-qr", () => answer);
    const error = await readCode().then(
      () => undefined,
      (thrown: unknown) => thrown as { code: string; detail?: string; message: string; faults: unknown[] },
    );
    expect(error?.code).toBe(expected);
    expect(`${error?.detail} ${error?.message} ${JSON.stringify(error?.faults)}`).not.toContain("SECRET");
  });
});
