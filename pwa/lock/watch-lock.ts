import { onUserInput } from "../platform/presence.ts";
import type { Lock } from "./lock.ts";

/** Interval of the checks, and so how late the app may lock. */
const CHECK_MS = 2_000;

/** The window that {@link watchLock} observes, and callbacks of the app. */
export interface LockWatch {
  readonly window: Window;
  /** True while somebody is signed in, without whom there is nothing to lock. */
  readonly someone: () => boolean;
  /** True while the person may be there without touching anything: showing a code, holding the camera, about to pay. */
  readonly paused: () => boolean;
  /** Hides the content while the app is in the background, so that it is not glimpsed on return. */
  readonly away: (isAway: boolean) => void;
}

/**
 * Connects the lock to the page: records the person's activity, and checks the clock every two seconds, on return to
 * the app and after a change by another tab. Reports through `away` when the content is to be hidden.
 */
export function watchLock(lock: Lock, { window, someone, paused, away }: LockWatch): void {
  const { document } = window;
  const sign = (): void => {
    if (someone()) lock.recordActivity();
  };
  const check = (): void => {
    if (!document.hidden && paused()) sign();
    lock.check();
  };
  const turned = (): void => {
    if (document.hidden) {
      away(someone() && lock.minutes > 0);
      return;
    }
    // Checks the clock first: in the background a paused screen counts as no activity.
    lock.check();
    away(false);
  };
  onUserInput(window, sign);
  window.addEventListener("storage", () => lock.check());
  window.addEventListener("pageshow", turned);
  document.addEventListener("visibilitychange", turned);
  window.setInterval(check, CHECK_MS);
  sign();
}
