import { expect, onTestFinished, test } from "vitest";
import { createChangeStream, type OpenChangeStream } from "./change-stream.ts";
import { ManualPlatform, settle } from "./manual-platform.ts";
import { type Pace, type Poll, Poller } from "./poller.ts";

interface AskedLook {
  readonly at: number;
  readonly fresh: boolean;
  readonly signal: AbortSignal;
  readonly answer: (outcome?: { changed?: boolean; retryAfterMs?: number }) => void;
}

/** Creates a poller whose polls are answered at once, or by hand. */
function watch({
  byHand = false,
  openHints,
  pace,
}: {
  byHand?: boolean;
  openHints?: OpenChangeStream;
  pace?: Pace;
} = {}) {
  const platform = new ManualPlatform();
  const looks: AskedLook[] = [];
  const look: Poll = (signal, fresh) => {
    const { promise, resolve } = Promise.withResolvers<{ changed: boolean; retryAfterMs: number }>();
    const answer: AskedLook["answer"] = (outcome) => resolve({ changed: false, retryAfterMs: 0, ...outcome });
    looks.push({ at: platform.now(), fresh, signal, answer });
    if (!byHand) answer();
    return promise;
  };
  const poller = new Poller(
    platform,
    look,
    pace,
    openHints && ((hinted) => createChangeStream(platform, openHints, hinted)),
  );
  const gaps = () => looks.slice(1).map(({ at }, index) => Math.round(at - (looks[index]?.at ?? 0)));
  return { platform, looks, poller, gaps };
}

test("looks at once, then every 2 s for two minutes, then ever more seldom up to 10 s", async () => {
  const { platform, poller, gaps } = watch();
  poller.start();
  await settle();
  await platform.pass(300_000);
  const brisk = gaps().filter((gap) => gap === 2_000).length;
  expect(brisk).toBeGreaterThanOrEqual(59);
  expect(gaps().slice(0, brisk)).toEqual(Array(brisk).fill(2_000));
  const slower = gaps().slice(brisk);
  expect(slower).toEqual([...slower].sort((left, right) => left - right));
  expect(slower.at(-1)).toBe(10_000);
});

test("a look that throws is reported, and looking goes on", async () => {
  const platform = new ManualPlatform();
  const fault = new Error("not expected");
  let looks = 0;
  const poller = new Poller(platform, async () => {
    looks += 1;
    if (looks === 2) throw fault;
    return { changed: false, retryAfterMs: 0 };
  });
  poller.start();
  await settle();
  await platform.pass(6_000);
  expect([looks, platform.reported]).toEqual([4, [fault]]);
});

test("of a slower pace no two looks are closer than four fifths of its shortest wait", async () => {
  const { platform, poller, gaps } = watch({ pace: { shortestMs: 37_500, longestMs: 120_000 } });
  platform.chance = 0;
  poller.start();
  await settle();
  await platform.pass(1_200_000);
  expect(gaps()[0]).toBe(30_000);
  expect(Math.min(...gaps())).toBe(30_000);
  expect(gaps().at(-1)).toBe(96_000);
});

test("the jitter is a fifth each way and never goes past 10 s", async () => {
  for (const [chance, first, last] of [
    [0, 1_600, 8_000],
    [1 - Number.EPSILON, 2_400, 10_000],
  ] as const) {
    const { platform, poller, gaps } = watch();
    platform.chance = chance;
    poller.start();
    await settle();
    await platform.pass(300_000);
    expect(gaps()[0]).toBe(first);
    expect(gaps().at(-1)).toBe(last);
  }
});

test("something new makes it brisk again", async () => {
  const { platform, poller, looks, gaps } = watch({ byHand: true });
  poller.start();
  const answerNext = async (changed: boolean) => {
    looks.at(-1)?.answer({ changed });
    await platform.pass(10_000);
  };
  for (let times = 0; times < 40; times++) await answerNext(false);
  expect(gaps().at(-1)).toBe(10_000);
  looks.at(-1)?.answer({ changed: true });
  await platform.pass(2_000);
  expect(gaps().at(-1)).toBe(2_000);
});

test("one request is in flight, however often a look is asked for", async () => {
  const { platform, poller, looks } = watch({ byHand: true });
  poller.start();
  for (let times = 0; times < 5; times++) poller.pollNow();
  await platform.pass(60_000);
  expect(looks).toHaveLength(1);
});

test("a request that hangs since before is given up for a new one, and its late answer means nothing", async () => {
  const { platform, poller, looks } = watch({ byHand: true });
  poller.start();
  platform.sleep(30_000);
  poller.pollNow();
  expect(looks.map(({ signal }) => signal.aborted)).toEqual([true, false]);
  looks[0]?.answer();
  await platform.pass(60_000);
  expect(looks).toHaveLength(2);
});

