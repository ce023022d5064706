import { expect, test } from "vitest";
import { FrameWatch } from "./frame-watch.ts";

/** A camera that shows another frame at every tick, and a reader that takes several ticks for each. */
function filming(options: { readonly ticksToRead: number; readonly isBusy?: () => boolean }) {
  let shown = 0;
  let reading = 0;
  const tick = async (): Promise<void> => {
    shown++;
    await Promise.resolve();
  };
  const seen = { taken: [] as number[], shownAtEnd: [] as number[], mostAtOnce: 0, found: [] as string[] };
  const watch = new FrameWatch<number>({
    nextFrame: tick,
    take: async () => shown,
    isBusy: options.isBusy ?? (() => false),
    async read(frame) {
      seen.taken.push(frame);
      seen.mostAtOnce = Math.max(seen.mostAtOnce, ++reading);
      for (let left = options.ticksToRead; left > 0; left--) await tick();
      reading--;
      seen.shownAtEnd.push(shown);
      if (seen.taken.length === 5) watch.stop();
      return frame % 2 === 0 ? [] : [`code ${frame}`, "another"];
    },
    found: (texts) => seen.found.push(texts.join(", ")),
  });
  return { watch, seen };
}

test("only the newest frame is read: those shown meanwhile are dropped, none waits", async () => {
  const { watch, seen } = filming({ ticksToRead: 9 });
  await watch.run();
  expect(seen.taken).toEqual([1, 11, 21, 31, 41]);
  expect(seen.mostAtOnce).toBe(1);
  expect(seen.shownAtEnd).toEqual([10, 20, 30, 40, 50]);
});

test("what is found in a frame is told, unless the watch was stopped meanwhile", async () => {
  const { watch, seen } = filming({ ticksToRead: 0 });
  await watch.run();
  expect(seen.found).toEqual(["code 1, another", "code 3, another"]);
});

test("no frame is taken while the reader has an image file to read", async () => {
  let asked = 0;
  const { watch, seen } = filming({ ticksToRead: 0, isBusy: () => asked++ < 7 });
  await watch.run();
  expect(seen.taken).toEqual([8, 9, 10, 11, 12]);
});

test("a reader that fails ends the watch with its fault", async () => {
  const watch = new FrameWatch<number>({
    nextFrame: () => Promise.resolve(),
    take: async () => 1,
    isBusy: () => false,
    read: () => Promise.reject(new Error("the scan worker failed")),
    found: () => undefined,
  });
  await expect(watch.run()).rejects.toThrow("the scan worker failed");
});
