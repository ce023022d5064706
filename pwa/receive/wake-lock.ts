import { own } from "../platform/own.ts";

/** Keeps the screen on while a code is shown; the platform releases the lock when the page hides, so it is retaken. */
export class WakeLock {
  #lock: WakeLockSentinel | undefined;
  #wanted = false;
  readonly #again = (): void => own(this.#take());

  /** Keeps the screen on, where the device allows it. */
  hold(): void {
    this.#wanted = true;
    document.addEventListener("visibilitychange", this.#again);
    own(this.#take());
  }

  /** Lets the screen go dark again. */
  release(): void {
    this.#wanted = false;
    document.removeEventListener("visibilitychange", this.#again);
    own(this.#lock?.release());
    this.#lock = undefined;
  }

  async #take(): Promise<void> {
    if (!("wakeLock" in navigator) || document.hidden || !this.#wanted) return;
    // Refused on a low battery, for example; the code is shown anyway.
    const lock = await navigator.wakeLock.request("screen").catch(() => undefined);
    if (this.#wanted) this.#lock = lock;
    else await lock?.release();
  }
}
