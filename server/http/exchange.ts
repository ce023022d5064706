import type { IncomingMessage, ServerResponse } from "node:http";
import type { Context } from "hono";
import type { ApiError } from "../../src/contract/shared/errors.ts";

/**
 * A function that makes the answer of an error for a route whose errors are no problem documents (RFC 6749 §5.2 for the
 * token endpoint).
 */
export type ErrorShape = (error: ApiError) => {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
};

/** The state of one request while it runs; every answer and the access log are made from it. */
export interface Exchange {
  readonly requestId: string;
  /** The client's address, behind trusted proxies only. */
  readonly address: string;
  /** Headers that every answer carries; the rate limit adds its own. */
  readonly headers: Record<string, string>;
  /** The path as it is registered, never as it was sent: what logs and metrics may name. */
  route: string | undefined;
  /** The principal's label, for the log. */
  principal: string | undefined;
  errorShape: ErrorShape | undefined;
  /** Settles when a streamed answer has ended; the access log's line waits for it. */
  ended: Promise<void> | undefined;
  /** True if the answer was built by {@link respond}, and so carries the headers already. */
  complete: boolean;
}

/** Hono's types of our apps: Node's request and response where there are any, and the exchange. */
export interface HttpEnv {
  Bindings: { readonly incoming?: IncomingMessage; readonly outgoing?: ServerResponse };
  Variables: { exchange: Exchange };
}

/** The context of a request to one of our apps. */
export type HttpContext = Context<HttpEnv>;

/** True once the caller hung up: nobody is left to answer. */
export function isGone({ env }: HttpContext): boolean {
  return env?.outgoing?.closed === true;
}

/** The types that an answer's body may have. */
export type AnswerBody = string | Uint8Array | ReadableStream<Uint8Array> | null;

/**
 * Makes an answer with the exchange's headers and its own in one go: touching `Response.headers` afterwards costs much
 * more.
 */
export function respond(
  exchange: Exchange,
  status: number,
  body: AnswerBody,
  headers: Readonly<Record<string, string>>,
): Response {
  exchange.complete = true;
  return new Response(body as string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> | null, {
    status,
    headers: { ...exchange.headers, ...headers },
  });
}
