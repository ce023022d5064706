import ky, { HTTPError, type KyInstance, TimeoutError } from "ky";
import { ApiError, type ErrorCode, errorCodes, type Problem } from "./contract/shared/errors.ts";
import { ExceededLimit } from "./contract/shared/exceeded-limit.ts";
import type { AnswerOf, BodyOf, Contract, Operation, ParamsOf, QueryOf } from "./contract/shared/operation.ts";
import { fits } from "./contract/shared/validate.ts";
import { quoteRounded } from "./exact-json.ts";
import { redactedCause } from "./redacted-cause.ts";

/** How one call may differ from the next. */
export interface CallOptions {
  /** At most 255 printable ASCII characters; the same for every retry of one attempt. */
  readonly idempotencyKey?: string;
  readonly signal?: AbortSignal;
  /** `ETag` of the answer that the caller has; an unchanged answer is `undefined`. */
  readonly etag?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** An answer with what its headers say. */
export interface Answer<A> {
  readonly status: number;
  readonly body: A;
  /** Opaque cursor of the next page, from `Link: <…>; rel="next"` (RFC 8288). */
  readonly nextCursor: string | undefined;
  /** The value of `changed-since` that asks for all that happens after this list, where the list takes one. */
  readonly syncToken: string | undefined;
  readonly etag: string | undefined;
  readonly requestId: string | undefined;
  readonly replayed: boolean;
  readonly headers: Headers;
}

/** Status, headers and whole body of an answer, however it was fetched. */
export interface ArrivedAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

type Input<O extends Operation> = (ParamsOf<O> extends undefined ? object : { readonly params: ParamsOf<O> }) &
  (QueryOf<O> extends undefined ? object : { readonly query: QueryOf<O> }) &
  (BodyOf<O> extends undefined ? object : { readonly body: BodyOf<O> });

/** One method per row of a contract, named as its operation. */
export type Client<C extends Contract> = {
  readonly [N in keyof C]: (input: Input<C[N]>, options?: CallOptions) => Promise<Answer<AnswerOf<C[N]>>>;
};

/** Options of {@link createClient}: the address to call, the headers of every call, `fetch`, and the timeout. */
export interface ClientOptions {
  readonly baseUrl: string;
  /** Headers of every call, such as `Authorization`; asked for each time, so that a token can be renewed. */
  readonly headers?: () => Promise<Readonly<Record<string, string>>> | Readonly<Record<string, string>>;
  /** Default: the platform's `fetch`. An app's own `fetch` makes the client call it without a port. */
  readonly fetch?: typeof fetch;
  /** Default 10 000 ms for the whole call. */
  readonly timeoutMs?: number;
}

/**
 * No answer came: the outcome of the operation is unknown. Repeat it with the same idempotency key. Its `cause` has the
 * failure's name and code, and nothing of the request.
 */
export class NoAnswerError extends Error {
  override readonly name = "NoAnswerError";
}

/** The answer does not fit the contract. */
export class AnswerError extends Error {
  override readonly name = "AnswerError";
}

/** The parameters of a call's path, and its query. */
interface Target {
  readonly params?: Readonly<Record<string, unknown>>;
  readonly query?: object;
}

/** Returns the path of a call without its first slash, with its query; fields that are undefined are left out. */
export function targetOf({ path }: Operation, { params = {}, query = {} }: Target): string {
  const filled = path.slice(1).replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(params[name] ?? "")));
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  const search = new URLSearchParams(given.map(([name, value]): [string, string] => [name, String(value)])).toString();
  return search === "" ? filled : `${filled}?${search}`;
}

function nextCursorOf(headers: Headers): string | undefined {
  const link = /<([^>]*)>;\s*rel="next"/.exec(headers.get("link") ?? "")?.[1];
  if (link === undefined) return undefined;
  return new URL(link, "http://localhost").searchParams.get("cursor") ?? undefined;
}

