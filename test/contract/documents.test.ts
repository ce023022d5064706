import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { serviceContract } from "../../src/contract/service/service.ts";
import { type ErrorCode, errorCodes } from "../../src/contract/shared/errors.ts";
import { errorsOf, type Operation } from "../../src/contract/shared/operation.ts";
import { aService, BASE_URL, type TestService } from "../support/service.ts";

interface Answered {
  readonly description: string;
  readonly headers?: Readonly<Record<string, unknown>>;
  readonly content?: Readonly<Record<string, { readonly schema?: object; readonly examples?: object }>>;
}

interface Described {
  readonly operationId: string;
  readonly summary: string;
  readonly tags: readonly string[];
  readonly parameters?: readonly { readonly name?: string; readonly in?: string; readonly $ref?: string }[];
  readonly requestBody?: { readonly required: boolean; readonly content: Readonly<Record<string, { schema: object }>> };
  readonly responses: Readonly<Record<string, Answered>>;
}

interface OpenApi {
  readonly openapi: string;
  readonly info: { readonly title: string; readonly version: string };
  readonly servers: readonly { readonly url: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, object>> };
}

const ROWS: readonly Operation[] = Object.values(serviceContract);

let service: TestService;
let document: OpenApi;

beforeAll(async () => {
  service = await aService();
  document = (await (await service.fetch(`${BASE_URL}/openapi.json`)).json()) as OpenApi;
});
afterAll(() => service.stop());

/** The path of a row as OpenAPI writes it. */
function templateOf({ path }: Operation): string {
  return path.replace(/:(\w+)/g, "{$1}");
}

function described(row: Operation): Described {
  const found = document.paths[templateOf(row)]?.[row.method.toLowerCase()];
  if (found === undefined) throw new Error(`${row.name} is not in the document`);
  return found;
}

/** Every value of a document that is under the given name. */
function valuesNamed(name: string, value: unknown): unknown[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, member]) => [
    ...(key === name ? [member] : []),
    ...valuesNamed(name, member),
  ]);
}

