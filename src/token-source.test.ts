import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { aStubUpstream, type StubUpstream } from "../test/support/stub-upstream.ts";
import { createTokenSource, type TokenSource } from "./token-source.ts";

let stub: StubUpstream;
let tokens: TokenSource;
let nowMs: number;
let failures: unknown[];

beforeEach(async () => {
  stub = await aStubUpstream();
  nowMs = 0;
  failures = [];
  tokens = createTokenSource({
    authUrl: stub.url,
    clientId: stub.clientId,
    clientSecret: stub.clientSecret,
    now: () => nowMs,
    random: (length) => new Uint8Array(length),
    timeoutMs: 2_000,
    onFailure: (error) => failures.push(error),
  });
});
afterEach(() => stub.close());

async function settled(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 80));
}

describe("a token source", () => {
  it("asks once for everybody who needs the first token at the same time", async () => {
    const got = await Promise.all(Array.from({ length: 20 }, () => tokens.get()));
    expect(new Set(got)).toEqual(new Set(["token-1"]));
    expect(stub.tokensIssued()).toBe(1);
  });

  it("renews once when twenty callers were refused with the same token", async () => {
    const old = await tokens.get();
    const got = await Promise.all(
      Array.from({ length: 20 }, async () => {
        tokens.invalidate(old);
        return tokens.get();
      }),
    );
    expect(new Set(got)).toEqual(new Set(["token-2"]));
    expect(stub.tokensIssued()).toBe(2);
  });

  it("is not harmed by a late refusal of a token that it replaced already", async () => {
    const old = await tokens.get();
    tokens.invalidate(old);
    const fresh = await tokens.get();
    tokens.invalidate(old);
    expect(await tokens.get()).toBe(fresh);
    expect(stub.tokensIssued()).toBe(2);
  });

  it("renews in the background after four fifths of a token's life, and nobody waits for it", async () => {
    stub.tokenLife(100);
    await tokens.get();
    nowMs = 79_000;
    expect(await tokens.get()).toBe("token-1");
    expect(stub.tokensIssued()).toBe(1);
    nowMs = 80_000;
    expect(await Promise.all([tokens.get(), tokens.get()])).toEqual(["token-1", "token-1"]);
    await expect.poll(() => tokens.get()).toBe("token-2");
    expect(stub.tokensIssued()).toBe(2);
  });

  it("waits for a new token once the old one has ended", async () => {
    stub.tokenLife(100);
    await tokens.get();
    nowMs = 100_000;
    expect(await tokens.get()).toBe("token-2");
  });

  it("goes on with the token at hand when renewing it early fails, and says so once", async () => {
    stub.tokenLife(100);
    await tokens.get();
    stub.refuseTokens({ status: 503 });
    nowMs = 90_000;
    expect(await Promise.all([tokens.get(), tokens.get(), tokens.get()])).toEqual(Array(3).fill("token-1"));
    await expect.poll(() => failures).toHaveLength(1);
    await settled();
    expect(failures).toHaveLength(1);
  });

  it("asks no more than once a second while it is refused", async () => {
    stub.refuseTokens({ status: 401, body: { error: "invalid_client" } });
    for (let number = 0; number < 5; number += 1) await expect(tokens.get()).rejects.toThrow("invalid_client");
    expect(stub.tokensIssued()).toBe(1);
    nowMs = 1_001;
    stub.refuseTokens(undefined);
    expect(await tokens.get()).toBe("token-2");
  });

  it.each([
    ["a refusal that repeats the secret", { status: 401, body: { error: "stub-secret-that-nobody-may-see" } }],
    ["an answer that is no token", { status: 200, body: { access_token: 7, leak: "stub-secret-that-nobody-may-see" } }],
    ["a page of HTML", { status: 500, body: "<h1>stub-secret-that-nobody-may-see</h1>" }],
    ["a cut connection", { cut: true }],
    ["a redirect elsewhere", { status: 307, headers: { location: "http://127.0.0.1:9/oauth2/token" } }],
  ])("never tells the secret, whatever comes back: %s", async (_name, answer) => {
    stub.refuseTokens(answer);
    const error = await tokens.get().then(
      () => undefined,
      (thrown: unknown) => thrown as Error,
    );
    expect(error?.name).toBe("TokenSourceError");
    const told = `${error?.message} ${error?.stack} ${JSON.stringify(error)} ${String(error?.cause)}`;
    expect(told).not.toContain(stub.clientSecret);
  });
});
