import { createHmac, generateKeyPairSync, randomBytes, sign } from "node:crypto";
import fc from "fast-check";
import { decodeJwt, decodeProtectedHeader } from "jose";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ApiError } from "../../../src/contract/shared/errors.ts";
import { ORDINARY_SCOPES } from "../../../src/contract/shared/scopes.ts";
import { aTokenFixture, type TokenFixture, type TokenProcess } from "../../../test/support/token-fixture.ts";
import { createSealer } from "../../database/sealer.ts";
import { apiClientSecretId, hashApiClientSecret } from "../api-clients/api-client-secret.ts";
import { disableApiClient, rotateApiClient } from "../api-clients/change-api-client.ts";
import { ROTATION_LEAD_MS, revokeSigningKey, rotateSigningKey } from "../keys/signing-key-store.ts";
import type { ApiCaller } from "../shared/service-context.ts";

let fixture: TokenFixture;
let here: TokenProcess;
beforeEach(async () => {
  fixture = await aTokenFixture();
  here = await fixture.aProcess();
});
afterEach(() => fixture.drop());

const CALLER: ApiCaller = {
  clientId: "client_AAAAAAAAAAAAAAAA",
  entityId: "01890a5d-ac96-774b-bcce-b302099a8057",
  scopes: ORDINARY_SCOPES,
  secretId: "9f86d081",
};
const making = () => ({ sealer: createSealer(fixture.key, randomBytes), randomBytes, now: fixture.clock() });
const issue = async (process = here) => (await process.accessTokens.issueAccessToken(CALLER)).accessToken;
const verify = (token: string, process = here) => process.accessTokens.verifyAccessToken(token);

/** The outcome of verifying a token: its caller, or the code of the refusal. */
async function outcomeOf(token: string, process = here): Promise<unknown> {
  try {
    return await verify(token, process);
  } catch (error) {
    if (error instanceof ApiError) return error.code;
    throw error;
  }
}

/** Forges a token of the given parts, signed by any signer. */
function forge(header: object, claims: object, signer: (signed: string) => Uint8Array): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const signed = `${part(header)}.${part(claims)}`;
  return `${signed}.${Buffer.from(signer(signed)).toString("base64url")}`;
}

const foreignKey = generateKeyPairSync("ed25519").privateKey;
const foreignSigner = (signed: string) => sign(null, Buffer.from(signed), foreignKey);

