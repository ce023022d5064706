type Json = Readonly<Record<string, unknown>>;

/** Members that hold data, in which a member called `properties` is not a schema's. */
const DATA = new Set(["example", "examples", "const", "enum", "default"]);

/** The description of a schema that has only the sentences of its checks. */
const RULES = /^must /;

function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The description of a property or parameter: its meaning, then the rules of its schema. */
function withDescription(name: string, schema: unknown, descriptions: Readonly<Record<string, string>>): unknown {
  const meaning = descriptions[name];
  if (!isObject(schema) || meaning === undefined) return schema;
  const { description } = schema;
  if (description === undefined) return { ...schema, description: meaning };
  if (typeof description !== "string" || !RULES.test(description)) return schema;
  return { ...schema, description: `${meaning} It ${description}.` };
}

function describeProperties(properties: Json, descriptions: Readonly<Record<string, string>>): Json {
  const described = Object.entries(properties).map(([name, schema]) => {
    return [name, withDescription(name, describeFields(schema, descriptions), descriptions)];
  });
  return Object.fromEntries(described);
}

/**
 * Returns a copy of the document, or of a part of it, in which every property and every query or path parameter without
 * a description has the one that `descriptions` gives for its name; where there are only rules, it comes before them.
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
