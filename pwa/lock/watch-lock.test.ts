import { beforeEach, describe, expect, it, vi } from "vitest";
import { Lock } from "./lock.ts";
import { watchLock } from "./watch-lock.ts";

const MINUTE = 60_000;

/** A window whose person, time and other tabs the test simulates. */
function aDevice() {
  const state = { nowMs: Date.UTC(2026, 2, 31, 14), someone: true, paused: false };
  const kept = new Map<string, string>();
  const lock = new Lock({
    storage: {
      getItem: (name) => kept.get(name) ?? null,
      setItem: (name, value) => void kept.set(name, value),
      removeItem: (name) => void kept.delete(name),
    },
    now: () => state.nowMs,
    usual: () => 5,
  });
  const document = Object.assign(new EventTarget(), { hidden: false });
  let look: () => void = () => undefined;
  const window = Object.assign(new EventTarget(), {
    document,
    setInterval: (callback: () => void) => {
      look = callback;
    },
  });
  const away = vi.fn<(isAway: boolean) => void>();
  watchLock(lock, {
    window: window as unknown as Window,
    someone: () => state.someone,
    paused: () => state.paused,
    away,
  });
  return { state, kept, lock, document, window, away, look: () => look() };
}

let device: ReturnType<typeof aDevice>;

beforeEach(() => {
  device = aDevice();
});

function turn(isHidden: boolean): void {
  device.document.hidden = isHidden;
  device.document.dispatchEvent(new Event("visibilitychange"));
}

describe("the watch over the lock", () => {
  it("takes the start of the app and each touch for a sign of the person", () => {
    device.state.nowMs += 4 * MINUTE;
    device.window.dispatchEvent(new Event("pointerdown"));
    device.state.nowMs += 4 * MINUTE;
    expect(device.lock.locked).toBe(false);
    device.state.nowMs += MINUTE;
    expect(device.lock.locked).toBe(true);
  });

  it("tells when the time passes, without a touch", () => {
    const told = vi.fn();
    device.lock.addEventListener("change", told);
    device.state.nowMs += 5 * MINUTE;
    device.look();
    device.look();
    expect(told).toHaveBeenCalledTimes(1);
  });

  it("waits on the pages where the person is there without touching, while they are in sight", () => {
    device.state.paused = true;
    for (let minute = 0; minute < 30; minute++) {
      device.state.nowMs += MINUTE;
      device.look();
    }
    expect(device.lock.locked).toBe(false);
    turn(true);
    device.state.nowMs += 5 * MINUTE;
    device.look();
    expect(device.lock.locked).toBe(true);
  });

  it("hides everything while the app is away, and locks before it shows it again", () => {
    turn(true);
    expect(device.away).toHaveBeenLastCalledWith(true);
    device.state.nowMs += 5 * MINUTE;
    device.lock.addEventListener("change", () => expect(device.away).not.toHaveBeenCalledWith(false));
    turn(false);
    expect(device.lock.locked).toBe(true);
    expect(device.away).toHaveBeenLastCalledWith(false);
  });

  it("notes nothing where nobody is signed in", () => {
    device.lock.forget();
    device.state.someone = false;
    device.window.dispatchEvent(new Event("keydown"));
    turn(true);
    expect([...device.kept]).toEqual([]);
    expect(device.away).toHaveBeenLastCalledWith(false);
  });

  it("hears of what another tab did", () => {
    const told = vi.fn();
    device.lock.addEventListener("change", told);
    device.kept.set("cupo.seen", "0");
    device.window.dispatchEvent(new Event("storage"));
    expect([device.lock.locked, told.mock.calls.length]).toEqual([true, 1]);
  });
});
