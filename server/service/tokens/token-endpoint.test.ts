import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import * as oauth from "oauth4webapi";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { TokenAnswer, TokenError } from "../../../src/contract/service/token.ts";
import { fits } from "../../../src/contract/shared/validate.ts";
import { aTokenFixture, type TokenFixture, type TokenProcess } from "../../../test/support/token-fixture.ts";
import { apiClientSecretId, hashApiClientSecret } from "../api-clients/api-client-secret.ts";
import type { ApiClientCredentials } from "../api-clients/api-clients.ts";
import { disableApiClient } from "../api-clients/change-api-client.ts";
import { createWellKnown } from "../well-known.ts";

const AUDIENCE = "https://api.cupo.example";
const JSON_TYPE = "application/json";
const installation = { currency: "COP", decimals: 2, time_zone: "America/Bogota" };
const FORM_TYPE = "application/x-www-form-urlencoded";

let fixture: TokenFixture;
let issuer: string;
let process: TokenProcess;
let client: ApiClientCredentials & { readonly entityId: string };
/** The address that requests seem to come from; each test has its own, so that no test uses up another's limit. */
let address = "";
let routes: Readonly<Record<string, (request: Request) => Promise<Response>>> = {};

async function answerToken(request: Request): Promise<Response> {
  const { status, headers, body } = await process.endpoint.grantToken({
    contentType: request.headers.get("content-type"),
    authorization: request.headers.get("authorization"),
    body: new Uint8Array(await request.arrayBuffer()),
    address,
  });
  return new Response(body, { status, headers });
}

/** A minimal adapter from Node's server to web handlers. */
async function serve(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  const { method = "GET", url = "/", headers } = incoming;
  const body = method === "POST" ? { body: Readable.toWeb(incoming) as ReadableStream, duplex: "half" as const } : {};
  const request = new Request(new URL(url, issuer), { method, headers: headers as Record<string, string>, ...body });
  const handler = routes[new URL(request.url).pathname];
  const response = handler === undefined ? new Response(null, { status: 404 }) : await handler(request);
  outgoing.writeHead(response.status, Object.fromEntries(response.headers));
  outgoing.end(Buffer.from(await response.arrayBuffer()));
}

const server = createServer((incoming, outgoing) => {
  serve(incoming, outgoing).catch((error: unknown) => outgoing.writeHead(500).end(String(error)));
});

beforeAll(async () => {
  fixture = await aTokenFixture();
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  // The OAuth library checks tokens by the wall clock.
  fixture.clock.advance((Date.now() - fixture.clock().getTime()) / 1000);
  process = await fixture.aProcess({ issuer });
  const documents = createWellKnown({ signingKeys: process.signingKeys, issuer, qrGuid: "co.qp", installation });
  routes = {
    "/oauth2/token": answerToken,
    ...Object.fromEntries(
      Object.entries(documents).map(([path, read]) => [path, async () => Response.json(await read())]),
    ),
  };
  client = await fixture.aClient();
});

afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await fixture.drop();
});

async function post(
  body: string | Uint8Array<ArrayBuffer>,
  contentType = JSON_TYPE,
  headers: Record<string, string> = {},
): Promise<{ status: number; headers: Headers; body: unknown }> {
  const answer = await fetch(`${issuer}/oauth2/token`, {
    method: "POST",
    headers: { "content-type": contentType, ...headers },
    body,
  });
  return { status: answer.status, headers: answer.headers, body: await answer.json() };
}

const jsonOf = ({ clientId, clientSecret }: ApiClientCredentials) =>
  JSON.stringify({ client_id: clientId, client_secret: clientSecret });
