import type { JsonSchema } from "@valibot/to-json-schema";
import {
  type Access,
  type Contract,
  errorsOf,
  type Operation,
  type RowExample,
  takesIdempotencyKey,
  type WireSchema,
} from "../../src/contract/shared/operation.ts";
import { isSingleRead } from "./answer-call.ts";
import { errorIndex, errorTable } from "./openapi-error-tables.ts";
import { documentedErrors, errorResponses, problemSchema } from "./openapi-errors.ts";
import { fittingExample } from "./openapi-example.ts";
import { describeFields } from "./openapi-fields.ts";
import { createSchemaConverter, type NamedSchemas, type SchemaConverter, usedComponents } from "./openapi-schemas.ts";
import { securityOf, securitySchemes } from "./openapi-security.ts";
import { type WebhookRow, webhookParameters, webhooksOf } from "./openapi-webhooks.ts";

/** Options of {@link openApiOf}. */
export interface OpenApiOptions {
  readonly contract: Contract;
  readonly title: string;
  readonly version: string;
  /** Markdown on what concerns every operation; a table of the errors follows it. */
  readonly description?: string;
  /** By its SPDX identifier. */
  readonly license?: string;
  /** Descriptions of the tags. */
  readonly tags?: Readonly<Record<string, string>>;
  /** Public address of the rows. */
  readonly baseUrl: string;
  /** The token endpoint: its row, where it is, and the shape of its errors. */
  readonly token?: { readonly row: Operation; readonly authUrl: string; readonly error: WireSchema };
  /** Schemas that several rows share, by the name that the document gives them. */
  readonly schemas?: NamedSchemas;
  /** Requests and answers by operation; the others are generated from the schemas. */
  readonly requests?: Readonly<Partial<Record<string, RowExample>>>;
  readonly answers?: Readonly<Partial<Record<string, unknown>>>;
  /** Messages that are sent to receivers, by type of event. */
  readonly webhooks?: Readonly<Record<string, WebhookRow>>;
  /** Descriptions of fields and parameters, by name. */
  readonly fields?: Readonly<Record<string, string>>;
}

/** The examples of a row. */
interface Shown extends RowExample {
  readonly answer?: unknown;
}

const REQUEST_ID = { $ref: "#/components/headers/RequestId" };

const headers = {
  RequestId: { description: "Names the request in logs and support.", schema: { type: "string" } },
  RetryAfter: { description: "Seconds until it is worth trying again.", schema: { type: "integer", minimum: 1 } },
  Challenge: { description: "How to authenticate (RFC 6750).", schema: { type: "string" } },
  RateLimit: { description: "What is left of the quota.", schema: { type: "string" } },
  RateLimitPolicy: { description: "The quota and its window.", schema: { type: "string" } },
  Link: { description: 'The next page: `<…>; rel="next"` (RFC 8288).', schema: { type: "string" } },
  SyncToken: {
    description:
      "Send it as `changed-since` for what is created or changed after this answer's first page; good for 30 days.",
    schema: { type: "string" },
  },
  ETag: { description: "Send it as `If-None-Match`; an unchanged answer is 304.", schema: { type: "string" } },
  IdempotentReplayed: {
    description: "`true` when the answer was given before, for the same key and body.",
    schema: { type: "string", const: "true" },
  },
};

const parameters = {
  RequestId: {
    name: "Request-Id",
    in: "header",
    description: "Kept when it is well-formed; else one is made.",
    schema: { type: "string", pattern: "^[A-Za-z0-9_-]{1,64}$" },
  },
  IdempotencyKey: {
    name: "Idempotency-Key",
    in: "header",
    description:
      "The same for every retry of one attempt: its outcome is kept with the key, and told again instead of done " +
      "again.",
    schema: { type: "string", pattern: "^[ -~]{1,255}$" },
  },
  IfNoneMatch: {
    name: "If-None-Match",
    in: "header",
    description: "The `ETag` of an answer that the caller has: unchanged, it is 304.",
    schema: { type: "string" },
  },
};

