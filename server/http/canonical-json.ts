interface RawJson {
  isRawJSON(value: unknown): value is { readonly rawJSON: string };
}

const { isRawJSON } = JSON as unknown as RawJson;

/**
 * Serialises JSON canonically (RFC 8785), so that equal JSON has one spelling. Properties are sorted by UTF-16 code
 * units; strings and numbers are written as ECMAScript does. A number that no double holds exactly (see
 * `parseExactJson`) keeps the text it came with, because rounding it would make different bodies equal.
 */
export function canonicalJson(value: unknown): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  if (isRawJSON(value)) return value.rawJSON;
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  const members = Object.keys(value)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${canonicalJson((value as Record<string, unknown>)[key])}`);
  return `{${members.join(",")}}`;
}
