import type { BaseIssue, BaseSchema, InferOutput } from "valibot";
import type { ErrorCode } from "./errors.ts";
import type { Scope } from "./scopes.ts";

/** Any schema of the wire: it transforms nothing, so its input is its output. */
export type WireSchema<T = unknown> = BaseSchema<T, T, BaseIssue<unknown>>;

/**
 * The caller that an operation admits: an API client's Bearer token, one of the broker's principals, or anybody
 * (`none`). `session` is anybody who signed in, `widget` a widget session of any kind, `till` one of kind recharge,
 * `finder` a caller that may look people up, `seller` a merchant or its till.
 */
export type Access =
  | ("bearer" | "none")
  | ("person" | "operator" | "session")
  | ("merchant" | "widget" | "till" | "finder" | "seller");

/** An API client's row names the scope that its token needs; the other principals' tokens have none. */
type Admission =
  | { readonly access: "bearer"; readonly scope: Scope }
  | { readonly access: Exclude<Access, "bearer">; readonly scope?: never };

/** Definition of one operation of the contract, from which routes, validation, OpenAPI, client and tests derive. */
export type Operation = Admission & OperationFields;

/** Everything of a row but who may call it. */
interface OperationFields {
  /** The one name: `operationId`, client method, handler, and (in kebab case) the handler's file. */
  readonly name: string;
  readonly method: "GET" | "POST" | "PUT";
  /** Path below the base address; `:name` marks a path parameter. */
  readonly path: string;
  readonly tag: string;
  readonly summary: string;
  /** Decisions that a caller must know, one sentence each. */
  readonly description?: string;
  readonly params?: WireSchema;
  readonly query?: WireSchema;
  readonly body?: WireSchema;
  /** Fields that only answers have: sending one is refused with a sentence that says so. */
  readonly responseOnly?: readonly string[];
  /** Fields that callers confuse with others, and what to do instead. */
  readonly misplaced?: Readonly<Record<string, string>>;
  readonly answer: WireSchema;
  /** Media types of the answer, preferred first; JSON alone when absent. */
  readonly mediaTypes?: readonly string[];
  readonly status: 200 | 201;
  /** True if it changes anything. */
  readonly writes: boolean;
  /** The operation's own errors in order of precedence; {@link errorsOf} adds those that every operation shares. */
  readonly errors: readonly ErrorCode[];
}

/** A request that an operation takes as it stands, for the documents; see `exampleThings`. */
export interface RowExample {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** A table of operations by their name. */
export type Contract = Readonly<Record<string, Operation>>;

type Output<S> = S extends WireSchema ? InferOutput<S> : undefined;

/** The type of an operation's path parameters. */
export type ParamsOf<O extends Operation> = Output<O["params"]>;
/** The type of an operation's query. */
export type QueryOf<O extends Operation> = Output<O["query"]>;
/** The type of an operation's body. */
export type BodyOf<O extends Operation> = Output<O["body"]>;
/** The type of an operation's answer. */
export type AnswerOf<O extends Operation> = Output<O["answer"]>;

/** Keeps a row's exact type while checking that it is one; a row that nobody uses is left out of a script. */
/* @__NO_SIDE_EFFECTS__ */
export function operation<const O extends Operation>(row: O): O {
  return Object.freeze(row);
}

/** True if an operation takes an `Idempotency-Key`: every POST that writes; a PUT is idempotent without one. */
export function takesIdempotencyKey(row: Operation): boolean {
  return row.writes && row.method === "POST";
}

/** The callers that may have signed in anew, as another person, in another tab. */
const SIGNED_IN: ReadonlySet<Access> = new Set(["person", "session", "finder"]);

/** Every error that an operation may answer, in order of precedence. */
export function errorsOf(row: Operation): readonly ErrorCode[] {
  const request: ErrorCode[] = row.access === "none" ? [] : ["unauthorized"];
  if (SIGNED_IN.has(row.access)) request.push("another_person");
  request.push("too_many_requests");
  if (row.scope !== undefined) request.push("insufficient_scope");
  request.push("not_acceptable");
  if (row.body !== undefined) request.push("unsupported_media_type", "payload_too_large", "malformed_json");
  request.push("invalid_request");
  const idempotency: ErrorCode[] =
    takesIdempotencyKey(row) && row.access === "bearer"
      ? ["idempotency_key_reused", "idempotency_key_void", "request_in_progress"]
      : [];
  return [
    ...new Set([...request, ...idempotency, ...row.errors, "internal_error", "unavailable"] satisfies ErrorCode[]),
  ];
}
