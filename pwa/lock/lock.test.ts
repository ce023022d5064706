import { beforeEach, describe, expect, it, vi } from "vitest";
import { Lock, type LockMinutes } from "./lock.ts";

const MINUTE = 60_000;
let nowMs: number;
let usual: LockMinutes;
let kept: Map<string, string>;

/** A tab of the device: all share what is kept. */
function aTab(): Lock {
  const storage = {
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, value: string) => void kept.set(name, value),
    removeItem: (name: string) => void kept.delete(name),
  };
  return new Lock({ storage, now: () => nowMs, usual: () => usual });
}

beforeEach(() => {
  nowMs = Date.UTC(2026, 2, 31, 14);
  usual = 5;
  kept = new Map();
});

describe("the lock", () => {
  it("locks when nobody has touched the app for the minutes that were set", () => {
    const lock = aTab();
    lock.recordActivity();
    nowMs += 5 * MINUTE - 1;
    expect(lock.locked).toBe(false);
    nowMs += 1;
    expect(lock.locked).toBe(true);
  });

  it("counts from the last touch", () => {
    const lock = aTab();
    for (let touch = 0; touch < 10; touch++) {
      lock.recordActivity();
      nowMs += 4 * MINUTE;
    }
    expect(lock.locked).toBe(false);
    nowMs += MINUTE;
    expect(lock.locked).toBe(true);
  });

  it("counts while the app is closed or the device sleeps, and is locked from the very start then", () => {
    aTab().recordActivity();
    nowMs += 60 * MINUTE;
    expect(aTab().locked).toBe(true);
  });

  it("is not opened by the touch that comes after the time, but tells that it is locked", () => {
    const lock = aTab();
    lock.recordActivity();
    nowMs += 5 * MINUTE;
    const told = vi.fn();
    lock.addEventListener("change", told);
    lock.recordActivity();
    expect([lock.locked, told.mock.calls.length]).toEqual([true, 1]);
    lock.unlock();
    expect([lock.locked, told.mock.calls.length]).toEqual([false, 2]);
  });

  it("does not lock where it is off, but for who locks it by hand", () => {
    usual = 0;
    const lock = aTab();
    lock.recordActivity();
    nowMs += 1_000 * MINUTE;
    expect(lock.locked).toBe(false);
    lock.lockNow();
    expect([lock.locked, aTab().locked]).toEqual([true, true]);
  });

  it("goes by what was chosen on the device, and by nothing that was not offered", () => {
    const lock = aTab();
    lock.recordActivity();
    lock.minutes = 1;
    nowMs += MINUTE;
    expect([lock.minutes, aTab().locked]).toEqual([1, true]);
    kept.set("cupo.lock", "100000");
    expect(lock.minutes).toBe(5);
  });

  it("takes a clock that was turned back, or a time that is none, for somebody who wants in", () => {
    const lock = aTab();
    lock.recordActivity();
    nowMs -= 2 * MINUTE;
    expect(lock.locked).toBe(true);
    kept.set("cupo.seen", "long ago");
    expect(lock.locked).toBe(true);
  });

  it("stays locked once it was seen to be, to whatever the clock is turned then", () => {
    for (const look of [(lock: Lock) => lock.check(), (lock: Lock) => lock.recordActivity(), () => aTab()]) {
      const lock = aTab();
      lock.unlock();
      nowMs += 5 * MINUTE;
      look(lock);
      nowMs -= 4 * MINUTE;
      expect([lock.locked, aTab().locked]).toEqual([true, true]);
      usual = 0;
      expect(lock.locked).toBe(true);
      usual = 5;
      lock.unlock();
      expect(lock.locked).toBe(false);
    }
  });

  it("is set to lock later by a longer time and by never, and by nothing else", () => {
    const lock = aTab();
    expect(([0, 1, 5, 15] as const).map((minutes) => lock.isLater(minutes))).toEqual([true, false, false, true]);
    lock.minutes = 0;
    expect(([0, 1, 5, 15] as const).map((minutes) => lock.isLater(minutes))).toEqual([false, false, false, false]);
  });

  it("is one for all tabs: a touch in one keeps the others open, and what one does the others tell", () => {
    const [here, there] = [aTab(), aTab()];
    here.recordActivity();
    nowMs += 4 * MINUTE;
    there.recordActivity();
    nowMs += 4 * MINUTE;
    expect(here.locked).toBe(false);
    const told = vi.fn();
    there.addEventListener("change", told);
    here.lockNow();
    there.check();
    here.unlock();
    there.check();
    there.check();
    expect(told).toHaveBeenCalledTimes(2);
  });

  it("keeps a setting and a time, and at sign-out the setting alone", () => {
    const lock = aTab();
    lock.recordActivity();
    lock.minutes = 15;
    expect(Object.fromEntries(kept)).toEqual({ "cupo.seen": String(nowMs), "cupo.lock": "15" });
    lock.lockNow();
    lock.forget();
    expect(Object.fromEntries(kept)).toEqual({ "cupo.lock": "15" });
    expect(lock.locked).toBe(false);
  });
});
