import type { Hono } from "hono";
import { businessTime } from "../../src/business-time.ts";
import { brokerContract } from "../../src/contract/broker/broker.ts";
import { ApiError } from "../../src/contract/shared/errors.ts";
import { qrCurrency } from "../../src/qr-payload/currency.ts";
import { beginAgain } from "../database/begin-again.ts";
import { classifyDatabaseError } from "../database/classify-database-error.ts";
import { requireWritable } from "../database/require-writable.ts";
import { createApp } from "../http/create-app.ts";
import type { HttpEnv } from "../http/exchange.ts";
import { createRateLimiter } from "../http/rate-limiter.ts";
import type { Deliverer } from "../webhooks/deliverer.ts";
import { createAudit } from "./access/audit.ts";
import { createAuthenticate } from "./access/authenticate.ts";
import type { Authenticator } from "./access/authenticator.ts";
import type { BrokerContext, PersonLimit } from "./access/broker-context.ts";
import type { BrokerOptions } from "./access/broker-options.ts";
import { addCors } from "./access/cors.ts";
import { gateHandlers } from "./access/policy/gate.ts";
import type { Upstream } from "./access/policy/upstream-calls.ts";
import { principalLabel } from "./access/principal.ts";
import { readSessionCookie } from "./access/session-cookie.ts";
import { createSignInSessions } from "./access/sign-in-sessions.ts";
import { brokerHandlers } from "./broker-handlers.ts";
import { createDemoAuthenticator } from "./demo/demo-authenticator.ts";
import { addDemoRoutes, guardDemo } from "./demo/demo-routes.ts";
import { createDemoShop } from "./demo/demo-shop.ts";
import { createForgetting } from "./forget-ended.ts";
import { createMerchantWebhooks } from "./merchants/events/merchant-webhooks.ts";
import { createRechargeReconciler } from "./merchants/recharges/reconcile-recharges.ts";
import { createRefundReconciler } from "./merchants/refunds/reconcile-refunds.ts";
import { addStaticFiles, isBuilt } from "./pages/static-files.ts";
import { createApprovalReconciler } from "./payments/approvals/reconcile-approvals.ts";
import { createPasskeyAuthenticator } from "./people/account/passkey-authenticator.ts";
import { sendCodes } from "./people/devices/code-outbox.ts";
import { createChangeNotifications } from "./people/notifications/change-notifications.ts";
import { createChangeStreams } from "./people/notifications/change-streams.ts";
import { createPushSender } from "./people/notifications/push-sender.ts";
import { addStreamRoutes } from "./people/notifications/stream-routes.ts";
import { addUpstreamEvents } from "./people/notifications/upstream-events.ts";
import { createBlockFollower } from "./people/protection/follow-blocks.ts";
import { merchantDocument } from "./reference/merchant-document.ts";
import { keepCodes } from "./upstream/keep-codes.ts";
import { createQrKeySource } from "./upstream/qr-keys.ts";
import { createRegistration, type WebhookRegistration } from "./upstream/register-webhook.ts";
import { createUpstream } from "./upstream/upstream.ts";
import { createUpstreamSecrets } from "./upstream/upstream-secrets.ts";

export type { BrokerOptions } from "./access/broker-options.ts";

/** A running broker: its HTTP app, and the functions that start, repeat and end its background work. */
export interface Broker {
  readonly app: Hono<HttpEnv>;
  /** Ends the streams at once and refuses new ones: a shutdown that waits for requests must not wait for these. */
  endStreams(): void;
  /** Registers this address, which must lead to this broker, as the service's webhook; polling goes on all the same. */
  registerWebhook(url: string): Promise<void>;
  /**
   * Settles approvals, top-ups and refunds whose outcome is unknown, makes the blocks of freezes and sends the account
   * changes that a process left behind, and deletes what has expired. To be called repeatedly.
   */
  reconcilePending(): Promise<void>;
  /** Starts the webhooks to merchants (payments) and to the entity (codes), which run until the broker is closed. */
  startMerchantWebhooks(): void;
  /** Waits for payments under way; the database may be closed after that. */
  close(): Promise<void>;
}

