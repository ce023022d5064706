import webPush from "web-push";
import type { BrokerOptions } from "../../access/broker-options.ts";
import { pushKeys } from "./push-keys.ts";
import type { PushSubscription } from "./push-store.ts";
import type { PushWords } from "./push-words.ts";

/** A phone that was off for longer finds the movement in the app. */
const LIFE_SECONDS = 24 * 60 * 60;

/** A message about one event for several browsers, each in its language. */
export interface PushMessage {
  readonly words: PushWords;
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
export function createPushMessages({ key, publicOrigin }: Pick<BrokerOptions, "key" | "publicOrigin">) {
  const vapidDetails = { ...pushKeys(key), subject: subjectOf(publicOrigin) };
  return ({ endpoint, p256dh, auth, language }: PushSubscription, { words, tag, topic, path }: PushMessage) => {
    const payload = JSON.stringify({ ...words[language], tag, path });
    const options = { vapidDetails, TTL: LIFE_SECONDS, urgency: "high", topic } as const;
    const made = webPush.generateRequestDetails({ endpoint, keys: { p256dh, auth } }, payload, options);
    const headers = Object.entries(made.headers).map(([name, value]) => [name.toLowerCase(), String(value)]);
    return { url: endpoint, headers: Object.fromEntries(headers) as Record<string, string>, body: made.body };
  };
}