const basicOf = (id: string, secret: string) => ({
  authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString("base64")}`,
});
const secretIdOf = ({ clientSecret }: ApiClientCredentials) => apiClientSecretId(hashApiClientSecret(clientSecret));
const GRANT = "grant_type=client_credentials";

describe("the token endpoint", () => {
  it("grants a token for the JSON of the reference, which nobody may keep", async () => {
    address = "granted";
    const { status, headers, body } = await post(jsonOf(client));
    expect(status).toBe(200);
    const scope = "read pay users quota";
    expect(body).toEqual({ access_token: expect.any(String), token_type: "Bearer", expires_in: 3600, scope });
    expect(fits(TokenAnswer, body)).toBe(true);
    expect(headers.get("cache-control")).toBe("no-store");
    const { access_token } = body as { access_token: string };
    const { clientId, entityId } = client;
    const caller = { clientId, entityId, scopes: scope.split(" "), secretId: secretIdOf(client) };
    expect(await process.accessTokens.verifyAccessToken(access_token)).toEqual(caller);
  });

  it.each([
    ["client_secret_basic", oauth.ClientSecretBasic],
    ["client_secret_post", oauth.ClientSecretPost],
  ])("works with an OAuth library, from discovery to the checked token: %s", async (_name, authenticationOf) => {
    address = "library";
    const insecure = { [oauth.allowInsecureRequests]: true };
    const found = await oauth.discoveryRequest(new URL(issuer), { algorithm: "oauth2", ...insecure });
    const metadata = await oauth.processDiscoveryResponse(new URL(issuer), found);
    const { clientId, clientSecret } = client;
    const registration = { client_id: clientId };
    const answer = await oauth.clientCredentialsGrantRequest(
      metadata,
      registration,
      authenticationOf(clientSecret),
      new URLSearchParams({ scope: "pay read" }),
      insecure,
    );
    const granted = await oauth.processClientCredentialsResponse(metadata, registration, answer);
    const request = new Request(AUDIENCE, { headers: { authorization: `Bearer ${granted.access_token}` } });
    const claims = await oauth.validateJwtAccessToken(metadata, request, AUDIENCE, insecure);
    expect(claims).toMatchObject({ iss: issuer, sub: clientId, client_id: clientId, entity_id: client.entityId });
  });

  it("takes every other spelling of a right request", async () => {
    address = "spellings";
    const { clientId, clientSecret } = client;
    const escaped = (text: string) => text.replaceAll("_", "%5F");
    const granted = [
      post(jsonOf(client), "Application/JSON; charset=UTF-8"),
      post(JSON.stringify({ ...JSON.parse(jsonOf(client)), grant_type: "client_credentials", extra: 1 })),
      post(`${GRANT}&client_id=${clientId}&client_secret=${clientSecret}&scope=&other=1`, FORM_TYPE),
      post(GRANT, FORM_TYPE, basicOf(clientId, clientSecret)),
      post(GRANT, FORM_TYPE, basicOf(escaped(clientId), escaped(clientSecret))),
      post(`${GRANT}&client_id=${clientId}&client_secret=`, FORM_TYPE, basicOf(clientId, clientSecret)),
      post("{}", JSON_TYPE, basicOf(clientId, clientSecret)),
    ];
    expect((await Promise.all(granted)).map(({ status }) => status)).toEqual(granted.map(() => 200));
  });

  it("says of every wrong request what is wrong, in the form of RFC 6749, and repeats nothing of it", async () => {
    address = "wrong";
    const { clientId, clientSecret } = client;
    const form = `client_id=${clientId}&client_secret=${clientSecret}`;
    const basic = basicOf(clientId, clientSecret);
    const refusals: [number, string, RegExp, ReturnType<typeof post>][] = [
      [400, "invalid_request", /^client_id and client_secret are required/, post("{}")],
      [400, "invalid_request", /^client_secret is required/, post(JSON.stringify({ client_id: clientId }))],
      [400, "invalid_request", /^client_id is required/, post('{"client_id":null,"client_secret":"s"}')],
      [400, "invalid_request", /^client_id must be a string/, post('{"client_id":7,"client_secret":"s"}')],
      [400, "invalid_request", /not JSON: it ends too early/, post('{"client_id":')],
      [400, "invalid_request", /is empty/, post("")],
      [400, "invalid_request", /64 levels/, post("[".repeat(100_000))],
      [400, "invalid_request", /^client_id must be sent once/, post(`{"client_id":"x",${jsonOf(client).slice(1)}`)],
      [400, "invalid_request", /a name twice/, post(`${jsonOf(client).slice(0, -1)},"\\"é":{"a":1,"a":2}}`)],
      [400, "invalid_request", /must be an object/, post("[]")],
      [400, "invalid_request", /must be an object/, post("null")],
      [400, "invalid_request", /not valid UTF-8/, post(Uint8Array.of(0x22, 0xff, 0x22))],
      [400, "invalid_request", /UTF-8/, post(jsonOf(client), "application/json; charset=latin1")],
      [400, "invalid_request", /application\/json or/, post(jsonOf(client), "text/plain")],
      [400, "invalid_request", /^grant_type is required/, post(form, FORM_TYPE)],
      [400, "invalid_request", /^grant_type is required/, post("", FORM_TYPE)],
      [400, "invalid_request", /^client_secret is required/, post(`${GRANT}&client_id=x`, FORM_TYPE)],
      [400, "invalid_request", /^client_id must be sent once/, post(`${GRANT}&${form}&client_id=x`, FORM_TYPE)],
      [400, "invalid_request", /not both/, post(`${GRANT}&${form}`, FORM_TYPE, basic)],
      [400, "invalid_request", /not both/, post(jsonOf(client), JSON_TYPE, basic)],
      [400, "invalid_request", /not the same/, post(`${GRANT}&client_id=x`, FORM_TYPE, basic)],
      [400, "unsupported_grant_type", /client_credentials/, post(`grant_type=password&${form}`, FORM_TYPE)],
      [400, "unsupported_grant_type", /client_credentials/, post('{"grant_type":"authorization_code"}')],
      [401, "invalid_client", /Send client_id and client_secret/, post(GRANT, FORM_TYPE)],
      [401, "invalid_client", /HTTP Basic/, post(GRANT, FORM_TYPE, { authorization: "Bearer abc" })],
      [401, "invalid_client", /HTTP Basic/, post(GRANT, FORM_TYPE, { authorization: "Basic ***" })],
      [401, "invalid_client", /HTTP Basic/, post(GRANT, FORM_TYPE, { authorization: "Basic YQ==" })],
      [401, "invalid_client", /HTTP Basic/, post(GRANT, FORM_TYPE, basicOf("%", clientSecret))],
      [401, "invalid_client", /wrong/, post(GRANT, FORM_TYPE, basicOf(clientId, "cs_wrong"))],
      [401, "invalid_client", /wrong/, post('{"client_id":"nobody","client_secret":"cs_wrong"}')],
      [401, "invalid_client", /wrong/, post('{"client_id":"\\u0000","client_secret":"\\u0000"}')],
    ];
    for (const [status, error, description, answered] of refusals) {
      const answer = await answered;
      expect(answer).toMatchObject({ status, body: { error, error_description: expect.stringMatching(description) } });
      expect(fits(TokenError, answer.body)).toBe(true);
      expect(answer.headers.get("content-type")).toBe("application/json");
      expect(answer.headers.get("cache-control")).toBe("no-store");
      const challenge = status === 401 ? 'Basic realm="cupo", charset="UTF-8"' : null;
      expect(answer.headers.get("www-authenticate")).toBe(challenge);
      expect(JSON.stringify(answer.body)).not.toMatch(/cs_|nobody|password/);
    }
  });

  it("grants the scopes that are asked for, in either form, says so, and refuses others", async () => {
    address = "scopes";
    const asJson = (scope: unknown) => post(JSON.stringify({ ...JSON.parse(jsonOf(client)), scope }));
    const granted = (scope: string, seconds: number) => ({ status: 200, body: { scope, expires_in: seconds } });
    expect(await asJson("read")).toMatchObject(granted("read", 3600));
    const basic = basicOf(client.clientId, client.clientSecret);
    expect(await post(`${GRANT}&scope=read+administration`, FORM_TYPE, basic)).toMatchObject(
      granted("read administration", 300),
    );
    for (const no of [null, ""]) expect(await asJson(no)).toMatchObject(granted("read pay users quota", 3600));
    expect(await asJson("everything")).toMatchObject({ status: 400, body: { error: "invalid_scope" } });
  });

  it("grants nothing to a disabled client", async () => {
    address = "disabled";
    const disabled = await fixture.aClient();
    await fixture.sql.begin((tx) => disableApiClient(tx, disabled, fixture.clock()));
    expect(await post(jsonOf(disabled))).toMatchObject({ status: 401, body: { error: "invalid_client" } });
  });
});

