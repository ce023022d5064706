import type { BlockList } from "node:net";
import type { Hono } from "hono";
import type { Registry } from "prom-client";
import type { ApiError } from "../../src/contract/shared/errors.ts";
import type { Call, Handler } from "../../src/contract/shared/handler.ts";
import type { Access, Contract, Operation } from "../../src/contract/shared/operation.ts";
import type { Scope } from "../../src/contract/shared/scopes.ts";
import type { ConcurrencyLimiter } from "./concurrency-limiter.ts";
import type { AnswerBody, ErrorShape, HttpContext, HttpEnv } from "./exchange.ts";
import type { HttpLog } from "./http-log.ts";
import type { RateLimiter } from "./rate-limiter.ts";
import type { WrittenReply } from "./remote-call.ts";

/**
 * The framework's functions for plain routes, which no row of the contract describes: to read a body, answer, limit by
 * address, recognise a caller on this machine, and write the log.
 */
export interface HttpTools {
  /** The body's bytes, at most as many as the limit, which is 256 KiB unless given: else 413. */
  readBody(c: HttpContext, limit?: number): Promise<Uint8Array>;
  /** An answer that carries the request id, limits and `Cache-Control: no-store`. */
  respond(c: HttpContext, status: number, body: AnswerBody, headers?: Readonly<Record<string, string>>): Response;
  /** The same with a body that is one buffer shared by all requests: it does not count as an unread answer. */
  respondShared(c: HttpContext, status: number, body: Uint8Array, headers?: Readonly<Record<string, string>>): Response;
  /** Delays the access log's line until a streamed answer has ended, so that it has the whole duration. */
  reportAfter(c: HttpContext, ended: Promise<void>): void;
  /** Words this request's errors by the shape from here on, thrown ones too. */
  shapeErrors(c: HttpContext, shape: ErrorShape): void;
  /** Names the principal in the access log. Never personal data. */
  label(c: HttpContext, principal: string): void;
  requestId(c: HttpContext): string;
  /** The client's address, behind trusted proxies only. */
  address(c: HttpContext): string;
  /** Counts a request against its address, as every refused one is; throws 429 past the limit. */
  limitAddress(c: HttpContext): void;
  /** True once the caller hung up: nobody is left to answer. */
  isGone(c: HttpContext): boolean;
  /** True if a request comes from this machine without a proxy in between. */
  isDirectLoopback(c: HttpContext): boolean;
  readonly log: HttpLog;
}

/** The metrics of an app. */
export interface MetricsOptions {
  readonly registry: Registry;
  /** Its name in the metrics. */
  readonly app?: string;
  /** Reads the metrics at `/metrics`: 404 without one. */
  readonly token?: string;
  /** The metrics of the whole process as text, where the registry is that of one thread. */
  readonly expose?: () => Promise<string>;
}

/** Adds plain Hono routes, or middleware, to an app beside the rows of its contract. */
export type AddRoutes = (app: Hono<HttpEnv>, tools: HttpTools) => void;

/** Carries out an operation in another thread. */
export type RemoteHandler<Principal> = (call: Call<Operation, Principal>) => Promise<WrittenReply>;

/** Every option of {@link createApp}: the tested app is the shipped one. */
export interface HttpOptions<C extends Contract, Principal> {
  readonly contract: C;
  readonly handlers: { readonly [N in keyof C]: Handler<C[N], Principal> | RemoteHandler<Principal> };
  /**
   * Identifies the caller; throws `ApiError` where it cannot. Called for every row, those with access `none` too, so
   * that they can have an anonymous principal.
   */
  readonly authenticate: (access: Access, request: Request, address: string) => Promise<Principal> | Principal;
  /** The scopes of the principal's access token, where rows ask for one. */
  readonly scopesOf?: (principal: Principal) => readonly Scope[];
  /** The label that identifies a principal in limits and log; an id, never personal data. */
  readonly labelOf: (principal: Principal) => string;
  /** The group of a principal, which shares a limit and turns, so that more principals do not mean more requests. */
  readonly groupOf?: (principal: Principal) => string;
  readonly log: HttpLog;
  /** Milliseconds from any fixed point, for durations. */
  readonly now: () => number;
  readonly newRequestId: () => string;
  /** Maps errors of other modules (an unreachable database) to an `ApiError`; undefined for our own bug. */
  readonly classify?: (error: unknown) => ApiError | undefined;
  /**
   * Limits of principals and, for callers without one, of addresses, and of groups. Default: 1 200 000 and 30 000 a
   * minute, and none of groups.
   */
  readonly limits?: { readonly principal?: RateLimiter; readonly address?: RateLimiter; readonly group?: RateLimiter };
  /** The limiter of a row's calls, which take turns between groups once they are read. Default: none has one. */
  readonly turnsOf?: (row: Operation) => ConcurrencyLimiter | undefined;
  readonly trustedProxies?: BlockList;
  /** The public address of the rows; makes `Link` absolute. */
  readonly baseUrl?: string;
  /** Realm of `WWW-Authenticate`. Default `cupo`. */
  readonly realm?: string;
  /** True if requests can be served now; `/health/ready` waits for it at most 2 s. Default: always. */
  readonly ready?: () => Promise<boolean>;
  /** Sentences on parts that are missing though requests can be served; `/health/ready` shows them. */
  readonly missing?: () => Promise<readonly string[]>;
  readonly metrics?: MetricsOptions;
  /** The document that `/openapi.json` serves, and `/docs` as a page; see `openApiOf`. Asked for once. */
  readonly openApi?: () => Promise<string>;
  /** Middleware that must see the rows' requests too, such as CORS. */
  readonly before?: AddRoutes;
  /** Plain routes beside the rows: token endpoint, static files. Limited per address. */
  readonly custom?: AddRoutes;
  /** The peer of a request without a socket (the app called as a function). Default: unknown. */
  readonly assumedPeer?: { readonly address: string; readonly port: number };
}
