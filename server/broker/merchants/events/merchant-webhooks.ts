import type { Sql } from "../../../database/connect.ts";
import { createSealer, type Sealer } from "../../../database/sealer.ts";
import { repeatTasks } from "../../../runtime/repeat-task.ts";
import { startDeliverer } from "../../../webhooks/deliverer.ts";
import type { DeliveryStore, Endpoint } from "../../../webhooks/delivery-store.ts";
import { deliveriesIn, isDue } from "../../../webhooks/delivery-table.ts";
import { createWebhookNetwork } from "../../../webhooks/webhook-network.ts";
import type { BrokerContext } from "../../access/broker-context.ts";
import type { BrokerOptions } from "../../access/broker-options.ts";
import type { Upstream } from "../../access/policy/upstream-calls.ts";
import { openWebhookSecrets } from "../webhook-secrets.ts";
import { createEventRecorder } from "./event-recorder.ts";
import { forgetMerchantEvents } from "./event-store.ts";
import { watchPayments } from "./watch-payments.ts";
import { hasWebhook, merchantsWithWebhook } from "./webhook-session.ts";

/** The broker's webhooks that report payments to merchants. */
export interface MerchantWebhooks {
  /** Records the outcomes of the payment codes of these references, to be sent at once. */
  recordOutcomes(references: readonly string[]): Promise<void>;
  /** Begins to deliver, and to poll for outcomes that no message reported. */
  start(): void;
  /** Takes nothing more and waits for what is under way. */
  stop(): Promise<void>;
}

/** Merchants with a message due now; each costs one probe of the index that has the order which is asked for. */
function dueMerchants(sql: Sql, now: Date): Promise<readonly Endpoint[]> {
  return sql<Endpoint[]>`
    select m.id, m.webhook_url as url from ${merchantsWithWebhook(sql)}
    cross join lateral (
      select from broker.merchant_events where merchant_id = m.id and ${isDue(sql, now)}
      order by next_attempt_at limit 1) due
    where ${hasWebhook(sql)}`;
}

/**
 * Creates the delivery store of merchant events. A merchant that has no webhook or no secret is sent nothing; one that
 * is disabled still is. An answer 410 is a refusal as any other: only the operator takes a webhook away.
 */
function merchantOutbox(sql: Sql, sealer: Sealer): DeliveryStore {
  const name = "broker.merchant_events";
  const table = { name, bodies: name, endpointId: "merchant_id", eventId: "id" } as const;
  return {
    dueEndpoints: (now) => dueMerchants(sql, now),
    ...deliveriesIn(sql, table),
    secretsOf: ({ id }) => openWebhookSecrets(sql, sealer, id),
  };
}

const WATCH_EVERY_MS = 10_000;
const FORGET_EVERY_MS = 60 * 60 * 1000;

/** Starts the background tasks; returns the means to wake and stop them. */
function startTasks(
  { sql, clock, log, random, key }: BrokerContext,
  { watchEveryMs = WATCH_EVERY_MS, ...webhooks }: NonNullable<BrokerOptions["merchantWebhooks"]>,
  recorder: ReturnType<typeof createEventRecorder>,
) {
  let isStopped = false;
  const network = createWebhookNetwork(webhooks);
  const store = merchantOutbox(sql, createSealer(key, random));
  const deliverer = startDeliverer({ ...webhooks, store, network, clock, random, log });
  // Ticks come a little early or late: a merchant that was polled in the last one is due in this one.
  const watching = { sql, clock, log, recorder, busyMs: watchEveryMs / 2, isStopped: () => isStopped };
  const forget = () => forgetMerchantEvents(sql, clock());
  const tasks = repeatTasks(log, [
    { name: "watch merchants' payments", everyMs: watchEveryMs, run: () => watchPayments(watching) },
    { name: "forget old messages to merchants", everyMs: FORGET_EVERY_MS, run: forget },
  ]);
  return {
    wake: () => deliverer.wake(),
    async stop() {
      isStopped = true;
      await Promise.all([deliverer.stop(), tasks.stop()]);
    },
  };
}

/** Makes the merchants' webhooks of one process; several processes share one outbox. */
export function createMerchantWebhooks(
  broker: BrokerContext,
  upstream: Upstream,
  options: BrokerOptions["merchantWebhooks"] = {},
): MerchantWebhooks {
  let running: ReturnType<typeof startTasks> | undefined;
  const recorder = createEventRecorder({ ...broker, upstream, wake: () => running?.wake() });
  return {
    recordOutcomes: (references) => recorder.recordOutcomes(references),
    start() {
      running ??= startTasks(broker, options, recorder);
    },
    async stop() {
      await running?.stop();
    },
  };
}