describe("wrong secrets", () => {
  /** Tries wrong secrets until the endpoint answers other than 401; returns the number of 401s. */
  async function wrongUntilRefused(victim: (index: number) => string, most = 200) {
    for (let index = 0; index < most; index += 1) {
      const body = JSON.stringify({ client_id: victim(index), client_secret: "cs_wrong" });
      const answer = await post(body);
      if (answer.status !== 401) return { borne: index, answer };
    }
    throw new Error("was never refused");
  }

  it("are limited per client, from whatever addresses they come, and the answer says when to try again", async () => {
    const victim = await fixture.aClient();
    let borne = 0;
    for (const from of ["10.0.0.1", "10.0.0.2"]) {
      address = from;
      const refused = await wrongUntilRefused(() => victim.clientId);
      expect(refused.answer).toMatchObject({ status: 429, body: { error: "temporarily_unavailable" } });
      expect(Number(refused.answer.headers.get("retry-after"))).toBeGreaterThan(0);
      expect(fits(TokenError, refused.answer.body)).toBe(true);
      borne += refused.borne;
    }
    expect(borne).toBe(20);
    fixture.clock.advance(60);
    const wrong = JSON.stringify({ client_id: victim.clientId, client_secret: "cs_wrong" });
    expect((await post(wrong)).status).toBe(401);
  });

  it("are limited per address, whatever clients they are for, and other addresses go on", async () => {
    address = "10.1.0.1";
    const { borne, answer } = await wrongUntilRefused((index) => `client_${String(index).padStart(16, "0")}`);
    expect(borne).toBe(60);
    expect(answer.status).toBe(429);
    address = "10.1.0.2";
    expect((await wrongUntilRefused(() => "client_0000000000000999")).borne).toBeGreaterThan(0);
  });

  it("lock out nobody whose secret is right, at whatever address and of whatever client they are", async () => {
    const victim = await fixture.aClient();
    address = "10.2.0.1";
    await wrongUntilRefused(() => victim.clientId);
    await wrongUntilRefused((index) => `client_${String(index).padStart(16, "1")}`);
    for (const right of [victim, client]) expect((await post(jsonOf(right))).status).toBe(200);
  });

  it("alone count: many right ones at once are all granted", async () => {
    const fresh = await fixture.aClient();
    address = "10.3.0.1";
    const answers = await Promise.all(Array.from({ length: 150 }, () => post(jsonOf(fresh))));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  });
});