type Entries = Readonly<Record<string, WireSchema>>;

function entriesOf(schema: WireSchema | undefined): [string, WireSchema][] {
  return Object.entries((schema as { readonly entries?: Entries } | undefined)?.entries ?? {});
}

function named(
  place: "query" | "path",
  schema: WireSchema | undefined,
  converter: SchemaConverter,
  shown: Readonly<Record<string, string>> = {},
): object[] {
  return entriesOf(schema).map(([name, entry]) => {
    const json = converter.convert(entry);
    const required = place === "path" || entry.type !== "optional";
    const example = shown[name] ?? (required ? fittingExample(entry, json, converter.components, name) : undefined);
    return { name, in: place, required, schema: json, ...(example === undefined ? {} : { example }) };
  });
}

function parametersOf(row: Operation, converter: SchemaConverter, shown: Shown): object[] {
  const shared = ["RequestId"];
  if (errorsOf(row).includes("idempotency_key_reused")) shared.push("IdempotencyKey");
  if (isSingleRead(row)) shared.push("IfNoneMatch");
  return [
    ...named("path", row.params, converter, shown.params),
    ...named("query", row.query, converter, shown.query),
    ...shared.map((name) => ({ $ref: `#/components/parameters/${name}` })),
  ];
}

function jsonContent(schema: WireSchema, { convert, components }: SchemaConverter, shown?: unknown): object {
  const json: JsonSchema = convert(schema);
  return { "application/json": { schema: json, example: shown ?? fittingExample(schema, json, components) } };
}

function takes(row: Operation, parameter: string): boolean {
  return entriesOf(row.query).some(([name]) => name === parameter);
}

/** True if answers say that they were given before; to the broker's merchants they only are the same. */
function tellsReplays(row: Operation): boolean {
  return takesIdempotencyKey(row) && (row.access === "bearer" || row.access === "operator");
}

function successHeaders(row: Operation): Record<string, object> {
  const names: Record<string, keyof typeof headers> = {
    "Request-Id": "RequestId",
    RateLimit: "RateLimit",
    "RateLimit-Policy": "RateLimitPolicy",
    ...(tellsReplays(row) ? { "Idempotent-Replayed": "IdempotentReplayed" as const } : {}),
    ...(isSingleRead(row) ? { ETag: "ETag" as const } : {}),
    ...(takes(row, "cursor") ? { Link: "Link" as const } : {}),
    ...(takes(row, "changed-since") ? { "Sync-Token": "SyncToken" as const } : {}),
  };
  return Object.fromEntries(
    Object.entries(names).map(([header, component]) => [header, { $ref: `#/components/headers/${component}` }]),
  );
}

function successResponses(row: Operation, converter: SchemaConverter, shown: Shown): Record<string, object> {
  const others = (row.mediaTypes ?? []).filter((type) => type !== "application/json");
  const media = others.map((type) => [type, { schema: { type: "string", contentMediaType: type } }] as const);
  const content = { ...Object.fromEntries(media), ...jsonContent(row.answer, converter, shown.answer) };
  const success = { description: row.summary, headers: successHeaders(row), content };
  const unchanged = { description: "Unchanged since the tag that was sent.", headers: { "Request-Id": REQUEST_ID } };
  return { [row.status]: success, ...(isSingleRead(row) ? { 304: unchanged } : {}) };
}

function operationOf(row: Operation, converter: SchemaConverter, shown: Shown): object {
  const { body } = row;
  return {
    operationId: row.name,
    tags: [row.tag],
    summary: row.summary,
    description: [row.description ?? `${row.summary}.`, errorTable(row)].join("\n\n"),
    parameters: parametersOf(row, converter, shown),
    ...(body && { requestBody: { required: true, content: jsonContent(body, converter, shown.body) } }),
    responses: { ...successResponses(row, converter, shown), ...errorResponses(row) },
    security: securityOf(row),
    "x-errors-in-order": documentedErrors(row),
  };
}