describe("/openapi.json", () => {
  it("is OpenAPI 3.1 with a title, a version and the public address, and needs no token", () => {
    expect(document.openapi).toMatch(/^3\.1\.\d$/);
    expect(document.info).toMatchObject({ title: expect.any(String), version: "0.0.0" });
    expect(document.servers).toEqual([{ url: BASE_URL }]);
  });

  it("has every operation, the token endpoint, and nothing else", () => {
    const found = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    const expected = [...ROWS.map((row) => `${row.method} ${templateOf(row)}`), "POST /oauth2/token"];
    expect(found.sort()).toEqual(expected.sort());
  });

  it.each(ROWS.map((row) => [row.name, row] as const))("describes %s whole", (name, row) => {
    const { operationId, summary, tags, parameters = [], requestBody, responses } = described(row);
    expect({ operationId, summary, tags }).toEqual({ operationId: name, summary: row.summary, tags: [row.tag] });
    const query = Object.keys((row.query as { entries?: object } | undefined)?.entries ?? {});
    expect(parameters.filter((each) => each.in === "query").map((each) => each.name)).toEqual(query);
    const takesKey = parameters.some((each) => each.$ref?.endsWith("/IdempotencyKey"));
    expect(takesKey).toBe(row.writes && row.method === "POST");
    expect(requestBody?.required).toBe(row.body === undefined ? undefined : true);
    const types = Object.keys(responses[row.status]?.content ?? {}).sort();
    expect(types).toEqual([...(row.mediaTypes ?? ["application/json"])].sort());
    const codes = Object.values(responses).flatMap(({ content = {} }) =>
      Object.keys(content["application/problem+json"]?.examples ?? {}),
    );
    expect(codes).toEqual(expect.arrayContaining([...errorsOf(row)]));
    for (const code of codes) {
      const status = String(errorCodes[code as ErrorCode].status);
      expect(responses[status]?.content?.["application/problem+json"]?.examples).toHaveProperty(code);
    }
    for (const { description } of Object.values(responses)) expect(description).not.toBe("");
  });

  it("has every shared schema, every reference leads somewhere, and every type is one of JSON Schema", () => {
    const names = ["Transaction", "TransactionInput", "TransactionQr", "User", "Problem", "Id", "Amount", "Details"];
    expect(Object.keys(document.components.schemas)).toEqual(expect.arrayContaining(names));
    for (const reference of valuesNamed("$ref", document)) {
      const steps = String(reference).replace(/^#\//, "").split("/");
      const target = steps.reduce<unknown>((at, step) => (at as Record<string, unknown> | undefined)?.[step], document);
      expect(target, String(reference)).toBeTypeOf("object");
    }
    const types = valuesNamed("type", document.components.schemas)
      .flat()
      .filter((type) => typeof type === "string");
    expect(["array", "boolean", "integer", "null", "number", "object", "string"]).toEqual(
      expect.arrayContaining([...new Set(types)]),
    );
  });

  it("describes the month of close-month as that is written, not as that of the accounting report", () => {
    const month = (value: unknown) =>
      valuesNamed("month", value).flatMap((each) => (each as { description?: string }).description ?? []);
    const closing = described(serviceContract.closeMonth);
    for (const part of [closing.requestBody, closing.responses[200]]) {
      expect(month(part)).toEqual([expect.stringContaining("YYYY-MM")]);
    }
    const { parameters = [] } = described(serviceContract.getAccountingReport);
    expect(parameters.find(({ name }) => name === "month")).toMatchObject({
      description: expect.stringContaining("1 to 12"),
    });
  });

  it("says what a field means before its rules", () => {
    const properties = valuesNamed("properties", [document.paths, document.components]).flatMap((each) =>
      Object.entries(each as Readonly<Record<string, { readonly description?: string }>>),
    );
    expect(properties.filter(([, { description = "" }]) => /^must\b/i.test(description))).toEqual([]);
    const rules = properties.filter(([, { description = "" }]) => / It must\b/.test(description));
    expect(new Set(rules.map(([name]) => name))).toContain("from_user");
  });

  it("permits any property in the caller's own data and in other free objects", () => {
    const { Details, FreeObject, AnswerObject } = document.components.schemas;
    for (const free of [Details, FreeObject, AnswerObject]) {
      expect(free).toMatchObject({ type: "object", additionalProperties: true });
    }
  });

  it("may be kept for a while, and is 304 while unchanged", async () => {
    const response = await service.fetch(`${BASE_URL}/openapi.json`);
    expect(response.headers.get("cache-control")).toBe("public, max-age=300");
    const headers = { "if-none-match": response.headers.get("etag") ?? "" };
    expect((await service.fetch(`${BASE_URL}/openapi.json`, { headers })).status).toBe(304);
  });
});

describe("health", () => {
  it.each(["live", "ready"])("says %s without a token, is never kept, and answers HEAD and OPTIONS", async (name) => {
    const address = `${BASE_URL}/health/${name}`;
    const response = await service.fetch(address);
    expect([response.status, await response.json()]).toEqual([200, { status: name }]);
    expect(response.headers.get("cache-control")).toBe("no-store");
    expect((await service.fetch(address, { method: "HEAD" })).status).toBe(200);
    expect((await service.fetch(address, { method: "OPTIONS" })).headers.get("allow")).toBe("HEAD, GET, OPTIONS");
    expect((await service.fetch(address, { method: "POST" })).status).toBe(405);
  });

  it("is live but not ready, and answers 503 with Retry-After, when the database is away", async () => {
    const lost = await aService();
    const entity = await lost.anEntity();
    await entity.client.user({ query: { nit: "1" } }).catch(() => undefined);
    await lost.sql.end();
    expect((await lost.fetch(`${BASE_URL}/health/live`)).status).toBe(200);
    const ready = await lost.fetch(`${BASE_URL}/health/ready`);
    expect([ready.status, ready.headers.get("retry-after")]).toEqual([503, "1"]);
    await expect(entity.client.user({ query: { nit: "1" } })).rejects.toMatchObject({
      code: "unavailable",
      retryAfter: 1,
    });
    const body = { name: "Ana", nit: "1", phone: "3001234567" };
    await expect(entity.client.createUser({ body })).rejects.toMatchObject({ code: "unavailable" });
    await lost.stop();
  });
});