const KEY_TIMEOUT_MS = 5_000;
const SIGN_INS_A_MINUTE = 60;
const SESSIONS_A_MINUTE = 1_200;
/** Of the pages of one visitor, or of all behind one address. */
const PAGE_SESSIONS_A_MINUTE = 30;
/** A code of a person lasts a quarter of an hour: some 150 of a session are live at once at most. */
const CODES_AN_HOUR = 120;
const SALES_A_MINUTE = 60;
const REFUNDS_A_MINUTE = 300;
const GUARDED_A_MINUTE = 20;
const REFUSALS_A_MINUTE = 10;
/** A person's limit is that of so many sessions together. */
const SESSIONS_OF_PERSON = 5;

function classify(error: unknown): ApiError | undefined {
  const { kind } = classifyDatabaseError(error);
  return kind === "away" || kind === "retry" ? new ApiError("unavailable", { retryAfter: 1, cause: error }) : undefined;
}

function personLimit(limit: { quota: number; windowSeconds: number; now: () => number }): PersonLimit {
  const person = createRateLimiter({ ...limit, quota: limit.quota * SESSIONS_OF_PERSON });
  return { session: createRateLimiter(limit), person };
}

/** People prove their presence by passkey; the demo's people also by a button. */
function authenticatorOf(options: BrokerOptions): Authenticator {
  const passkeys = createPasskeyAuthenticator(options);
  return options.demo ? createDemoAuthenticator(passkeys, options.newId) : passkeys;
}

function contextOf(options: BrokerOptions): BrokerContext {
  const { now, clock, upstream } = options;
  const currency = qrCurrency(options.currency);
  if (currency === undefined) throw new Error(`${options.currency} is no currency that a payment code can name`);
  const authenticator = authenticatorOf(options);
  return {
    ...options,
    currency: { code: options.currency, digits: currency.digits },
    time: businessTime(options.timeZone),
    audit: createAudit(clock),
    signIns: createSignInSessions({ ...options, methods: authenticator.methods }),
    authenticator,
    hints: createChangeNotifications(),
    push: createPushSender(options),
    qrKeys: createQrKeySource({ baseUrl: upstream.baseUrl, now, timeoutMs: KEY_TIMEOUT_MS }),
    signInLimit: createRateLimiter({ quota: SIGN_INS_A_MINUTE, windowSeconds: 60, now }),
    sessionLimit: createRateLimiter({ quota: SESSIONS_A_MINUTE, windowSeconds: 60, now }),
    pageSessionLimit: createRateLimiter({ quota: PAGE_SESSIONS_A_MINUTE, windowSeconds: 60, now }),
    codeLimit: personLimit({ quota: CODES_AN_HOUR, windowSeconds: 3_600, now }),
    saleLimit: createRateLimiter({ quota: SALES_A_MINUTE, windowSeconds: 60, now }),
    refundLimit: createRateLimiter({ quota: REFUNDS_A_MINUTE, windowSeconds: 60, now }),
    guardLimit: personLimit({ quota: GUARDED_A_MINUTE, windowSeconds: 60, now }),
    refusalLimit: createRateLimiter({ quota: REFUSALS_A_MINUTE, windowSeconds: 60, now }),
  };
}

/** Makes the app's general options from the broker's, without the optional ones that are not given. */
function ownParts(options: BrokerOptions) {
  const { log, now, newId, publicOrigin, trustedProxies, limits, metrics, assumedPeer } = options;
  return {
    openApi: async () => merchantDocument(options),
    classify,
    labelOf: principalLabel,
    realm: "cupo broker",
    ...{ log, now, newRequestId: newId, baseUrl: publicOrigin },
    ...(trustedProxies === undefined ? {} : { trustedProxies }),
    ...(limits === undefined ? {} : { limits }),
    ...(metrics === undefined ? {} : { metrics }),
    ...(assumedPeer === undefined ? {} : { assumedPeer }),
  };
}

