import type { Fault } from "../../src/contract/shared/errors.ts";

/** The parameters of a query, and its faults. */
export interface ParsedQuery {
  readonly values: Readonly<Record<string, string>>;
  readonly faults: readonly Fault[];
}

const none: ParsedQuery = { values: {}, faults: [] };

function decodePart(part: string): string | undefined {
  try {
    return decodeURIComponent(part.replaceAll("+", " "));
  } catch {
    return undefined;
  }
}

/** Reads the query of a URL; a parameter sent twice or broken percent-encoding is a fault, never a guess. */
export function parseQuery(url: string): ParsedQuery {
  const start = url.indexOf("?");
  if (start === -1 || start === url.length - 1) return none;
  // Without a prototype, so that a parameter named __proto__ is one like any other.
  const values: Record<string, string> = Object.create(null);
  const faults: Fault[] = [];
  for (const pair of url.slice(start + 1).split("&")) {
    if (pair === "") continue;
    const equals = pair.indexOf("=");
    const name = decodePart(equals === -1 ? pair : pair.slice(0, equals));
    const value = equals === -1 ? "" : decodePart(pair.slice(equals + 1));
    if (name === undefined) faults.push({ detail: "the query has a name that is not percent-encoded UTF-8" });
    else if (value === undefined) faults.push({ parameter: name, detail: "must be percent-encoded UTF-8" });
    else if (Object.hasOwn(values, name)) faults.push({ parameter: name, detail: "must be sent only once" });
    else values[name] = value;
  }
  return { values, faults };
}
