import { type Client, createClient } from "./client.ts";
import { merchantContract } from "./contract/broker/broker.ts";
import { type ServiceContract, serviceContract } from "./contract/service/service.ts";
import type { Contract } from "./contract/shared/operation.ts";
import { fetchWithoutRedirects } from "./fetch-without-redirects.ts";
import { type RepeatOptions, repeatCalls, type Wait } from "./repeat-calls.ts";
import { sendAuthorised } from "./send-authorised.ts";
import { createTokenSources } from "./token-source.ts";

/**
 * Options that {@link createCupoClient} and {@link createMerchantClient} share; all but `baseUrl` have a default that
 * suits a backend.
 */
export interface BackendOptions {
  /** Such as `https://api.cupo.example`. */
  readonly baseUrl: string;
  /** How long one try may take. Default: 15 000 ms. */
  readonly timeoutMs?: number;
  /** How often one call is sent at most, the first time included. Default: 4. */
  readonly tries?: number;
  /** Default: the platform's. */
  readonly fetch?: typeof fetch;
  /** Makes the idempotency key of a write that was given none. Default: a random UUID. */
  readonly newKey?: () => string;
  /** Milliseconds from any fixed point. Default: the monotonic clock. */
  readonly now?: () => number;
  /** Random bytes, for the jitter of pauses. Default: the platform's. */
  readonly random?: (length: number) => Uint8Array;
  /** Waits between two tries. Default: a timer that the call's `signal` ends. */
  readonly wait?: Wait;
}

/**
 * Options of {@link createCupoClient}: the credentials of the API client as which it calls, and the service's
 * addresses.
 */
export interface CupoClientOptions extends BackendOptions {
  /** The address of the token endpoint, where that is another host. Default: `baseUrl`. */
  readonly authUrl?: string;
  readonly clientId: string;
  /** Stays in this process: it is sent to `authUrl` alone, and is in no error. */
  readonly clientSecret: string;
  /** Called when a token could not be renewed early; calls go on with the current one until it expires. */
  readonly onRenewalFailure?: (error: unknown) => void;
}

/** Options of {@link createMerchantClient}: the merchant's server key, and the broker's address. */
export interface MerchantClientOptions extends BackendOptions {
  /** `sk_…`: never in a page. */
  readonly serverKey: string;
}

/** The client of a fintech's backend: every operation of the service. */
export type CupoClient = Client<ServiceContract>;

/**
 * The broker's operations that a merchant's backend calls: it creates, reads and cancels widget sessions, and lists
 * top-ups.
 */
export type MerchantContract = typeof merchantContract;

/** The client of a merchant's backend, for the operations of {@link MerchantContract}. */
export type MerchantClient = Client<MerchantContract>;

const TIMEOUT_MS = 15_000;
const TRIES = 4;

const waitOnTimer: Wait = (delayMs, signal) =>
  new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      resolve();
    }, delayMs);
    signal?.addEventListener("abort", stop, { once: true });
  });

function randomBytes(length: number): Uint8Array {
  return crypto.getRandomValues(new Uint8Array(length));
}

function clientOf<const C extends Contract>(contract: C, options: BackendOptions, send: RepeatOptions["send"]) {
  const { baseUrl, timeoutMs = TIMEOUT_MS, tries = TRIES, newKey = () => crypto.randomUUID() } = options;
  const client = createClient(contract, { baseUrl, timeoutMs, fetch: fetchWithoutRedirects(options.fetch) });
  const { random = randomBytes, wait = waitOnTimer } = options;
  return repeatCalls(contract, client, { tries, timeoutMs, newKey, random, wait, send });
}