/** Creates the broker's senders: events to merchants, codes to the entity, messages to people, blocks of freezes. */
function createSenders(broker: BrokerContext, upstream: Upstream, { merchantWebhooks }: BrokerOptions) {
  const { push } = broker;
  const merchants = createMerchantWebhooks(broker, upstream, merchantWebhooks);
  let codes: Deliverer | undefined;
  const blocks = createBlockFollower(broker, upstream);
  return {
    ...{ merchants, blocks, push },
    start() {
      merchants.start();
      codes ??= sendCodes(broker, merchantWebhooks);
    },
    sendLeft: () => Promise.all([blocks.followLeft(), push.notifyPending()]),
    stop: () => Promise.all([merchants.stop(), codes?.stop(), push.stop(), blocks.close()]),
  };
}

/** Creates the senders of payments, one for each kind. */
function createReconcilers(broker: BrokerContext, upstream: Upstream, asked: Upstream) {
  return {
    approvals: createApprovalReconciler(broker, asked),
    sales: createRechargeReconciler(broker, upstream),
    refunds: createRefundReconciler(broker, upstream),
  };
}

/** Only a broker with a public https origin, or beside its service, can receive webhooks; the log says why not. */
const NO_WEBHOOK = "The service does not tell this broker of payments (its webhook is not registered): it has to ask.";

/** Reports readiness: true while the broker serves, with a sentence for each missing part that limits it. */
function readiness({ sql, staticRoot }: BrokerOptions, registration: WebhookRegistration) {
  return {
    ready: () => requireWritable(sql).then(() => true),
    missing: async () => [
      ...((await isBuilt(staticRoot)) ? [] : ['There are no pages to show: run "npm run build".']),
      ...(registration.isRegistered() ? [] : [NO_WEBHOOK]),
    ],
  };
}

/**
 * Assembles a broker from its options: the HTTP app (sign-in, approvals, widget sessions, the demo shop, the built
 * pages) and the background workers. Throws if a payment code cannot name the currency.
 */
export function createBroker(given: BrokerOptions): Broker {
  const options = { ...given, sql: beginAgain(given.sql) };
  const { sql, key, publicOrigin, demo, staticRoot } = options;
  const broker = contextOf(options);
  const upstream = createUpstream(options);
  const senders = createSenders(broker, upstream, options);
  const asked = keepCodes(upstream, broker);
  const payments = createReconcilers(broker, upstream, asked);
  const secrets = createUpstreamSecrets(options);
  const registration = createRegistration(upstream, secrets);
  const handlers = brokerHandlers(broker, { ...payments, ...senders });
  const streams = createChangeStreams(broker.hints, options.streams);
  const authenticate = createAuthenticate(broker);
  const self: typeof fetch = async (input, init) => app.fetch(new Request(input, init));
  const app: Hono<HttpEnv> = createApp({
    contract: brokerContract,
    handlers: gateHandlers(handlers, asked),
    authenticate,
    ...readiness(options, registration),
    before: (routes, tools) => {
      guardDemo(routes, tools, demo);
      addCors(routes, tools, { sql, authenticate, publicOrigin, now: options.now });
    },
    custom: (routes, tools) => {
      addDemoRoutes(routes, tools, broker, createDemoShop({ key, publicOrigin, fetch: self }));
      addUpstreamEvents(routes, tools, { secrets, hints: broker.hints, ...senders });
      addStreamRoutes(routes, tools, { streams, authenticate, clock: options.clock });
      const isSignedIn = (headers: Headers): boolean => readSessionCookie({ publicOrigin }, headers) !== undefined;
      addStaticFiles(routes, tools, { root: staticRoot, isSignedIn, demo });
    },
    ...ownParts(options),
  });
  const close = async (): Promise<void> => {
    streams.close();
    await Promise.all([...Object.values(payments).map((kind) => kind.close()), senders.stop()]);
  };
  const forget = createForgetting(options, upstream);
  const reconcilePending = async (): Promise<void> => {
    await Promise.all([...Object.values(payments).map((kind) => kind.reconcilePending()), senders.sendLeft()]);
    await forget();
  };
  return {
    app,
    endStreams: streams.close,
    registerWebhook: registration.register,
    reconcilePending,
    startMerchantWebhooks: senders.start,
    close,
  };
}
