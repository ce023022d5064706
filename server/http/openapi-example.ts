import type { JsonSchema } from "@valibot/to-json-schema";
import { exampleThings } from "../../src/contract/shared/example-things.ts";
import type { WireSchema } from "../../src/contract/shared/operation.ts";
import { fits } from "../../src/contract/shared/validate.ts";

/** The example of any id, unless the field's name has a more specific one. */
const ANY_ID = "01890a5d-ac96-774b-bcce-b302099a8057";

const examplesByFormat: Readonly<Record<string, unknown>> = {
  uuid: ANY_ID,
  "date-time": "2026-03-31T19:05:00.000Z",
  email: "ana@example.com",
};

/** Plausible values for text fields whose schema says only that they are text. */
const examplesByName: Readonly<Record<string, unknown>> = {
  reference: "7K3M9QXT2V4FW",
  currency: "COP",
  name: "Ana Torres",
  from_user: "Ana Torres",
  to_user: "Café Central",
  payee: "Café Central",
  business_name: "Café Central",
  bussines_name: "Café Central",
  phone: "+573001234567",
  nit: "900123456",
  email: "ana@example.com",
  address: "Calle 12 # 34-56, Bogotá",
  expires_in: 900,
  check_code: "4821",
  score: 700,
  image: "https://example.com/ana.png",
  sha256: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
  origin: "https://shop.example",
  from_user_id: exampleThings.payer,
  to_user_id: exampleThings.payee,
  "user-id": exampleThings.payer,
  uid: exampleThings.entity,
  credit_id: exampleThings.credit,
  client_id: exampleThings.apiClient,
  client_secret: "cs_Vb2mQ0y8L1dJ5rT7wX9zC3fH6kN4pS8uA1eG5iM7oQ0",
  access_token: "eyJhbGciOiJFZERTQSJ9.eyJzdWIiOiJjbGllbnQifQ.c2lnbmF0dXJl",
};

type Components = Readonly<Record<string, JsonSchema>>;

function objectExample(schema: JsonSchema, components: Components): Record<string, unknown> {
  const required = new Set(schema.required ?? []);
  const entries = Object.entries(schema.properties ?? {}).filter(([name]) => required.has(name));
  return Object.fromEntries(entries.map(([name, json]) => [name, exampleOf(json as JsonSchema, components, name)]));
}

function textExample(schema: JsonSchema, name: string): unknown {
  return examplesByFormat[schema.format ?? ""] ?? examplesByName[name] ?? "text";
}

/** Returns an example of a schema: its own where it has one, else one made of its required members. */
function exampleOf(schema: JsonSchema, components: Components, name = ""): unknown {
  if (schema.$ref !== undefined) {
    return exampleOf(components[schema.$ref.split("/").at(-1) ?? ""] ?? {}, components, name);
  }
  const own = (schema.examples as unknown[] | undefined)?.[0] ?? schema.const ?? schema.enum?.[0];
  if (own !== undefined) return own === ANY_ID ? (examplesByName[name] ?? own) : own;
  const [first] = (schema.anyOf ?? schema.oneOf ?? []) as JsonSchema[];
  if (first !== undefined) return exampleOf(first, components, name);
  if (schema.type === "object") return objectExample(schema, components);
  if (schema.type === "array") return [exampleOf((schema.items ?? {}) as JsonSchema, components, name)];
  if (schema.type === "number" || schema.type === "integer") return examplesByName[name] ?? schema.minimum ?? 1;
  if (schema.type === "boolean") return true;
  return textExample(schema, name);
}

function optionalMembers(schema: JsonSchema, components: Components): [string, unknown][] {
  const { $ref } = schema;
  if ($ref !== undefined) return optionalMembers(components[$ref.split("/").at(-1) ?? ""] ?? {}, components);
  return Object.entries(schema.properties ?? {})
    .filter(([name]) => !schema.required?.includes(name))
    .map(([name, json]) => [name, exampleOf(json as JsonSchema, components, name)]);
}

/**
 * Returns an example that the schema accepts: its own, or one made of its required members, with one optional member
 * more where the schema needs that, such as one of several keys.
 */
export function fittingExample(schema: WireSchema, json: JsonSchema, components: Components, name = ""): unknown {
  const example = exampleOf(json, components, name);
  if (fits(schema, example)) return example;
  const richer = optionalMembers(json, components).map(([name, value]) => ({ ...(example as object), [name]: value }));
  return richer.find((candidate) => fits(schema, candidate)) ?? example;
}
