import type { Operation } from "../../src/contract/shared/operation.ts";

/** The request of an operation, as an OpenAPI document describes it. */
interface DescribedRequest {
  readonly parameters: readonly { readonly name?: string; readonly in?: string; readonly example?: string }[];
  readonly requestBody?: { readonly content: { readonly "application/json": { readonly example: unknown } } };
}

/** Returns an operation as an OpenAPI document describes it; throws if the document lacks it. */
export function describedIn<Described>(
  { paths }: { readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>> },
  { method, name, path }: Operation,
): Described {
  const found = paths[path.replace(/:(\w+)/g, "{$1}")]?.[method.toLowerCase()];
  if (found === undefined) throw new Error(`${name} is not in the document`);
  return found;
}

/** Returns the request that an OpenAPI document shows, as text: its address below the base, and its body. */
export function documentedRequest(
  row: Operation,
  { parameters, requestBody }: DescribedRequest,
): { path: string; body?: string } {
  const query = new URLSearchParams();
  let path = row.path;
  for (const { name = "", in: place, example } of parameters) {
    if (place === "path") path = path.replace(`:${name}`, String(example));
    if (place === "query" && example !== undefined) query.set(name, example);
  }
  const address = query.size === 0 ? path : `${path}?${query}`;
  if (requestBody === undefined) return { path: address };
  return { path: address, body: JSON.stringify(requestBody.content["application/json"].example) };
}