function tokenOperation({ row, authUrl, error }: NonNullable<OpenApiOptions["token"]>, converter: SchemaConverter) {
  const [json] = Object.values(row.body === undefined ? {} : jsonContent(row.body, converter));
  const failure = (code: string, description: string, more: Readonly<Record<string, string>> = {}) => ({
    description: `\`${code}\`: ${description}`,
    headers: Object.fromEntries(
      Object.entries({ "Request-Id": "RequestId", ...more }).map(([header, component]) => [
        header,
        { $ref: `#/components/headers/${component}` },
      ]),
    ),
    content: jsonContent(error, converter, { error: code }),
  });
  return {
    operationId: row.name,
    tags: [row.tag],
    summary: row.summary,
    ...(row.description === undefined ? {} : { description: row.description }),
    servers: [{ url: authUrl }],
    requestBody: {
      required: true,
      content: { "application/json": json, "application/x-www-form-urlencoded": json },
    },
    responses: {
      200: {
        description: row.summary,
        headers: { "Request-Id": REQUEST_ID },
        content: jsonContent(row.answer, converter),
      },
      400: failure("invalid_request", "a field is missing or malformed; or `unsupported_grant_type`."),
      401: failure("invalid_client", "the credentials are wrong.", { "WWW-Authenticate": "Challenge" }),
      429: failure("temporarily_unavailable", "too many wrong secrets.", { "Retry-After": "RetryAfter" }),
      503: failure("temporarily_unavailable", "the database is away.", { "Retry-After": "RetryAfter" }),
    },
    security: [],
  };
}

/** `/things/:id` as OpenAPI writes it. */
function templateOf(path: string): string {
  return path.replace(/:(\w+)/g, "{$1}");
}

function infoOf({ title, version, description, license }: OpenApiOptions, rows: readonly Operation[]): object {
  const errors = `## Errors by code\n\n${errorIndex(rows)}`;
  return {
    title,
    version,
    description: description === undefined ? errors : `${description}\n\n${errors}`,
    ...(license === undefined ? {} : { license: { name: license, identifier: license } }),
  };
}

function tagsOf(rows: readonly Operation[], descriptions: Readonly<Record<string, string>> = {}): object[] {
  return [...new Set(rows.map((row) => row.tag))].map((name) => {
    const description = descriptions[name];
    return description === undefined ? { name } : { name, description };
  });
}

/** Derives the OpenAPI 3.1 document of a contract: operations, schemas, examples, and every error by status. */
export function openApiOf(options: OpenApiOptions): object {
  const { contract, baseUrl, token, webhooks, schemas = {}, requests = {}, answers = {}, fields = {} } = options;
  const converter = createSchemaConverter(schemas);
  const paths: Record<string, Record<string, object>> = {};
  const rows: Operation[] = Object.values(contract).filter((row) => row.name !== token?.row.name);
  for (const row of rows) {
    const shown = { ...requests[row.name], answer: answers[row.name] };
    paths[templateOf(row.path)] = {
      ...paths[templateOf(row.path)],
      [row.method.toLowerCase()]: operationOf(row, converter, shown),
    };
  }
  if (token !== undefined) paths[templateOf(token.row.path)] = { post: tokenOperation(token, converter) };
  const all = token === undefined ? rows : [token.row, ...rows];
  const accesses = new Set<Access>(rows.map((row) => row.access));
  const tokenUrl = token === undefined ? undefined : token.authUrl.replace(/\/$/, "") + token.row.path;
  const parts = {
    paths: describeFields(paths, fields),
    ...(webhooks === undefined ? {} : { webhooks: describeFields(webhooksOf(webhooks, converter), fields) }),
  };
  const components = {
    schemas: { ...(describeFields(converter.components, fields) as object), Problem: problemSchema },
    parameters: { ...parameters, ...webhookParameters },
    headers,
  };
  return {
    openapi: "3.1.0",
    info: infoOf(options, rows),
    servers: [{ url: baseUrl }],
    tags: tagsOf(all, options.tags),
    ...parts,
    components: { ...usedComponents(parts, components), securitySchemes: securitySchemes(accesses, tokenUrl) },
  };
}