/** Returns the error that an answer of another status than 2xx or 304 stands for; `data` is its parsed body. */
export function refusalOf(
  { status, headers }: Pick<ArrivedAnswer, "status" | "headers">,
  data: unknown,
): ApiError | AnswerError {
  const problem = (data ?? {}) as Partial<Problem>;
  if (problem.code === undefined || !Object.hasOwn(errorCodes, problem.code)) {
    return new AnswerError(`unexpected answer ${status}`);
  }
  const retryAfter = Number(headers.get("retry-after"));
  return new ApiError(problem.code satisfies ErrorCode, {
    ...(problem.detail === undefined ? {} : { detail: problem.detail }),
    ...(problem.errors === undefined ? {} : { faults: problem.errors }),
    ...(fits(ExceededLimit, problem.exceeded_limit) ? { exceededLimit: problem.exceeded_limit } : {}),
    ...(Number.isFinite(retryAfter) && retryAfter > 0 ? { retryAfter } : {}),
  });
}

async function send(
  http: KyInstance,
  row: Operation,
  input: Input<Operation>,
  options: CallOptions,
): Promise<Response> {
  const { body, ...target } = input as Target & { body?: unknown };
  try {
    return await http(targetOf(row, target), {
      method: row.method,
      ...(body === undefined ? {} : { json: body }),
      headers: {
        ...(row.mediaTypes === undefined ? {} : { accept: "application/json" }),
        ...(options.idempotencyKey === undefined ? {} : { "idempotency-key": options.idempotencyKey }),
        ...(options.etag === undefined ? {} : { "if-none-match": options.etag }),
        ...options.headers,
      },
      ...(options.signal === undefined ? {} : { signal: options.signal }),
    });
  } catch (error) {
    if (error instanceof HTTPError && error.response.status === 304) return error.response;
    if (error instanceof HTTPError) throw refusalOf(error.response, error.data);
    if (options.signal?.aborted) throw options.signal.reason;
    if (error instanceof TimeoutError || error instanceof TypeError || (error as Error).name === "NetworkError") {
      throw new NoAnswerError("no answer", { cause: redactedCause(error) });
    }
    throw error;
  }
}

/** The caller's own data may hold any number; parsing must not round one of the contract's. */
function readBody(row: Operation, { status, text }: ArrivedAnswer): unknown {
  const body: unknown = JSON.parse(text);
  if (!fits(row.answer, body)) throw new AnswerError(`${row.name}: the answer does not fit`);
  const quoted = quoteRounded(text);
  if (quoted === text || fits(row.answer, JSON.parse(quoted))) return body;
  throw new AnswerError(`${row.name}: answered ${status}, with a sum that no number holds: read its JSON text`);
}

/** Reads an answer of status 2xx or 304; throws {@link AnswerError} where it does not fit its row. */
export function answerOf(row: Operation, arrived: ArrivedAnswer): Answer<unknown> {
  const { status, headers } = arrived;
  return {
    status,
    body: status === 304 ? undefined : readBody(row, arrived),
    nextCursor: nextCursorOf(headers),
    syncToken: headers.get("sync-token") ?? undefined,
    etag: headers.get("etag") ?? undefined,
    requestId: headers.get("request-id") ?? undefined,
    replayed: headers.get("idempotent-replayed") === "true",
    headers,
  };
}

async function call(
  http: KyInstance,
  row: Operation,
  input: Input<Operation>,
  options: CallOptions,
): Promise<Answer<unknown>> {
  const response = await send(http, row, input, options);
  const { status, headers } = response;
  return answerOf(row, { status, headers, text: status === 304 ? "" : await response.text() });
}

/**
 * Makes the typed client of a contract. It throws the {@link ApiError} that the server answered, {@link NoAnswerError}
 * when no answer came, {@link AnswerError} when the answer does not fit; it never retries.
 */
export function createClient<const C extends Contract>(contract: C, options: ClientOptions): Client<C> {
  const http = ky.create({
    prefix: options.baseUrl,
    retry: 0,
    timeout: options.timeoutMs ?? 10_000,
    ...(options.fetch === undefined ? {} : { fetch: options.fetch }),
    hooks: {
      beforeRequest: [
        async ({ request }) => {
          for (const [name, value] of Object.entries((await options.headers?.()) ?? {}))
            request.headers.set(name, value);
        },
      ],
    },
  });
  const methods = Object.entries(contract).map(([name, row]) => [
    name,
    (input: Input<Operation>, callOptions: CallOptions = {}) => call(http, row, input, callOptions),
  ]);
  return Object.fromEntries(methods) as Client<C>;
}
