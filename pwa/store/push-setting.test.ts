import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { pushState, startPush, turnPushOff, turnPushOn } from "./push-setting.ts";
import { isPushTurnedOn } from "./push-subscription.ts";

type PushApi = Parameters<typeof startPush>[0]["api"];

/** The browser's part, and what the broker was told, in their order. */
let permission: NotificationPermission;
let endpoint: string | undefined;
let told: string[];
let isOffline: boolean;
let kept: Map<string, string>;

const known = () =>
  endpoint === undefined
    ? null
    : {
        endpoint,
        toJSON: () => ({ endpoint, keys: { p256dh: "p", auth: "a" } }),
        unsubscribe: async () => {
          endpoint = undefined;
        },
      };
const pushManager = {
  getSubscription: async () => known(),
  subscribe: async () => {
    endpoint = "https://push.example/new";
    return known();
  },
};
const registration = { pushManager };

function call(what: string): void {
  if (isOffline) throw new TypeError("Load failed");
  told.push(what);
}

const api = {
  myPush: async () => {
    call("key");
    return { body: { public_key: "k" } };
  },
  startMyPush: async ({ body }: { readonly body: { readonly endpoint: string } }) => call(`start ${body.endpoint}`),
  endMyPush: async ({ body }: { readonly body: { readonly endpoint: string } }) => call(`end ${body.endpoint}`),
} as unknown as PushApi;

function options() {
  const storage = {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  };
  return { api, language: "es", storage } as const;
}

beforeEach(() => {
  permission = "granted";
  endpoint = undefined;
  told = [];
  isOffline = false;
  kept = new Map();
  const serviceWorker = { getRegistration: async () => registration, ready: Promise.resolve(registration) };
  vi.stubGlobal("navigator", { serviceWorker });
  vi.stubGlobal("window", { PushManager: {}, Notification: {} });
  vi.stubGlobal("Notification", {
    get permission() {
      return permission;
    },
    requestPermission: async () => permission,
  });
});
afterEach(() => {
  vi.unstubAllGlobals();
});

test("what was turned on is subscribed again at the next start, though the browser has dropped it", async () => {
  expect(await turnPushOn(options())).toBe("on");
  endpoint = undefined;
  told = [];
  expect(await isPushTurnedOn(options().storage)).toBe(true);
  await startPush(options());
  expect([told, await pushState()]).toEqual([["key", "start https://push.example/new"], "on"]);
});

test("a subscription that is still there is told to the broker, which may have forgotten it", async () => {
  endpoint = "https://push.example/old";
  expect(await isPushTurnedOn(options().storage)).toBe(true);
  await startPush(options());
  expect(told).toEqual(["key", "start https://push.example/old"]);
});

test("push messages that were never turned on, or were turned off, are off at the next start", async () => {
  expect(await isPushTurnedOn(options().storage)).toBe(false);
  await turnPushOn(options());
  await turnPushOff(options());
  expect(await isPushTurnedOn(options().storage)).toBe(false);
});

test("without a connection a subscription is kept, and renewed at a later start", async () => {
  await turnPushOn(options());
  isOffline = true;
  await expect(startPush(options())).rejects.toThrow("Load failed");
  expect([await pushState(), await isPushTurnedOn(options().storage)]).toEqual(["on", true]);
});

test("a new subscription that the broker did not take is ended", async () => {
  const refusing = { ...options(), api: { ...api, startMyPush: () => Promise.reject(new TypeError("Load failed")) } };
  await expect(turnPushOn(refusing)).rejects.toThrow("Load failed");
  expect([await pushState(), kept.size]).toEqual(["off", 0]);
});