/**
 * Makes a fintech's client of the service: one method per operation, typed, each answering `{ body, status, nextCursor,
 * … }`. Keep one per process: it holds the access token, renews it before it ends, once for all callers, and asks for
 * another where the service refuses it. For operations of administration (API clients, settings, loan types, webhooks,
 * closing a month) it asks for a short-lived token by name, which takes a client that has that scope.
 *
 * A POST that writes carries an idempotency key: yours (`{ idempotencyKey: "order-1042" }`), or a new one for each
 * call. Reads, and those writes with the same key, are sent again, at most `tries` times and with growing pauses, when
 * no answer came, or 429 or 503 (after its `Retry-After`, unless that is over 30 s). A PUT is sent once. After a
 * {@link NoAnswerError} the outcome of a write is unknown: call again with the same key, in another process too, and
 * the answer is that of the first time. A key of your own outlives a crash; a generated one does not.
 *
 * Money is in units of the deployment's currency, a JSON number such as `25000` or `1200.5`: more than zero, with no
 * more decimals than the currency has and at most 15 significant digits. Compute with minor units ({@link parseAmount},
 * {@link formatAmount}), not with fractions of a unit. A payment that the balance does not allow is no error:
 * `body.status` is `rejected`, and `body.reason` says why.
 *
 * Throws {@link ApiError} with the service's `code` and `faults`, {@link NoAnswerError}, {@link AnswerError} for an
 * answer that is not the contract's, and {@link TokenSourceError} where no token could be obtained.
 */
export function createCupoClient(options: CupoClientOptions): CupoClient {
  const { baseUrl, authUrl = baseUrl, clientId, clientSecret, timeoutMs = TIMEOUT_MS } = options;
  const tokensOf = createTokenSources({
    authUrl,
    clientId,
    clientSecret,
    timeoutMs,
    now: options.now ?? (() => performance.now()),
    random: options.random ?? randomBytes,
    onFailure: options.onRenewalFailure ?? (() => undefined),
    ...(options.fetch === undefined ? {} : { fetch: options.fetch }),
  });
  return clientOf(serviceContract, options, (call, row) =>
    sendAuthorised(tokensOf(row), (token) => call({ authorization: `Bearer ${token}` })),
  );
}

/**
 * Makes a merchant's client of the broker, for its backend: starts the widget sessions that its pages show, and reads
 * their authoritative outcome. Keys, repeated calls, money and errors are as in {@link createCupoClient}; a session
 * with an `order` is the same session each time it is asked for.
 */
export function createMerchantClient(options: MerchantClientOptions): MerchantClient {
  const authorization = `Bearer ${options.serverKey}`;
  return clientOf(merchantContract, options, (call) => call({ authorization }));
}

export { type Answer, AnswerError, type CallOptions, type Client, NoAnswerError } from "./client.ts";
export type { Recharge } from "./contract/broker/broker-answers.ts";
export type { ApiClient, ApiClientWithSecret } from "./contract/service/api-clients.ts";
export type { Account, Entry } from "./contract/service/books.ts";
export type { Credit } from "./contract/service/credits.ts";
export type { EntitySettings } from "./contract/service/entity-settings.ts";
export type { LedgerTransaction } from "./contract/service/ledger.ts";
export type { LoanType } from "./contract/service/loan-types.ts";
export type { TransactionQr } from "./contract/service/qr.ts";
export type {
  AccountingReport,
  ClientStatistics,
  HarvestStatistics,
  TransactionStatistics,
} from "./contract/service/report-answers.ts";
export type { Transaction, TransactionInput } from "./contract/service/transactions.ts";
export type { ListedUser } from "./contract/service/user-list.ts";
export type { FoundUser, User } from "./contract/service/users.ts";
export type { Webhook, WebhookDelivery } from "./contract/service/webhooks.ts";
export { ApiError, type ErrorCode, type Fault } from "./contract/shared/errors.ts";
export type { AnswerOf, BodyOf, ParamsOf, QueryOf } from "./contract/shared/operation.ts";
export { formatAmount, MoneyError, parseAmount } from "./money.ts";
export { TokenSourceError } from "./token-source.ts";
export type { ServiceContract, Wait };
