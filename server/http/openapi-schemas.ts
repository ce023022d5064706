import { type JsonSchema, toJsonSchema, toJsonSchemaDefs } from "@valibot/to-json-schema";
import { ExceededLimit, LimitName } from "../../src/contract/shared/exceeded-limit.ts";
import * as fields from "../../src/contract/shared/fields.ts";
import type { WireSchema } from "../../src/contract/shared/operation.ts";

/** Schemas of a contract by the names that the OpenAPI document gives them. */
export type NamedSchemas = Readonly<Record<string, WireSchema>>;

const AN_ID = "01890a5d-ac96-774b-bcce-b302099a8057";
const A_REFERENCE = "7K3M9QXT2V4FW";

/** JSON Schemas of the shared fields, whose checks are code and cannot be converted. */
const sharedFields = {
  Id: { schema: fields.Id, json: { type: "string", format: "uuid", examples: [AN_ID] } },
  Amount: {
    schema: fields.Amount,
    json: {
      type: "number",
      exclusiveMinimum: 0,
      maximum: 9_999_999_999_999.99,
      description: "Currency units, exact: at most as many decimals as the currency has, and 15 significant digits.",
      examples: [25_000],
    },
  },
  AmountText: {
    schema: fields.AmountText,
    json: {
      type: "string",
      pattern: "^\\d{1,13}(\\.\\d{1,2})?$",
      description: "Currency units as decimal text; greater than zero.",
      examples: ["500000"],
    },
  },
  Sum: {
    schema: fields.Sum,
    json: { type: "number", description: "A sum or balance in currency units, exact.", examples: [475_000] },
  },
  DateInput: {
    schema: fields.DateInput,
    json: {
      type: "string",
      description: "ISO 8601 date or date-time; without an offset it is in the business time zone.",
      examples: ["2026-03-31", "2026-03-31T14:05:00-05:00"],
    },
  },
  DayInput: { schema: fields.DayInput, json: { type: "string", format: "date", examples: ["2026-03-31"] } },
  Instant: {
    schema: fields.Instant,
    json: {
      type: "string",
      format: "date-time",
      description: "RFC 3339, UTC, milliseconds.",
      examples: ["2026-03-31T19:05:00.000Z"],
    },
  },
  Details: {
    schema: fields.Details,
    json: {
      type: "object",
      maxProperties: 64,
      additionalProperties: true,
      description: "The caller's own data, at most 16 KiB of JSON; returned exactly as it was sent.",
      examples: [{ order: "A-1027" }],
    },
  },
  FreeObject: {
    schema: fields.FreeObject,
    json: {
      type: "object",
      additionalProperties: true,
      description: "A free object, at most 16 KiB of JSON.",
      examples: [{}],
    },
  },
  AnswerObject: { schema: fields.AnswerObject, json: { type: "object", additionalProperties: true, examples: [{}] } },
  ExceededLimit: {
    schema: ExceededLimit,
    json: {
      type: "object",
      description: "The limit that was passed, with `limit_exceeded`: the same shape in every answer.",
      required: ["name", "amount", "left", "until"],
      properties: {
        name: { enum: [...LimitName.options], description: "Which limit: the guide says who sets each." },
        amount: { type: "number", description: "Most that it lets through, in currency units." },
        left: { type: "number", description: "How much of it is left, in currency units." },
        until: {
          type: ["string", "null"],
          format: "date-time",
          description: "When more of it is there again; null where that never changes by itself.",
        },
      },
      examples: [{ name: "daily_limit", amount: 500_000, left: 12_500, until: "2026-04-01T05:00:00.000Z" }],
    },
  },
  PaymentReference: {
    schema: fields.ReferenceInput,
    json: {
      type: "string",
      description: "13 characters of Crockford base32, the last one a check; hyphens and either case are understood.",
      examples: [A_REFERENCE],
    },
  },
} as const satisfies Record<string, { schema: WireSchema; json: JsonSchema }>;

const jsonByField = new Map<unknown, JsonSchema>(
  Object.values(sharedFields).map(({ schema, json }) => [schema, json as JsonSchema]),
);

type Config = NonNullable<Parameters<typeof toJsonSchema>[1]>;

/**
 * Checks that are code cannot be converted; their sentence for the caller, which begins with "must", becomes the
 * description. `describeFields` puts the meaning of the field before it.
 */
const overrideAction: NonNullable<Config["overrideAction"]> = ({ valibotAction, jsonSchema }) => {
  const { type, message } = valibotAction as { readonly type: string; readonly message?: unknown };
  if (!/check$/.test(type) || typeof message !== "string") return undefined;
  const before = jsonSchema.description === undefined ? "" : `${jsonSchema.description}; `;
  return { ...jsonSchema, description: `${before}${message}` };
};

const overrideSchema: NonNullable<Config["overrideSchema"]> = ({ valibotSchema, jsonSchema }) =>
  valibotSchema.type === "custom" ? { ...jsonSchema, type: "object", additionalProperties: true } : undefined;

/** Converts schemas of a contract to JSON Schema, with references to those that have a name. */
export interface SchemaConverter {
  readonly components: Readonly<Record<string, JsonSchema>>;
  convert(schema: WireSchema): JsonSchema;
}

/** Makes a converter to JSON Schema that knows the shared fields and the given schemas by name. */
export function createSchemaConverter(named: NamedSchemas): SchemaConverter {
  const shared = Object.fromEntries(Object.entries(sharedFields).map(([name, { schema }]) => [name, schema]));
  const definitions: NamedSchemas = { ...shared, ...named };
  const config: Config = {
    target: "draft-2020-12",
    errorMode: "ignore",
    overrideAction,
    overrideSchema,
    overrideRef: ({ referenceId }) => `#/components/schemas/${referenceId}`,
  };
  const converted = toJsonSchemaDefs(definitions, config);
  const components = Object.fromEntries(
    Object.entries(converted).map(([name, json]) => [name, jsonByField.get(definitions[name]) ?? json]),
  );
  return {
    components,
    convert: (schema) => {
      const { $schema: _schema, $defs: _defs, ...json } = toJsonSchema(schema, { ...config, definitions });
      return json;
    },
  };
}

type Kinds = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

const REFERENCE = /^#\/components\/(\w+)\/([\w.-]+)$/;

/** Adds every component that a part of a document refers to, and all that these refer to. */
function reach(value: unknown, components: Kinds, reached: Set<unknown>): void {
  if (typeof value !== "object" || value === null) return;
  for (const [key, member] of Object.entries(value)) {
    const [, kind = "", name = ""] = (key === "$ref" && REFERENCE.exec(String(member))) || [];
    const component = components[kind]?.[name];
    if (component === undefined) reach(member, components, reached);
    else if (!reached.has(component)) {
      reached.add(component);
      reach(component, components, reached);
    }
  }
}

/** Returns those of a document's components (schemas, parameters, headers) that its parts refer to. */
export function usedComponents(parts: unknown, components: Kinds): Kinds {
  const reached = new Set<unknown>();
  reach(parts, components, reached);
  return Object.fromEntries(
    Object.entries(components).map(([kind, named]) => {
      return [kind, Object.fromEntries(Object.entries(named).filter(([, component]) => reached.has(component)))];
    }),
  );
}
