import webPush from "web-push";
import { type PushWords, pushWords } from "../../../../src/language/tables/server.ts";
import { isPermittedTarget } from "../../../webhooks/is-permitted-target.ts";
import { createSender } from "../../../webhooks/send-webhook.ts";
import { createWebhookNetwork } from "../../../webhooks/webhook-network.ts";
import type { BrokerOptions } from "../../access/broker-options.ts";
import type { MoneyNews, PushSender } from "../../access/notifiers.ts";
import { claimUnnotified, peopleToNotify } from "../account/account-change-store.ts";
import { pushKeys } from "./push-keys.ts";
import { countPush, livePushSubscriptions, type PushSubscription, subscriptionsToNotify } from "./push-store.ts";

/** A phone that was off for longer finds the movement in the app. */
const LIFE_SECONDS = 24 * 60 * 60;

/** A message about one event for several browsers, each in its language. */
interface PushMessage {
  readonly news: keyof PushWords;
  /** One event makes one notification, however often it is sent. */
  readonly tag: string;
  readonly topic: string;
  /** The page of the app that shows it. */
  readonly path: string;
}

/** Returns the contact for push services (RFC 8292 §2.1); only a public https origin is one that they can use. */
function subjectOf(publicOrigin: string): string {
  return publicOrigin.startsWith("https:") ? publicOrigin : "mailto:operator@example.com";
}

/** Makes messages for browsers, encrypted (RFC 8291) and signed (RFC 8292). */
function createPushMessages({ key, publicOrigin }: Pick<BrokerOptions, "key" | "publicOrigin">) {
  const vapidDetails = { ...pushKeys(key), subject: subjectOf(publicOrigin) };
  return ({ endpoint, p256dh, auth, language }: PushSubscription, { news, tag, topic, path }: PushMessage) => {
    const payload = JSON.stringify({ ...pushWords[language][news], tag, path });
    const options = { vapidDetails, TTL: LIFE_SECONDS, urgency: "high", topic } as const;
    const made = webPush.generateRequestDetails({ endpoint, keys: { p256dh, auth } }, payload, options);
    const headers = Object.entries(made.headers).map(([name, value]) => [name.toLowerCase(), String(value)]);
    return { url: endpoint, headers: Object.fromEntries(headers) as Record<string, string>, body: made.body };
  };
}

/** Recipients that are notified at once; in a rush others are dropped, as nothing depends on these hints. */
const MOST_AT_ONCE = 200;

/** The signal that ends all sendings, and the callback for a failed one. */
interface SendingsOptions {
  readonly stopped: AbortSignal;
  readonly onFailure: (error: unknown) => void;
}

/** Keeps at most one sending under way for each user or person. */
function createCoalescingSender(
  send: (id: string, latest: string) => Promise<void>,
  { stopped, onFailure }: SendingsOptions,
) {
  /** For each recipient the sending under way, and the latest id that came meanwhile. */
  const underWay = new Map<string, { readonly sending: Promise<void>; next?: string }>();

  async function run(id: string, latest: string): Promise<void> {
    await send(id, latest).catch(onFailure);
    const next = underWay.get(id)?.next;
    underWay.delete(id);
    if (next !== undefined) tell(id, next);
  }

  function tell(id: string, latest: string): void {
    if (stopped.aborted) return;
    const before = underWay.get(id);
    if (before !== undefined) before.next = latest;
    else if (underWay.size < MOST_AT_ONCE) underWay.set(id, { sending: run(id, latest) });
  }

  return { tell, done: () => Promise.all([...underWay.values()].map(({ sending }) => sending)) };
}

type SenderOptions = Pick<BrokerOptions, "sql" | "clock" | "log" | "key" | "publicOrigin" | "pushNetwork">;

const TIMEOUT_MS = 10_000;
/** The push service keeps only the latest of a topic for a phone that is off (RFC 8030 §5.4). */
const TOPICS: Readonly<Record<MoneyNews, string>> = Object.freeze({ arrived: "money", corrected: "corrected" });

/** Creates the sender of push messages, the only code that sends them. */
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
    const message = { news, tag: movementId, topic: TOPICS[news], path };
    for (const subscription of await livePushSubscriptions(sql, userId, clock())) await send(subscription, message);
  };

  async function sendChanges(personId: string): Promise<void> {
    for (const change of await claimUnnotified(sql, personId, clock())) {
      const { id, kind } = change;
      const message = { news: kind, tag: id, topic: `account-${kind}`, path: "/profile#changes" };
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