describe("an access token", () => {
  it("stands for its client and entity, in every process", async () => {
    const token = await issue();
    expect(await verify(token)).toEqual(CALLER);
    expect(await verify(token, await fixture.aProcess())).toEqual(CALLER);
  });

  it("is a JWT by RFC 9068 with everything that the RFC asks for", async () => {
    const token = await issue();
    const { kid } = await here.signingKeys.tokenSigner();
    const iat = Math.floor(fixture.clock().getTime() / 1000);
    expect(decodeProtectedHeader(token)).toEqual({ alg: "EdDSA", typ: "at+jwt", kid });
    expect(decodeJwt(token)).toEqual({
      iss: "https://auth.cupo.example",
      aud: "https://api.cupo.example",
      sub: CALLER.clientId,
      client_id: CALLER.clientId,
      entity_id: CALLER.entityId,
      secret_id: CALLER.secretId,
      scope: "read pay users quota",
      iat,
      exp: iat + 3600,
      jti: expect.stringMatching(/^[\w-]{22}$/),
    });
    expect(decodeJwt(await issue()).jti).not.toBe(decodeJwt(token).jti);
  });

  it("is good for an hour and not a second more, remembered or not", async () => {
    const [remembered, unseen] = [await issue(), await issue()];
    fixture.clock.advance(3599);
    expect(await outcomeOf(remembered)).toEqual(CALLER);
    fixture.clock.advance(1);
    expect(await outcomeOf(remembered)).toBe("unauthorized");
    expect(await outcomeOf(unseen)).toBe("unauthorized");
  });

  it("is good for what it was asked for, and with administration for five minutes", async () => {
    const scopes = ["read", "administration"] as const;
    const issued = await here.accessTokens.issueAccessToken({ ...CALLER, scopes });
    expect(issued).toMatchObject({ expiresInSeconds: 300, scopes });
    expect(decodeJwt(issued.accessToken).scope).toBe("read administration");
    fixture.clock.advance(299);
    expect(await outcomeOf(issued.accessToken)).toEqual({ ...CALLER, scopes });
    fixture.clock.advance(1);
    expect(await outcomeOf(issued.accessToken)).toBe("unauthorized");
  });

  it("of the version before names no scope and no secret, and goes on without administration", async () => {
    const token = await issue();
    const { scope: _scope, secret_id: _secret, ...claims } = decodeJwt(token);
    const { privateKey } = await here.signingKeys.tokenSigner();
    const old = forge(decodeProtectedHeader(token), claims, (signed) => sign(null, Buffer.from(signed), privateKey));
    expect(await outcomeOf(old)).toEqual({ ...CALLER, secretId: undefined });
  });

  it("is refused when any character of it is altered", async () => {
    const token = await issue();
    for (let index = 0; index < token.length; index += 1) {
      const other = token[index] === "A" ? "Q" : "A";
      expect(await outcomeOf(token.slice(0, index) + other + token.slice(index + 1))).toBe("unauthorized");
    }
  });

  it("is refused with another signature, key, algorithm, type, issuer or audience", async () => {
    const token = await issue();
    const { header, claims } = { header: decodeProtectedHeader(token), claims: decodeJwt(token) };
    const { privateKey } = await here.signingKeys.tokenSigner();
    const ourSigner = (signed: string) => sign(null, Buffer.from(signed), privateKey);
    const [jwk] = await here.signingKeys.tokenJwks();
    const hmac = (secret: Uint8Array) => (signed: string) => createHmac("sha256", secret).update(signed).digest();
    const publicBytes = Buffer.from(jwk?.x ?? "", "base64url");
    const tokens = [
      forge(header, claims, foreignSigner),
      forge({ ...header, kid: "none" }, claims, foreignSigner),
      forge({ ...header, kid: undefined }, claims, ourSigner),
      forge({ ...header, jwk: { kty: "OKP", crv: "Ed25519", x: "AA" } }, claims, foreignSigner),
      forge({ ...header, alg: "none" }, claims, () => new Uint8Array()),
      forge({ ...header, alg: "HS256" }, claims, hmac(publicBytes)),
      forge({ ...header, typ: "JWT" }, claims, ourSigner),
      forge({ ...header, crit: ["b64"], b64: false }, claims, ourSigner),
      forge(header, { ...claims, iss: "https://other.example" }, ourSigner),
      forge(header, { ...claims, aud: "https://other.example" }, ourSigner),
      forge(header, { ...claims, exp: undefined }, ourSigner),
      forge(header, { ...claims, exp: "never" }, ourSigner),
      forge(header, { ...claims, entity_id: undefined }, ourSigner),
      forge(header, { ...claims, client_id: 7 }, ourSigner),
      forge(header, { ...claims, scope: ["administration"] }, ourSigner),
      forge(header, { ...claims, secret_id: 7 }, ourSigner),
    ];
    expect(await outcomeOf(forge(header, claims, ourSigner))).toEqual(CALLER);
    for (const forged of tokens) expect(await outcomeOf(forged)).toBe("unauthorized");
  });

  it("is refused from another service, even one with the same addresses", async () => {
    const other = await aTokenFixture();
    try {
      expect(await outcomeOf(await issue(await other.aProcess()))).toBe("unauthorized");
    } finally {
      await other.drop();
    }
  });

  it("is not what signs QR codes: their key is no token key", async () => {
    const token = await issue();
    const kid = here.signingKeys.qr.currentKeyId();
    const header = { ...decodeProtectedHeader(token), kid };
    const forged = forge(header, decodeJwt(token), (signed) => here.signingKeys.qr.sign(Buffer.from(signed)));
    expect(await outcomeOf(forged)).toBe("unauthorized");
  });

  it("is the only text that is accepted: any other is refused and nothing breaks", async () => {
    const texts = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.array(fc.base64String(), { maxLength: 6 }).map((parts) => parts.join(".")),
      fc.json().map((json) => `${Buffer.from(json).toString("base64url")}.e30.AAAA`),
      fc.constant("x".repeat(100_000)),
    );
    await fc.assert(
      fc.asyncProperty(texts, async (text) => {
        expect(await outcomeOf(text)).toBe("unauthorized");
      }),
      { numRuns: 300 },
    );
  });
});

