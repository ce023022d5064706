import type { IncomingMessage } from "node:http";
import { ApiError, type Fault } from "../../src/contract/shared/errors.ts";
import type { Idempotency } from "../../src/contract/shared/handler.ts";
import { type Operation, takesIdempotencyKey } from "../../src/contract/shared/operation.ts";
import { faultsOf, fits, queryFaultsOf } from "../../src/contract/shared/validate.ts";
import { fingerprintOf, IDEMPOTENCY_KEY, idempotencyKeyFaults } from "./idempotency-key.ts";
import { brokenTextFaults, parseJsonBody } from "./parse-json-body.ts";
import { MAX_ANONYMOUS_BODY_BYTES, readLimitedBody, requireJsonContent } from "./read-limited-body.ts";

/** The parameters of a query, and its faults. */
interface ParsedQuery {
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
function parseQuery(url: string): ParsedQuery {
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

/** A request that was read and validated by its row. */
export interface ReadCall {
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
  readonly idempotency: Idempotency | undefined;
}

/** The parts of a request that {@link readCall} reads. */
export interface CallSource {
  readonly request: Request;
  readonly incoming: IncomingMessage | undefined;
  readonly params: Readonly<Record<string, string>>;
}

async function readBody(row: Operation, { request, incoming }: CallSource): Promise<unknown> {
  if (row.body === undefined) return undefined;
  requireJsonContent(request.headers);
  const limit = row.access === "none" ? MAX_ANONYMOUS_BODY_BYTES : undefined;
  return parseJsonBody(await readLimitedBody(request, incoming, limit));
}

function bodyFaults(row: Operation, body: unknown): Fault[] {
  if (row.body === undefined) return [];
  const faults = faultsOf(row.body, body, row);
  return faults.length > 0 ? faults : brokenTextFaults(body);
}

function queryFaults(row: Operation, url: string): { query: unknown; faults: Fault[] } {
  const { values, faults } = parseQuery(url);
  if (row.query !== undefined) return { query: values, faults: [...faults, ...queryFaultsOf(row.query, values, row)] };
  const unknown = Object.keys(values).map((parameter) => ({ parameter, detail: "is not known here: leave it out" }));
  return { query: undefined, faults: [...faults, ...unknown] };
}

/** Answers 404 for a path parameter that no record can have, as for a record that does not exist. */
function checkParams(row: Operation, params: unknown): void {
  if (row.params === undefined || fits(row.params, params)) return;
  throw new ApiError("not_found", { detail: "The path does not hold a well-formed id." });
}

/**
 * Reads and validates a request by its row; throws 404, 415, 413, `malformed_json`, then `invalid_request` with every
 * fault found.
 */
export async function readCall(row: Operation, source: CallSource): Promise<ReadCall> {
  const { headers, url } = source.request;
  checkParams(row, source.params);
  const body = await readBody(row, source);
  const { query, faults } = queryFaults(row, url);
  const key = takesIdempotencyKey(row) ? headers.get(IDEMPOTENCY_KEY) : null;
  faults.push(...idempotencyKeyFaults(key), ...bodyFaults(row, body));
  if (faults.length > 0) throw new ApiError("invalid_request", { detail: "See errors for each fault.", faults });
  const params = row.params === undefined ? undefined : source.params;
  const idempotency = key === null ? undefined : { key, fingerprint: fingerprintOf(body, params) };
  return { params, query, body, idempotency };
}
