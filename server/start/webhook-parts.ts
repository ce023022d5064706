import { businessTime } from "../../src/business-time.ts";
import { createSealer } from "../database/sealer.ts";
import { within } from "../database/within.ts";
import type { EventBody } from "../ledger/storage/save-events.ts";
import { repeatTasks } from "../runtime/repeat-task.ts";
import type { WebhookSettings } from "../service/shared/webhook-settings.ts";
import { deliveryStore } from "../service/webhooks/delivery-store.ts";
import { emitExpiredQrEvents } from "../service/webhooks/emit-expired-qrs.ts";
import { eventBody } from "../service/webhooks/event-body.ts";
import { forgetEvents } from "../service/webhooks/forget-events.ts";
import type { Threads } from "../threads/threads.ts";
import { type Deliverer, startDeliverer } from "../webhooks/deliverer.ts";
import { createWebhookNetwork } from "../webhooks/webhook-network.ts";
import type { DeliveryThreadData } from "./delivery-thread.ts";
import type { ServiceCoreOptions } from "./service-core.ts";

/**
 * The result of {@link startWebhooks}: the dependencies of the operations on webhooks, the writer of event bodies, and
 * the way to stop what was started.
 */
export interface WebhookParts {
  readonly settings: WebhookSettings;
  readonly eventBody: EventBody;
  /** Takes nothing more and waits for what is under way. */
  stop(): Promise<void>;
}

const TELL_EVERY_MS = 5_000;
const TELL_WITHIN_MS = 35_000;
const FORGET_EVERY_MS = 60 * 60 * 1000;

/** Starts to send the service's webhooks from this thread. */
export function startServiceDeliverer(
  options: Pick<ServiceCoreOptions, "sql" | "key" | "random" | "clock" | "log" | "webhooks">,
): Deliverer {
  const { sql, key, random, clock, log, webhooks = {} } = options;
  const store = deliveryStore(sql, createSealer(key, random));
  return startDeliverer({ ...webhooks, store, network: createWebhookNetwork(webhooks), clock, random, log });
}

/** Starts a thread that sends the service's webhooks, so that the writer does not wait for their network. */
export function startDeliveryThread(threads: Threads, data: DeliveryThreadData): Deliverer {
  const script = new URL("./delivery-thread.ts", import.meta.url);
  const thread = threads.start({ script, name: "webhooks", data, answers: {} });
  return {
    // A thread that is lost ends the process; here there is nothing to do about it.
    wake: () => void thread.channel.ask("wake").catch(() => undefined),
    stop: () => thread.close(),
  };
}

/**
 * Starts the deliverer of the service's webhooks, and the tasks that write events for expired codes and delete old
 * events.
 */
export function startWebhooks(options: ServiceCoreOptions): WebhookParts {
  const { sql, key, random, clock, newId, log, currency, webhooks = {} } = options;
  const deliverer = options.startDeliverer?.() ?? startServiceDeliverer(options);
  const sealer = createSealer(key, random);
  const network = createWebhookNetwork(webhooks);
  const time = businessTime(options.timeZone);
  const words = eventBody(currency, time);
  const tellExpired = async () => {
    const told = emitExpiredQrEvents({ sql, clock, newId, eventBody: words });
    const isLate = () => new Error("the database did not answer in time");
    if ((await within(TELL_WITHIN_MS, told, isLate)) > 0) deliverer.wake();
  };
  const tasks = repeatTasks(log, [
    { name: "tell of expired payment codes", everyMs: TELL_EVERY_MS, run: tellExpired },
    { name: "forget old events", everyMs: FORGET_EVERY_MS, run: () => forgetEvents(sql, clock()) },
  ]);
  return {
    settings: { sealer, network, newId, wake: () => deliverer.wake() },
    eventBody: words,
    async stop() {
      await Promise.all([deliverer.stop(), tasks.stop()]);
    },
  };
}
