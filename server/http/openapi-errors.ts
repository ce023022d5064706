import { type ErrorCode, errorCodes } from "../../src/contract/shared/errors.ts";
import { errorsOf, type Operation } from "../../src/contract/shared/operation.ts";
import { problemType } from "./problem.ts";

const PROBLEM = { $ref: "#/components/schemas/Problem" };
const CHALLENGED = new Set<ErrorCode>(["unauthorized", "insufficient_scope"]);
const RETRIED = new Set<ErrorCode>(["request_in_progress", "too_many_requests", "unavailable"]);

const CODE = "Names the error for programs: one of a closed set.";

/** JSON Schema of the problem document that every error is answered with (RFC 9457). */
export const problemSchema = Object.freeze({
  type: "object",
  required: ["type", "title", "status", "code", "request_id"],
  properties: {
    type: { type: "string", format: "uri", description: "Names the kind of error; not an address to fetch." },
    title: { type: "string", description: "Says the same for every error of its kind." },
    status: { type: "integer", description: "The HTTP status." },
    detail: { type: "string", description: "What happened and what to do. Never with a 5xx." },
    code: { type: "string", enum: Object.keys(errorCodes), description: CODE },
    request_id: { type: "string", description: "The answer's `Request-Id`." },
    exceeded_limit: { $ref: "#/components/schemas/ExceededLimit" },
    errors: {
      type: "array",
      description: "Every fault found in the request.",
      items: {
        type: "object",
        required: ["detail"],
        properties: {
          pointer: { type: "string", description: "JSON Pointer into the body (RFC 6901)." },
          parameter: { type: "string", description: "Name of a query parameter or header." },
          detail: { type: "string" },
        },
      },
    },
  },
});

/** Returns the codes of the errors that an operation may answer, its own and shared ones, in order of precedence. */
export function documentedErrors(row: Operation): readonly ErrorCode[] {
  const codes = errorsOf(row);
  // Any row can be sent an unknown parameter or a malformed header.
  return codes.includes("invalid_request") ? codes : ["invalid_request", ...codes];
}

function exampleOfCode(code: ErrorCode): object {
  const { status, title } = errorCodes[code];
  const value = { type: problemType(code), title, status, code, request_id: "01890a5d-ac96-774b-bcce-b302099a8057" };
  return { summary: title, value };
}

function responseOf(codes: readonly ErrorCode[]): object {
  const headers: Record<string, object> = { "Request-Id": { $ref: "#/components/headers/RequestId" } };
  if (codes.some((code) => RETRIED.has(code))) headers["Retry-After"] = { $ref: "#/components/headers/RetryAfter" };
  if (codes.some((code) => CHALLENGED.has(code)))
    headers["WWW-Authenticate"] = { $ref: "#/components/headers/Challenge" };
  return {
    description: codes.map((code) => `\`${code}\`: ${errorCodes[code].title}.`).join("\n\n"),
    headers,
    content: {
      "application/problem+json": {
        schema: { allOf: [PROBLEM, { properties: { code: { enum: codes, description: CODE } } }] },
        examples: Object.fromEntries(codes.map((code) => [code, exampleOfCode(code)])),
      },
    },
  };
}

/**
 * Returns the error answers of a row by status for the OpenAPI document, each with its codes, their titles and an
 * example.
 */
export function errorResponses(row: Operation): Record<string, object> {
  const byStatus = Map.groupBy(documentedErrors(row), (code) => String(errorCodes[code].status));
  return Object.fromEntries([...byStatus].map(([status, codes]) => [status, responseOf(codes)]));
}
