type Json = Readonly<Record<string, unknown>>;

/** Members that hold data, in which a member called `properties` is not a schema's. */
const DATA = new Set(["example", "examples", "const", "enum", "default"]);

function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function withDescription(name: string, schema: unknown, descriptions: Readonly<Record<string, string>>): unknown {
  const description = descriptions[name];
  if (!isObject(schema) || description === undefined || schema.description !== undefined) return schema;
  return { ...schema, description };
}

function describeProperties(properties: Json, descriptions: Readonly<Record<string, string>>): Json {
  const described = Object.entries(properties).map(([name, schema]) => {
    return [name, withDescription(name, describeFields(schema, descriptions), descriptions)];
  });
  return Object.fromEntries(described);
}

/**
 * Returns a copy of the document, or of a part of it, in which every property and every query or path parameter without
 * a description has the one that `descriptions` gives for its name.
 */
export function describeFields(value: unknown, descriptions: Readonly<Record<string, string>>): unknown {
  if (Array.isArray(value)) return value.map((item) => describeFields(item, descriptions));
  if (!isObject(value)) return value;
  const described = Object.entries(value).map(([key, member]) => {
    if (DATA.has(key)) return [key, member];
    if (key === "properties" && isObject(member)) return [key, describeProperties(member, descriptions)];
    return [key, describeFields(member, descriptions)];
  });
  const whole: Json = Object.fromEntries(described);
  const isParameter = typeof whole.name === "string" && (whole.in === "query" || whole.in === "path");
  return isParameter ? withDescription(String(whole.name), whole, descriptions) : whole;
}
