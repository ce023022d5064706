import type { Api } from "../api.ts";
import type { Language } from "../language/language.ts";

/** Where messages about money stand on this device. `refused`: the person said no in the browser's own settings. */
export type PushState = "on" | "off" | "refused" | "unsupported";

/** What turning messages on needs. */
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

/** Whether this device is sent messages now. */
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
    // One that was made for another server's key stands in the way.
    if (!(error instanceof DOMException) || error.name !== "InvalidStateError") throw error;
    await (await worker.pushManager.getSubscription())?.unsubscribe();
    return worker.pushManager.subscribe(options);
  }
}

/** Turns messages on, after a press of the person's: the browser asks them. Resolves to what came of it. */
export async function turnPushOn({ api, language }: PushOptions): Promise<PushState> {
  if ((await Notification.requestPermission()) !== "granted") return pushState();
  const made = await subscribe((await api.myPush({})).body.public_key);
  const { endpoint = "", keys: { p256dh = "", auth = "" } = {} } = made.toJSON();
  try {
    await api.startMyPush({ body: { endpoint, keys: { p256dh, auth }, language } });
  } catch (error) {
    // The device must not believe in messages that nobody sends.
    await made.unsubscribe();
    throw error;
  }
  return "on";
}

/** Turns messages off, at the push service first: whatever the broker then sends reaches nobody. */
export async function turnPushOff({ api }: Pick<PushOptions, "api">): Promise<PushState> {
  const known = await subscription();
  if (known === null) return "off";
  await known.unsubscribe();
  await api.endMyPush({ body: { endpoint: known.endpoint } });
  return "off";
}

/** Takes messages from this device without asking anybody, as when somebody signs out: their session sends no more. */
export async function forgetPush(): Promise<void> {
  await (await subscription())?.unsubscribe();
}