describe("checking tokens", () => {
  it("reads the database no more than twice a minute, however many requests there are", async () => {
    const tokens = await Promise.all(Array.from({ length: 20 }, () => issue()));
    const before = fixture.reads();
    for (let second = 0; second < 60; second += 1) {
      await Promise.all(tokens.map((token) => verify(token)));
      fixture.clock.advance(1);
    }
    // Keys and disabled clients: one reading each when due.
    expect(fixture.reads() - before).toBeLessThanOrEqual(4);
  });

  it("goes on when more tokens are about than are remembered", async () => {
    const process = await fixture.aProcess({ maxRemembered: 3 });
    const tokens = await Promise.all(Array.from({ length: 10 }, () => issue(process)));
    for (const token of [...tokens, ...tokens]) expect(await outcomeOf(token, process)).toEqual(CALLER);
  });

  it("goes on over a rotation: old tokens live out their hour, new ones have the new key", async () => {
    const there = await fixture.aProcess();
    await fixture.sql.begin((tx) => rotateSigningKey(tx, "token", making()));
    fixture.clock.advance(ROTATION_LEAD_MS / 1000 - 1);
    const old = await issue();
    fixture.clock.advance(61);
    const fresh = await issue();
    expect(decodeProtectedHeader(fresh).kid).not.toBe(decodeProtectedHeader(old).kid);
    for (const process of [here, there, await fixture.aProcess()]) {
      expect(await outcomeOf(old, process)).toEqual(CALLER);
      expect(await outcomeOf(fresh, process)).toEqual(CALLER);
    }
  });

  it("refuses within a minute what a revoked key signed, though remembered", async () => {
    const token = await issue();
    await verify(token);
    await fixture.sql.begin((tx) => revokeSigningKey(tx, decodeProtectedHeader(token).kid ?? "", making()));
    fixture.clock.advance(60);
    expect(await outcomeOf(token)).toBe("unauthorized");
    expect(await outcomeOf(await issue())).toEqual(CALLER);
  });

  it("refuses a disabled client's tokens within a minute in every process, and no one else's", async () => {
    const [client, there] = [await fixture.aClient(), await fixture.aProcess()];
    const { accessToken: token } = await here.accessTokens.issueAccessToken({ ...CALLER, ...client });
    const bystander = await issue();
    for (const process of [here, there]) expect(await outcomeOf(token, process)).not.toBe("unauthorized");
    fixture.clock.advance(5);
    await fixture.sql.begin((tx) => disableApiClient(tx, client, fixture.clock()));
    // Nobody asked in between: an idle process must not let the first request through.
    fixture.clock.advance(59);
    for (const process of [here, there]) expect(await outcomeOf(token, process)).toBe("unauthorized");
    expect(await outcomeOf(bystander)).toEqual(CALLER);
  });

  it("refuses a retired secret's tokens within a minute in every process, and no other's", async () => {
    const [client, there] = [await fixture.aClient(), await fixture.aProcess()];
    const tokenOf = async (clientSecret: string) => {
      const secretId = apiClientSecretId(hashApiClientSecret(clientSecret));
      return (await here.accessTokens.issueAccessToken({ ...CALLER, ...client, secretId })).accessToken;
    };
    const token = await tokenOf(client.clientSecret);
    for (const process of [here, there]) expect(await outcomeOf(token, process)).not.toBe("unauthorized");
    const retire = [apiClientSecretId(hashApiClientSecret(client.clientSecret))];
    const rotated = await fixture.sql.begin((tx) =>
      rotateApiClient(tx, client, { retire, newSecret: true }, { now: fixture.clock(), randomBytes }),
    );
    const fresh = await tokenOf("clientSecret" in rotated ? (rotated.clientSecret ?? "") : "");
    fixture.clock.advance(59);
    for (const process of [here, there]) {
      expect(await outcomeOf(token, process)).toBe("unauthorized");
      expect(await outcomeOf(fresh, process)).toMatchObject({ clientId: client.clientId });
    }
  });
});
