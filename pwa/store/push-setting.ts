import type { Language } from "../../src/language/languages.ts";
import { nameOfError } from "../../src/name-of-error.ts";
import type { Api } from "../platform/api.ts";
import { PUSH_TURNED_ON, pushSubscription } from "./push-subscription.ts";

/** State of push messages on this device. `refused`: the person denied them in the browser's own settings. */
export type PushState = "on" | "off" | "refused" | "unsupported";

/** Dependencies of {@link turnPushOn} and {@link startPush}. */
export interface PushOptions {
  readonly api: Pick<Api, "myPush" | "startMyPush" | "endMyPush">;
  readonly language: Language;
  readonly storage: Pick<Storage, "getItem" | "setItem" | "removeItem">;
}

/** Returns the current state of push messages on this device. */
export async function pushState(): Promise<PushState> {
  if (!("serviceWorker" in navigator) || !("PushManager" in window) || !("Notification" in window)) {
    return "unsupported";
  }
  if (Notification.permission === "denied") return "refused";
  return (await pushSubscription()) === null ? "off" : "on";
}

async function subscribe(publicKey: string): Promise<PushSubscription> {
  const worker = await navigator.serviceWorker.ready;
  const options = { userVisibleOnly: true, applicationServerKey: publicKey };
  const known = await worker.pushManager.getSubscription();
  try {
    return known ?? (await worker.pushManager.subscribe(options));
  } catch (error) {
    // A subscription for another server's key blocks a new one.
    if (nameOfError(error) !== "InvalidStateError") throw error;
    await (await worker.pushManager.getSubscription())?.unsubscribe();
    return worker.pushManager.subscribe(options);
  }
}

/** Turns push messages on after a user gesture: the browser asks for permission. Resolves to the new state. */
export async function turnPushOn(options: PushOptions): Promise<PushState> {
  if ((await Notification.requestPermission()) !== "granted") return pushState();
  await startPush(options);
  return "on";
}

/**
 * Subscribes this device and tells the broker; also at each start where push messages were turned on: Safari ends a
 * subscription without a word, and the broker forgets one that the push service no longer knows.
 */
export async function startPush({ api, language, storage }: PushOptions): Promise<void> {
  const before = await pushSubscription();
  const made = await subscribe((await api.myPush({})).body.public_key);
  const { endpoint = "", keys: { p256dh = "", auth = "" } = {} } = made.toJSON();
  try {
    await api.startMyPush({ body: { endpoint, keys: { p256dh, auth }, language } });
  } catch (error) {
    // The device must not keep a subscription that the broker does not know.
    if (before?.endpoint !== made.endpoint) await made.unsubscribe();
    throw error;
  }
  storage.setItem(PUSH_TURNED_ON, "1");
}

/** Turns push messages off, at the push service first: it drops any that the broker still sends. */
export async function turnPushOff({ api, storage }: Omit<PushOptions, "language">): Promise<PushState> {
  storage.removeItem(PUSH_TURNED_ON);
  const known = await pushSubscription();
  if (known === null) return "off";
  await known.unsubscribe();
  await api.endMyPush({ body: { endpoint: known.endpoint } });
  return "off";
}

/** Ends push messages on this device without calling the broker, as at sign-out: the ended session sends no more. */
export async function forgetPush(): Promise<void> {
  await (await pushSubscription())?.unsubscribe();
}
