import webPush from "web-push";
import { isPermittedTarget } from "../../webhooks/is-permitted-target.ts";
import { createSender } from "../../webhooks/send-webhook.ts";
import { createWebhookNetwork } from "../../webhooks/webhook-network.ts";
import type { BrokerOptions } from "../broker-options.ts";
import { pushKeys } from "./push-keys.ts";
import { countPush, livePushSubscriptions, type PushSubscription } from "./push-store.ts";
import { type PushMessage, pushWords } from "./push-words.ts";

/** Tells people's browsers what happened to their money; `arrived` where nothing else is said. */
export interface PushSender {
  /**
   * Sends the user's browsers a message; never throws, and waits for nobody. What comes while one is being sent to them
   * is told by one message after it: its text is the same, and one person's browsers do not keep others waiting.
   */
  tell(userId: string, movementId: string, message?: PushMessage): void;
  /** Whether messages may be sent to an address, as it resolves now; it is judged again whenever one is sent. */
  admits(endpoint: string): Promise<boolean>;
  /** Takes nothing more and waits for what is under way. */
  stop(): Promise<void>;
}

type SenderOptions = Pick<BrokerOptions, "sql" | "clock" | "log" | "key" | "publicOrigin" | "pushNetwork">;

const TIMEOUT_MS = 10_000;
/** A phone that was off for longer finds the movement in the app. */
const LIFE_SECONDS = 24 * 60 * 60;
/** People who are told at once; in a rush those beyond are left out, for these are hints and nothing hangs on them. */
const MOST_AT_ONCE = 200;
/** The push service keeps only the latest of a topic for a phone that is off (RFC 8030 §5.4). */
const TOPICS: Readonly<Record<PushMessage, string>> = Object.freeze({ arrived: "money", corrected: "corrected" });

/** Whom a push service may complain to (RFC 8292 §2.1); only a public https origin is an address that it can use. */
function subjectOf(publicOrigin: string): string {
  return publicOrigin.startsWith("https:") ? publicOrigin : "mailto:operator@example.com";
}

type Send = (userId: string, movementId: string, message: PushMessage) => Promise<void>;

/** Keeps one sending of each message under way for each user; `send` must not throw. */
function createSendings(send: Send, stopped: AbortSignal) {
  /** Of each user who is being told, the sending, and the last movement that came meanwhile. */
  const underWay = new Map<string, { readonly sending: Promise<void>; next?: string }>();

  async function run(userId: string, movementId: string, message: PushMessage): Promise<void> {
    await send(userId, movementId, message);
    const key = `${message} ${userId}`;
    const next = underWay.get(key)?.next;
    underWay.delete(key);
    if (next !== undefined) tell(userId, next, message);
  }

  function tell(userId: string, movementId: string, message: PushMessage = "arrived"): void {
    if (stopped.aborted) return;
    const key = `${message} ${userId}`;
    const before = underWay.get(key);
    if (before !== undefined) before.next = movementId;
    else if (underWay.size < MOST_AT_ONCE) underWay.set(key, { sending: run(userId, movementId, message) });
  }

  return { tell, done: () => Promise.all([...underWay.values()].map(({ sending }) => sending)) };
}

/** Makes the one place that sends push messages, encrypted for the browser (RFC 8291) and signed (RFC 8292). */
export function createPushSender(broker: SenderOptions): PushSender {
  const { sql, clock, log, key, publicOrigin, pushNetwork = {} } = broker;
  const vapidDetails = { ...pushKeys(key), subject: subjectOf(publicOrigin) };
  const network = createWebhookNetwork(pushNetwork);
  const sender = createSender({ network, timeoutMs: TIMEOUT_MS });
  const stopping = new AbortController();

  function messageTo({ endpoint, p256dh, auth, language }: PushSubscription, movementId: string, message: PushMessage) {
    const payload = JSON.stringify({ ...pushWords[message][language], tag: movementId });
    const options = { vapidDetails, TTL: LIFE_SECONDS, urgency: "high", topic: TOPICS[message] } as const;
    const made = webPush.generateRequestDetails({ endpoint, keys: { p256dh, auth } }, payload, options);
    const headers = Object.entries(made.headers).map(([name, value]) => [name.toLowerCase(), String(value)]);
    return { url: endpoint, headers: Object.fromEntries(headers) as Record<string, string>, body: made.body };
  }

  async function send(subscription: PushSubscription, movementId: string, message: PushMessage): Promise<void> {
    const outcome = await sender.send(messageTo(subscription, movementId, message), stopping.signal);
    if (outcome.type === "stopped") return;
    const isGone = outcome.type === "refused" && (outcome.status === 404 || outcome.status === 410);
    const counted = outcome.type === "accepted" ? "sent" : isGone ? "gone" : "failed";
    await countPush(sql, subscription.id, counted, clock());
  }

  const sendAll: Send = async (userId, movementId, message) => {
    const subscriptions = await livePushSubscriptions(sql, userId, clock());
    for (const subscription of subscriptions) await send(subscription, movementId, message);
  };

  const sendSurely: Send = async (userId, movementId, message) => {
    try {
      await sendAll(userId, movementId, message);
    } catch (error) {
      log.warn({ error: String(error) }, "a push message could not be sent");
    }
  };

  const sendings = createSendings(sendSurely, stopping.signal);
  return {
    admits: (endpoint) => isPermittedTarget(endpoint, network),
    tell: sendings.tell,
    async stop() {
      stopping.abort();
      await sendings.done();
      sender.close();
    },
  };
}
