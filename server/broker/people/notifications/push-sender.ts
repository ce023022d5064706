import { isPermittedTarget } from "../../../webhooks/is-permitted-target.ts";
import { createSender } from "../../../webhooks/send-webhook.ts";
import { createWebhookNetwork } from "../../../webhooks/webhook-network.ts";
import type { BrokerOptions } from "../../access/broker-options.ts";
import type { MoneyNews, PushSender } from "../../access/notifiers.ts";
import { claimUnnotified, peopleToNotify } from "../account/account-change-store.ts";
import { createCoalescingSender } from "./coalescing-sender.ts";
import { createPushMessages, type PushMessage } from "./push-message.ts";
import { countPush, livePushSubscriptions, type PushSubscription, subscriptionsToNotify } from "./push-store.ts";
import { changeWords, moneyWords } from "./push-words.ts";

type SenderOptions = Pick<BrokerOptions, "sql" | "clock" | "log" | "key" | "publicOrigin" | "pushNetwork">;

const TIMEOUT_MS = 10_000;
/** The push service keeps only the latest of a topic for a phone that is off (RFC 8030 §5.4). */
const TOPICS: Readonly<Record<MoneyNews, string>> = Object.freeze({ arrived: "money", corrected: "corrected" });

/** Makes the one place that sends push messages. */
export function createPushSender(broker: SenderOptions): PushSender {
  const { sql, clock, log, pushNetwork = {} } = broker;
  const messageTo = createPushMessages(broker);
  const network = createWebhookNetwork(pushNetwork);
  const sender = createSender({ network, timeoutMs: TIMEOUT_MS });
  const stopping = new AbortController();

  async function send(subscription: PushSubscription, message: PushMessage): Promise<void> {
    const outcome = await sender.send(messageTo(subscription, message), stopping.signal);
    if (outcome.type === "stopped") return;
    const isGone = outcome.type === "refused" && (outcome.status === 404 || outcome.status === 410);
    const counted = outcome.type === "accepted" ? "sent" : isGone ? "gone" : "failed";
    await countPush(sql, subscription.id, counted, clock());
  }

  const sendNews = (news: MoneyNews) => async (userId: string, movementId: string) => {
    const path = news === "arrived" ? "/received" : "/history";
    const message = { words: moneyWords[news], tag: movementId, topic: TOPICS[news], path };
    for (const subscription of await livePushSubscriptions(sql, userId, clock())) await send(subscription, message);
  };

  async function sendChanges(personId: string): Promise<void> {
    for (const change of await claimUnnotified(sql, personId, clock())) {
      const { id, kind } = change;
      const message = { words: changeWords[kind], tag: id, topic: `account-${kind}`, path: "/profile#changes" };
      for (const subscription of await subscriptionsToNotify(sql, change, clock())) await send(subscription, message);
    }
  }

  const warn = (error: unknown) => log.warn({ error: String(error) }, "a push message could not be sent");
  const how = { stopped: stopping.signal, onFailure: warn };
  const [arrived, corrected] = [
    createCoalescingSender(sendNews("arrived"), how),
    createCoalescingSender(sendNews("corrected"), how),
  ];
  const changes = createCoalescingSender(sendChanges, how);
  return {
    admits: (endpoint) => isPermittedTarget(endpoint, network),
    notify: (userId, movementId, news = "arrived") => ({ arrived, corrected })[news].tell(userId, movementId),
    notifyOfChanges: (personId) => changes.tell(personId, ""),
    async notifyPending() {
      for (const personId of await peopleToNotify(sql, clock())) changes.tell(personId, "");
    },
    async stop() {
      stopping.abort();
      await Promise.all([arrived, corrected, changes].map((sendings) => sendings.done()));
      sender.close();
    },
  };
}
