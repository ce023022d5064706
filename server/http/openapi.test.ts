import { describe, expect, it } from "vitest";
import { brokerContract } from "../../src/contract/broker/broker.ts";
import { serviceContract } from "../../src/contract/service/service.ts";
import { TokenError, token } from "../../src/contract/service/token.ts";
import { Transaction } from "../../src/contract/service/transactions.ts";
import { type ErrorCode, errorCodes } from "../../src/contract/shared/errors.ts";
import { errorsOf, type Operation } from "../../src/contract/shared/operation.ts";
import { scopes } from "../../src/contract/shared/scopes.ts";
import { faultsOf } from "../../src/contract/shared/validate.ts";
import { sampleApp } from "../../test/support/sample-http-app.ts";
import { openApiOf } from "./openapi.ts";

interface Described {
  readonly operationId: string;
  readonly parameters?: { name?: string; in?: string; required?: boolean }[];
  readonly requestBody?: { content: Record<string, { example: unknown }> };
  readonly responses: Record<string, { content?: Record<string, { example?: unknown; examples?: object }> }>;
  readonly security: Record<string, unknown>[];
}

interface Document {
  readonly paths: Record<string, Record<string, Described>>;
  readonly components: { schemas: Record<string, object>; securitySchemes: Record<string, object> };
}

const service = openApiOf({
  contract: serviceContract,
  title: "Cupo",
  version: "1.0.0",
  baseUrl: "https://pay.example",
  token: { row: token, authUrl: "https://auth.example/", error: TokenError },
  schemas: { Transaction },
}) as Document;

const broker = openApiOf({ contract: brokerContract, title: "B", version: "1", baseUrl: "/" }) as Document;

function describedOf(document: Document, row: Operation): Described {
  const path = document.paths[row.path.replace(/:(\w+)/g, "{$1}")];
  const found = path?.[row.method.toLowerCase()];
  if (found === undefined) throw new Error(`${row.name} is missing`);
  return found;
}

const rows: readonly (readonly [Document, Operation])[] = [
  ...Object.values(serviceContract).map((row) => [service, row] as const),
  ...Object.values(brokerContract).map((row) => [broker, row] as const),
];

describe("the OpenAPI document", () => {
  for (const [document, row] of rows) {
    it(`describes ${row.name} with every error under its status`, () => {
      const described = describedOf(document, row);
      expect(described.operationId).toBe(row.name);
      for (const code of errorsOf(row) as ErrorCode[]) {
        const answer = described.responses[errorCodes[code].status];
        expect(answer?.content?.["application/problem+json"]?.examples).toHaveProperty(code);
      }
      expect(described.responses).toHaveProperty(String(row.status));
      for (const scheme of described.security.flatMap(Object.keys)) {
        expect(document.components.securitySchemes).toHaveProperty(scheme);
      }
    });

    it(`has examples of ${row.name} that its own schemas accept`, () => {
      const described = describedOf(document, row);
      const answer = described.responses[row.status]?.content?.["application/json"]?.example;
      expect(faultsOf(row.answer, answer)).toEqual([]);
      const body = described.requestBody?.content["application/json"]?.example;
      if (row.body !== undefined) expect(faultsOf(row.body, body)).toEqual([]);
    });
  }

  it("refers to nothing that is not there", () => {
    for (const document of [service, broker]) {
      const references = JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g);
      for (const [, path = ""] of references) {
        const target = path.split("/").reduce<unknown>((at, key) => (at as Record<string, unknown>)?.[key], document);
        expect(target, path).toBeDefined();
      }
    }
  });

  it("names every operation once, and shows the parameters", () => {
    const ids = Object.values(service.paths).flatMap((path) =>
      Object.values(path).map(({ operationId }) => operationId),
    );
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).toHaveLength(Object.keys(serviceContract).length + 1);
    const history = describedOf(service, serviceContract.transactionHistory);
    expect(history.parameters).toContainEqual(
      expect.objectContaining({ name: "user-id", in: "query", required: true }),
    );
    expect(history.parameters).toContainEqual(expect.objectContaining({ name: "limit", in: "query", required: false }));
  });

  it("tells clients where tokens come from, with the endpoint's own errors", () => {
    expect(service.components.securitySchemes).toEqual({
      bearer: {
        type: "oauth2",
        flows: { clientCredentials: { tokenUrl: "https://auth.example/oauth2/token", scopes } },
      },
    });
    expect(describedOf(service, serviceContract.addQuota).security).toEqual([{ bearer: ["quota"] }]);
    const described = describedOf(service, token);
    expect(described.security).toEqual([]);
    expect(Object.keys(described.responses)).toEqual(["200", "400", "401", "429", "503"]);
    expect(described.responses["400"]?.content).toHaveProperty(["application/json"]);
  });

  it("names the cookie of both origins, over https and on this machine", () => {
    for (const scheme of ["person", "session", "operator"]) {
      const described = JSON.stringify(broker.components.securitySchemes[scheme]);
      expect(described).toContain("__Host-cupo-session");
      expect(described).toContain("`cupo-session`");
    }
  });

  it("is served with a tag, and may be kept", async () => {
    const { app } = sampleApp({ openApi: async () => JSON.stringify(service) });
    const response = await app.request("/openapi.json");
    expect(await response.json()).toEqual(service);
    expect(response.headers.get("cache-control")).toBe("public, max-age=300");
    const headers = { "if-none-match": response.headers.get("etag") ?? "" };
    expect((await app.request("/openapi.json", { headers })).status).toBe(304);
  });
});