describe("the well-known documents", () => {
  it("say where tokens are to be had and with which keys they and the QRs are checked", async () => {
    const read = async (path: string) => await (await fetch(issuer + path)).json();
    expect(await read("/.well-known/oauth-authorization-server")).toEqual({
      issuer,
      token_endpoint: `${issuer}/oauth2/token`,
      jwks_uri: `${issuer}/.well-known/jwks.json`,
      scopes_supported: ["read", "pay", "users", "quota", "administration"],
      grant_types_supported: ["client_credentials"],
      token_endpoint_auth_methods_supported: ["client_secret_basic", "client_secret_post"],
      response_types_supported: [],
    });
    expect(await read("/.well-known/cupo-installation.json")).toEqual(installation);
    const jwks = (await read("/.well-known/jwks.json")) as { keys: Record<string, string>[] };
    expect(jwks.keys).toEqual([
      { kty: "OKP", crv: "Ed25519", alg: "EdDSA", use: "sig", kid: expect.any(String), x: expect.any(String) },
    ]);
    expect(await read("/.well-known/cupo-qr-keys.json")).toEqual({
      guid: "co.qp",
      keys: [{ kid: process.signingKeys.qr.currentKeyId(), key: expect.any(String), not_before: expect.any(String) }],
    });
  });
});
