import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { createConfig, lint } from "@redocly/openapi-core";
import * as oauth from "oauth4webapi";
import { generateSource } from "oazapfts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { aListeningService, type ListeningService } from "../support/listening-service.ts";
import type { TestEntity } from "../support/service.ts";

const run = promisify(execFile);
const PACKAGES = join(import.meta.dirname, "../../node_modules");
const RUNTIME = dirname(createRequire(import.meta.url).resolve("@oazapfts/runtime"));
const COMPILER = join(PACKAGES, "typescript/bin/tsc");
const STRICT = ["--strict", "--noUncheckedIndexedAccess", "--skipLibCheck", "--allowImportingTsExtensions", "--noEmit"];
const FOR_NODE = [
  "--module",
  "nodenext",
  "--target",
  "es2024",
  "--types",
  "node",
  "--typeRoots",
  join(PACKAGES, "@types"),
];

let service: ListeningService;
let fintech: TestEntity;

beforeAll(async () => {
  service = await aListeningService();
  fintech = await service.anEntity();
});
afterAll(() => service.stop());

describe("an OpenAPI linter", () => {
  it("has nothing to say of the document that the service serves, by its strictest set of rules", async () => {
    const config = await createConfig({ extends: ["recommended-strict"] });
    const problems = await lint({ ref: `${service.baseUrl}/openapi.json`, config });
    const sentences = problems.map(
      ({ ruleId, message, location }) => `${ruleId}: ${message} At ${location.map(({ pointer }) => pointer).join()}`,
    );
    expect(sentences).toEqual([]);
  });
});

describe("an OAuth client library", () => {
  it.each([
    ["HTTP Basic", oauth.ClientSecretBasic],
    ["the form body", oauth.ClientSecretPost],
  ])("finds the token endpoint, gets a token by %s, and calls an operation with it", async (_way, authenticationBy) => {
    // The library's one option: the test's address is no https one.
    const insecure = { [oauth.allowInsecureRequests]: true };
    const issuer = new URL(service.baseUrl);
    const found = await oauth.discoveryRequest(issuer, { algorithm: "oauth2", ...insecure });
    const server = await oauth.processDiscoveryResponse(issuer, found);
    const client = { client_id: fintech.clientId };
    const authentication = authenticationBy(fintech.clientSecret);
    const answer = await oauth.clientCredentialsGrantRequest(server, client, authentication, {}, insecure);
    const granted = await oauth.processClientCredentialsResponse(server, client, answer);
    const address = new URL("/user?nit=1", issuer);
    const call = (token: string) =>
      oauth.protectedResourceRequest(token, "GET", address, new Headers(), null, insecure);
    const response = await call(granted.access_token);
    expect([response.status, await response.json()]).toMatchObject([404, { code: "user_not_found" }]);
    // The library reads the challenge of a refused token by itself.
    await expect(call(`${granted.access_token}x`)).rejects.toMatchObject({
      cause: [{ scheme: "bearer", parameters: { realm: "cupo", error: "invalid_token" } }],
    });
  });

  it("understands a refused secret", async () => {
    const server = { issuer: service.baseUrl, token_endpoint: `${service.baseUrl}/oauth2/token` };
    const client = { client_id: fintech.clientId };
    const wrong = oauth.ClientSecretPost("wrong");
    const answer = await oauth.clientCredentialsGrantRequest(
      server,
      client,
      wrong,
      {},
      {
        [oauth.allowInsecureRequests]: true,
      },
    );
    await expect(oauth.processClientCredentialsResponse(server, client, answer)).rejects.toMatchObject({
      status: 401,
      cause: [{ scheme: "basic" }],
    });
  });
});

/** A program that a fintech's developer writes against the generated client, types included. */
const PROGRAM = `
import { ok } from "@oazapfts/runtime";
import * as cupo from "./client.ts";

const [clientId = "", clientSecret = ""] = process.argv.slice(2);
const granted = await ok(cupo.token({ client_id: clientId, client_secret: clientSecret }));
cupo.defaults.headers = { Authorization: "Bearer " + granted.access_token };

const ana: cupo.User = await ok(cupo.createUser({ name: "Ana Torres", nit: "52345678", phone: "300 765 4321" }));
const shop: cupo.User = await ok(cupo.createUser({ name: "Café Central", nit: "900123456-7", phone: "+573007654322" }));
await ok(cupo.addQuota({ nit: ana.nit, amount: "500000.50", loan_type: "default", payment_date: "2900-01-01" }));

const details = { order: "A-1027", lines: [{ item: "coffee", count: 2 }] };
const body: cupo.TransactionInput = { amount: 25_000.25, from_user_id: ana.id, to_user_id: shop.id, details };
// @ts-expect-error the amount of a payment is a number, and the compiler knows it
const mistaken: cupo.TransactionInput = { ...body, amount: "25000" };
const paid = await ok(cupo.createTransaction(body, { idempotencyKey: "one" }));
const order = paid.details.order;
const again = await ok(cupo.createTransaction(body, { idempotencyKey: "one" }));
const history: cupo.Transaction[] = await ok(cupo.transactionHistory(shop.id, { limit: "10" }));
const rest: number | null = (await ok(cupo.user({ id: ana.id }))).quota;

const refused = await cupo.createUser({ name: "Ana again", nit: "52345678", phone: "300 765 4323" });
if (refused.status !== 409) throw new Error("a nit was taken twice");
const code: "duplicate_user" | "idempotency_key_void" | "request_in_progress" | undefined = refused.data.code;

const seen = history.map(({ id, status, amount }) => ({ id, status, amount }));
console.log(JSON.stringify({ paid: paid.id, again: again.id, status: paid.status, order, seen, rest, code }));
`;

describe("a generated client", () => {
  it("is generated from the served document, compiles strictly, gets a token, pays, reads, is refused", async () => {
    const folder = await mkdtemp(join(tmpdir(), "cupo-generated-client-"));
    try {
      await mkdir(join(folder, "node_modules/@oazapfts"), { recursive: true });
      await symlink(RUNTIME, join(folder, "node_modules/@oazapfts/runtime"), "junction");
      await writeFile(join(folder, "package.json"), '{"type":"module"}');
      await writeFile(join(folder, "program.ts"), PROGRAM);
      const node = (...parameters: string[]) => run(process.execPath, parameters, { cwd: folder });
      await writeFile(join(folder, "client.ts"), await generateSource(`${service.baseUrl}/openapi.json`));
      const compiled = await node(COMPILER, ...STRICT, ...FOR_NODE, "program.ts").catch((error: unknown) => error);
      expect(compiled).toEqual({ stdout: "", stderr: "" });
      const { stdout } = await node("program.ts", fintech.clientId, fintech.clientSecret);
      const { paid, ...told } = JSON.parse(stdout);
      const seen = [{ id: paid, status: "approved", amount: 25_000.25 }];
      expect(told).toEqual({
        again: paid,
        status: "approved",
        order: "A-1027",
        seen,
        rest: 475_000.25,
        code: "duplicate_user",
      });
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});
