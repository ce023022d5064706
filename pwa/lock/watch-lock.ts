import { hearSigns } from "../live/attendance.ts";
import type { Lock } from "./lock.ts";

/** How late the app may lock. */
const LOOK_MS = 2_000;

/** What the watch goes by. */
export interface LockWatch {
  readonly window: Window;
  /** Whether somebody is signed in, without whom there is nothing to lock. */
  readonly someone: () => boolean;
  /** Whether the person may be there without touching anything: showing a code, holding the camera, about to pay. */
  readonly paused: () => boolean;
  /** Takes what is shown out of sight while the app is in the background, so that no glance is caught on return. */
  readonly away: (isAway: boolean) => void;
}

/** Feeds the lock from the page: signs of the person, the passing of time, the return to the app, and other tabs. */
export function watchLock(lock: Lock, { window, someone, paused, away }: LockWatch): void {
  const { document } = window;
  const sign = (): void => {
    if (someone()) lock.sign();
  };
  const look = (): void => {
    if (!document.hidden && paused()) sign();
    lock.check();
  };
  const turned = (): void => {
    if (document.hidden) {
      away(someone() && lock.minutes > 0);
      return;
    }
    // First the clock: a screen that is paused was not while the app was away.
    lock.check();
    away(false);
  };
  hearSigns(window, sign);
  window.addEventListener("storage", () => lock.check());
  window.addEventListener("pageshow", turned);
  document.addEventListener("visibilitychange", turned);
  window.setInterval(look, LOOK_MS);
  sign();
}
