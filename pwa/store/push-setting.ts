import type { Language } from "../../src/language/languages.ts";
import { nameOfError } from "../../src/name-of-error.ts";
import type { Api } from "../platform/api.ts";

/** State of push messages on this device. `refused`: the person denied them in the browser's own settings. */
export type PushState = "on" | "off" | "refused" | "unsupported";

/** Dependencies of {@link turnPushOn}. */
export interface PushOptions {
  readonly api: Pick<Api, "myPush" | "startMyPush" | "endMyPush">;
  readonly language: Language;
}

function registration(): Promise<ServiceWorkerRegistration | undefined> {
  return navigator.serviceWorker.getRegistration("/");
}

async function subscription(): Promise<PushSubscription | null> {
  return (await (await registration())?.pushManager.getSubscription()) ?? null;
}

/** Returns the current state of push messages on this device. */
export async function pushState(): Promise<PushState> {
  if (!("serviceWorker" in navigator) || !("PushManager" in window) || !("Notification" in window)) {
    return "unsupported";
  }
  if (Notification.permission === "denied") return "refused";
  return (await subscription()) === null ? "off" : "on";
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
export async function turnPushOn({ api, language }: PushOptions): Promise<PushState> {
  if ((await Notification.requestPermission()) !== "granted") return pushState();
  const made = await subscribe((await api.myPush({})).body.public_key);
  const { endpoint = "", keys: { p256dh = "", auth = "" } = {} } = made.toJSON();
  try {
    await api.startMyPush({ body: { endpoint, keys: { p256dh, auth }, language } });
  } catch (error) {
    // The device must not keep a subscription that the broker does not know.
    await made.unsubscribe();
    throw error;
  }
  return "on";
}

/** Turns push messages off, at the push service first: it drops any that the broker still sends. */
export async function turnPushOff({ api }: Pick<PushOptions, "api">): Promise<PushState> {
  const known = await subscription();
  if (known === null) return "off";
  await known.unsubscribe();
  await api.endMyPush({ body: { endpoint: known.endpoint } });
  return "off";
}

/** Ends push messages on this device without calling the broker, as at sign-out: the ended session sends no more. */
export async function forgetPush(): Promise<void> {
  await (await subscription())?.unsubscribe();
}
