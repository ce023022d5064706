import { inspect } from "node:util";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { aStubUpstream, type StubUpstream } from "../test/support/stub-upstream.ts";
import { type CupoClient, createCupoClient, createMerchantClient } from "./cupo-client.ts";

const USER = "01890a5d-ac96-774b-bcce-b302099a8057";
const REFERENCE = "7K3M9QXT2V4FW";
const code = {
  ...{ reference: REFERENCE, state: "unpaid", payload: "000201", to_user_id: USER, to_user: "Café", amount: 5 },
  ...{ currency: "COP", expires_at: "2026-03-31T12:00:00.000Z", expires_in: 60, check_code: "ABCD" },
};

const drawn = { ...code, image: "data:image/png;base64,AA==" };

let stub: StubUpstream;
let client: CupoClient;
let pauses: number[];
let keys: number;

beforeEach(async () => {
  stub = await aStubUpstream();
  pauses = [];
  keys = 0;
  client = createCupoClient({
    baseUrl: stub.url,
    clientId: stub.clientId,
    clientSecret: stub.clientSecret,
    timeoutMs: 500,
    random: (length) => new Uint8Array(length),
    wait: async (delayMs) => void pauses.push(delayMs),
    newKey: () => `made-${keys++}`,
  });
});
afterEach(() => stub.close());

const readCode = () => client.transactionQr({ query: { reference: REFERENCE } });
const makeCode = (idempotencyKey?: string) =>
  client.createTransactionQr(
    { body: { to_user_id: USER, amount: 5 } },
    idempotencyKey === undefined ? {} : { idempotencyKey },
  );
const sentKeys = () => stub.seen.map(({ headers }) => headers["idempotency-key"]);

