import { expect, test } from "vitest";
import { Countdown } from "./countdown.ts";
import { ManualPlatform } from "./manual-platform.ts";

function count() {
  const platform = new ManualPlatform();
  const shown: (number | undefined)[] = [];
  const marks: number[] = [];
  let ends = 0;
  const countdown: Countdown = new Countdown(platform, [180, 60, 30], {
    tick: () => shown.push(countdown.secondsLeft),
    mark: (seconds) => marks.push(seconds),
    end: () => ends++,
  });
  return { platform, shown, marks, countdown, ends: () => ends };
}

test("shows every second once and ends once", async () => {
  const { platform, countdown, shown, ends } = count();
  countdown.countTo(platform.now(), 5);
  await platform.pass(20_000);
  expect(shown).toEqual([5, 4, 3, 2, 1, 0]);
  expect(ends()).toBe(1);
  countdown.resume();
  expect(ends()).toBe(1);
  expect(platform.held).toBe(0);
});

test("counts from the moment of asking, so that a slow answer promises no time that has gone", () => {
  const { platform, countdown } = count();
  countdown.countTo(platform.now() - 4_000, 10);
  expect(countdown.secondsLeft).toBe(6);
});

test("tells 3 min, 1 min and 30 s once each, also when the server's seconds waver", async () => {
  const { platform, countdown, marks } = count();
  countdown.countTo(platform.now(), 200);
  for (let look = 0; look < 60; look++) {
    await platform.pass(3_000);
    countdown.countTo(platform.now(), 200 - (look + 1) * 3 + (look % 2));
  }
  expect(marks).toEqual([180, 60, 30]);
});

test("a code that lives shorter than a mark is not told of it", async () => {
  const { platform, countdown, marks } = count();
  countdown.countTo(platform.now(), 45);
  await platform.pass(45_000);
  expect(marks).toEqual([30]);
});

test("after a sleep it says once what is left now, and ends at once when nothing is", () => {
  const { platform, countdown, marks, ends } = count();
  countdown.countTo(platform.now(), 900);
  platform.sleep(860_000);
  countdown.resume();
  expect(marks).toEqual([40]);
  platform.sleep(100_000);
  countdown.resume();
  expect([marks, ends()]).toEqual([[40], 1]);
});

test("the server's word moves the end, earlier and later", async () => {
  const { platform, countdown, ends } = count();
  countdown.countTo(platform.now(), 100);
  countdown.countTo(platform.now(), 10);
  expect(countdown.secondsLeft).toBe(10);
  await platform.pass(10_000);
  countdown.countTo(platform.now(), 10);
  await platform.pass(10_000);
  expect(ends()).toBe(2);
});

test("paused, it holds no timer; cleared, it has no time", async () => {
  const { platform, countdown } = count();
  countdown.countTo(platform.now(), 100);
  countdown.pause();
  expect(platform.held).toBe(0);
  countdown.clear();
  expect(countdown.secondsLeft).toBeUndefined();
});
