import type { AnswerOf, BodyOf, Contract, Operation, ParamsOf, QueryOf } from "./operation.ts";

/**
 * An idempotency key and the fingerprint of its request: SHA-256 of the body in RFC 8785 form, together with the path
 * parameters where the path names what is changed.
 */
export interface Idempotency {
  readonly key: string;
  readonly fingerprint: Uint8Array;
}

/** One request, validated against its operation's schemas: all that a handler may know of HTTP. */
export interface Call<O extends Operation, Principal> {
  readonly principal: Principal;
  readonly params: ParamsOf<O>;
  readonly query: QueryOf<O>;
  readonly body: BodyOf<O>;
  readonly idempotency: Idempotency | undefined;
  readonly requestId: string;
  /** The media type that `Accept` asked for, of those that the row offers. */
  readonly mediaType: string;
  /** True for `Prefer: return=minimal` (RFC 7240): the answer leaves out what the row's description says. */
  readonly isMinimal: boolean;
  /** The client's network address, behind trusted proxies only. */
  readonly address: string;
  /** The browser's `Origin`, where it sent one. */
  readonly origin: string | undefined;
}

/**
 * The answer of a handler. The body is checked against the operation's schema; `media` replaces it on the wire (an
 * image).
 */
export interface Reply<A> {
  readonly body: A;
  readonly media?: { readonly type: string; readonly content: string | Uint8Array };
  readonly headers?: Readonly<Record<string, string>>;
  /** The next page's cursor; becomes the `Link` header. */
  readonly nextCursor?: string | undefined;
  /** The value of `changed-since` that asks for all that happens after this list; becomes the `Sync-Token` header. */
  readonly syncToken?: string | undefined;
  /** The answer was given before, for the same idempotency key. */
  readonly replayed?: boolean;
}

/** Carries out one operation for a principal; throws `ApiError` for every expected failure. */
export type Handler<O extends Operation, Principal> = (call: Call<O, Principal>) => Promise<Reply<AnswerOf<O>>>;

/** A handler for each operation of a contract. */
export type Handlers<C extends Contract, Principal> = { readonly [N in keyof C]: Handler<C[N], Principal> };