describe("a backend's client", () => {
  it("asks for one token for twenty callers, and for one more when all of them are refused", async () => {
    stub.on("/transaction-qr", () => ({ body: code }));
    await Promise.all(Array.from({ length: 20 }, readCode));
    expect(stub.tokensIssued()).toBe(1);
    stub.withdrawTokens();
    const answers = await Promise.all(Array.from({ length: 20 }, readCode));
    expect(answers.map(({ body }) => body.state)).toEqual(Array(20).fill("unpaid"));
    expect(stub.tokensIssued()).toBe(2);
  });

  it("throws unauthorized after the second refusal", async () => {
    stub.on("/transaction-qr", () => ({ status: 401, body: { code: "unauthorized" } }));
    await expect(readCode()).rejects.toMatchObject({ name: "ApiError", code: "unauthorized", status: 401 });
    expect(stub.seen).toHaveLength(2);
  });

  it("gives each write a key of its own, and every try of one write the same", async () => {
    stub.on("/create-transaction-qr", () =>
      stub.seen.length % 3 === 0 ? { status: 201, body: drawn } : { cut: true },
    );
    await makeCode();
    await makeCode();
    expect(sentKeys()).toEqual([..."000111"].map((number) => `made-${number}`));
  });

  it("sends the key that it was given", async () => {
    stub.on("/create-transaction-qr", () => ({ status: 201, body: drawn }));
    await makeCode("order-1042");
    expect(sentKeys()).toEqual(["order-1042"]);
  });

  it("gives up after four tries with growing pauses, and says that nobody knows", async () => {
    stub.on("/create-transaction-qr", () => ({ cut: true }));
    await expect(makeCode()).rejects.toMatchObject({ name: "NoAnswerError" });
    expect(sentKeys()).toEqual(Array(4).fill("made-0"));
    expect(pauses).toEqual([50, 100, 200]);
  });

  it("takes an answer that stops half-way, or comes too late, for none", async () => {
    stub.on("/transaction-qr", () => ({ body: "{", headers: { "content-length": "9" } }));
    await expect(readCode()).rejects.toMatchObject({ name: "NoAnswerError" });
    stub.on("/create-transaction-qr", () => new Promise((resolve) => setTimeout(() => resolve({ cut: true }), 700)));
    await expect(makeCode()).rejects.toMatchObject({ name: "NoAnswerError" });
    expect(stub.seen).toHaveLength(8);
  });

  it.each([
    ["429", { status: 429, body: { code: "too_many_requests", detail: "At most 600 a minute." } }],
    ["503", { status: 503, body: { code: "unavailable" } }],
    ["a proxy's 503", { status: 503, body: "<h1>maintenance</h1>" }],
  ])("waits as long as a %s asks for before it tries again", async (_name, refusal) => {
    const answers = [{ ...refusal, headers: { "retry-after": "2" } }, { body: code }];
    stub.on("/transaction-qr", () => answers.shift() ?? {});
    expect((await readCode()).body.reference).toBe(REFERENCE);
    expect(pauses).toEqual([2_050]);
  });

  it("does not wait for a server that asks for more than half a minute", async () => {
    stub.on("/transaction-qr", () => ({ status: 503, headers: { "retry-after": "31" } }));
    await expect(readCode()).rejects.toMatchObject({ code: "unavailable", retryAfter: 31 });
    expect(stub.seen).toHaveLength(1);
  });

  it("throws a refusal at once, with the service's code and faults", async () => {
    const errors = [{ pointer: "/amount", detail: "must be greater than zero" }];
    stub.on("/create-transaction-qr", () => ({ status: 400, body: { code: "invalid_request", errors } }));
    await expect(makeCode()).rejects.toMatchObject({ code: "invalid_request", faults: errors });
    expect(stub.seen).toHaveLength(1);
  });

  it("never repeats a PUT, whose repetition could undo what another wrote in between", async () => {
    stub.on("/entity-settings", () => ({ cut: true }));
    const settings = client.putEntitySettings({ body: {} }, { idempotencyKey: "mine" });
    await expect(settings).rejects.toMatchObject({ name: "NoAnswerError" });
    expect(stub.seen).toHaveLength(1);
  });

  it("stops when the caller gives up, in a call and in a pause", async () => {
    stub.on("/transaction-qr", () => ({ cut: true }));
    const patient = createCupoClient({
      ...{ baseUrl: stub.url, clientId: stub.clientId, clientSecret: stub.clientSecret },
      random: () => Uint8Array.of(255),
    });
    const reason = new Error("the customer left");
    const stopper = new AbortController();
    setTimeout(() => stopper.abort(reason), 120);
    const input = { query: { reference: REFERENCE } };
    await expect(patient.transactionQr(input, { signal: stopper.signal })).rejects.toBe(reason);
    const { length } = stub.seen;
    expect(length).toBeLessThan(4);
    await expect(patient.transactionQr(input, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    expect(stub.seen).toHaveLength(length);
  });

  it("follows no redirect, and tells no secret", async () => {
    stub.on("/transaction-qr", () => ({ status: 307, headers: { location: `${stub.url}/elsewhere` } }));
    const error = await readCode().catch((thrown: unknown) => thrown as Error);
    expect(stub.seen.filter(({ path }) => path === "/elsewhere")).toEqual([]);
    expect(JSON.stringify([error, String(error), String((error as Error).cause)])).not.toContain(stub.clientSecret);
  });

  it("throws no error that holds what was asked for, however the call failed", async () => {
    const failures = [
      () => ({ cut: true }),
      () => ({ body: "{", headers: { "content-length": "9" } }),
      () => new Promise<object>((resolve) => setTimeout(() => resolve({ cut: true }), 700)),
    ];
    const { url: baseUrl, clientId, clientSecret } = stub;
    const hasty = createCupoClient({ baseUrl, clientId, clientSecret, timeoutMs: 200, tries: 1 });
    for (const failure of failures) {
      stub.on("/user", failure);
      const error = await hasty.user({ query: { phone: "+573001234567" } }).catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({ name: "NoAnswerError", cause: { name: expect.stringMatching(/Error$/) } });
      expect(inspect(error, { depth: 9, showHidden: true })).not.toContain("3001234567");
    }
  });
});

describe("a merchant's client", () => {
  it("calls with its server key, and repeats the start of a session with the key of the first try", async () => {
    const seen: (string | null)[][] = [];
    const started = { session: "ws_1", session_id: USER, reference: REFERENCE, expires_at: code.expires_at };
    const merchant = createMerchantClient({
      baseUrl: "https://pay.example",
      serverKey: "sk_1",
      wait: async () => undefined,
      newKey: () => "made",
      fetch: async (input, init) => {
        const { headers } = new Request(input, init);
        seen.push([headers.get("authorization"), headers.get("idempotency-key")]);
        if (seen.length === 1) throw new TypeError("fetch failed");
        return Response.json({ ...started, expires_in: 900 }, { status: 201 });
      },
    });
    const body = { kind: "pay", amount: 25_000, order: "1042", origin: "https://shop.example" } as const;
    expect((await merchant.createSession({ body })).body.session).toBe("ws_1");
    expect(seen).toEqual(Array(2).fill(["Bearer sk_1", "made"]));
  });
});