test("a hidden page asks nothing, and asks at once and past its cache when it shows", async () => {
  const { platform, poller, looks } = watch();
  poller.start();
  await settle();
  await platform.show(false);
  await platform.pass(600_000);
  poller.pollNow();
  expect(looks).toHaveLength(1);
  expect(platform.held).toBe(0);
  await platform.show(true);
  poller.pollNow();
  expect(looks.at(-1)?.fresh).toBe(true);
  await platform.pass(2_000);
  expect(looks.at(-1)?.fresh).toBe(false);
});

test("waits as long as the server asks", async () => {
  const { platform, poller, looks } = watch({ byHand: true });
  poller.start();
  looks[0]?.answer({ retryAfterMs: 30_000 });
  await platform.pass(29_000);
  expect(looks).toHaveLength(1);
  await platform.pass(1_000);
  expect(looks).toHaveLength(2);
});

test("stopped, it holds no timer and no request, and a late answer starts nothing", async () => {
  const { platform, poller, looks } = watch({ byHand: true });
  poller.start();
  poller.stop();
  expect(looks[0]?.signal.aborted).toBe(true);
  looks[0]?.answer();
  await platform.pass(60_000);
  poller.pollNow();
  expect([platform.held, looks.length]).toEqual([0, 1]);
});

/** A broker's streams, as the poller asked for them. */
function hinting(status = 200) {
  const opened: { signal: AbortSignal; say: (line: string) => void; end: () => void; fail: () => void }[] = [];
  const openHints: OpenChangeStream = async (signal) => {
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        const say = (line: string) => controller.enqueue(new TextEncoder().encode(line));
        const fail = () => controller.error(new TypeError("cut"));
        opened.push({ signal, say, end: () => controller.close(), fail });
        signal.addEventListener("abort", () => controller.error(signal.reason));
      },
    });
    return new Response(body, { status });
  };
  return { opened, openHints };
}

async function started(status?: number, options: { byHand?: boolean } = {}) {
  const hints = hinting(status);
  const watched = watch({ ...options, openHints: hints.openHints });
  watched.poller.start();
  watched.looks[0]?.answer();
  await settle();
  onTestFinished(() => watched.poller.stop());
  return { ...watched, ...hints };
}

test("a hint makes it look at once and past its cache, a heartbeat does not", async () => {
  const { looks, opened } = await started();
  opened[0]?.say(":\n\n");
  await settle();
  expect(looks).toHaveLength(1);
  opened[0]?.say("data: look again\n\n");
  await settle();
  expect(looks.map(({ fresh }) => fresh)).toEqual([true, true]);
});

test("a hint during a look gives that up for a new one, because its answer may be from before", async () => {
  const { looks, opened, platform } = await started(200, { byHand: true });
  await platform.pass(2_000);
  opened[0]?.say("data: look again\n\n");
  await settle();
  expect(looks.map(({ signal }) => signal.aborted)).toEqual([false, true, false]);
});

test("a hint that arrives cut in two or joined to a heartbeat is heard", async () => {
  const { looks, opened } = await started();
  opened[0]?.say(":\n\ndat");
  await settle();
  opened[0]?.say("a: look again\n\n:\n\n");
  await settle();
  expect(looks).toHaveLength(2);
});

test.each(["end", "fail"] as const)("after a stream's %s it looks as without one, and opens another", async (what) => {
  const { opened, platform, gaps } = await started();
  opened[0]?.[what]();
  await platform.pass(28_000);
  expect(gaps()).toEqual(Array(14).fill(2_000));
  expect(opened).toHaveLength(1);
  await platform.pass(4_000);
  expect(opened).toHaveLength(2);
});

test.each([401, 429, 503])("a stream refused with %i is asked for twice a minute, and let go", async (status) => {
  const { opened, platform, gaps } = await started(status);
  expect(opened[0]?.signal.aborted).toBe(true);
  await platform.pass(60_000);
  expect(gaps()).toEqual(Array(30).fill(2_000));
  expect(opened.length).toBeLessThanOrEqual(3);
});

test("hidden or stopped, it has no stream", async () => {
  const { opened, platform, poller } = await started();
  await platform.show(false);
  poller.pollNow();
  expect(opened[0]?.signal.aborted).toBe(true);
  await platform.show(true);
  platform.sleep(60_000);
  poller.pollNow();
  await settle();
  expect(opened).toHaveLength(2);
  poller.stop();
  expect(opened[1]?.signal.aborted).toBe(true);
});
