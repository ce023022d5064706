import { expect, test } from "vitest";
import { ManualPlatform, settle } from "../../widgets/shared/manual-platform.ts";
import { LiveUpdates } from "./live-updates.ts";

/** A broker stub that counts polls, and whose streams the test ends or makes hint. */
function aBroker() {
  const platform = new ManualPlatform();
  const broker = { looks: 0, streams: [] as ReadableStreamDefaultController<Uint8Array>[], refuses: false };
  const open = async (signal: AbortSignal): Promise<Response> => {
    if (broker.refuses) return new Response(null, { status: 503 });
    const start = (controller: ReadableStreamDefaultController<Uint8Array>): void => {
      broker.streams.push(controller);
      signal.addEventListener("abort", () => controller.error(signal.reason));
    };
    return new Response(new ReadableStream({ start }));
  };
  const refresh = async (): Promise<boolean> => {
    broker.looks++;
    return false;
  };
  const live = new LiveUpdates({ platform, open, refresh });
  return { platform, broker, live };
}

test("a hint is looked after at once", async () => {
  const { platform, broker, live } = aBroker();
  live.start();
  await platform.pass(5_000);
  broker.streams[0]?.enqueue(new TextEncoder().encode("data: look again\n\n"));
  await settle();
  expect(broker).toMatchObject({ looks: 2, streams: { length: 1 } });
  live.stop();
  await settle();
  expect(platform.held).toBe(0);
});

test("whoever comes back to the app, however soon, has a stream again with the first look", async () => {
  const { platform, broker, live } = aBroker();
  live.start();
  await platform.pass(1_000);
  await platform.show(false);
  await platform.pass(4_000);
  await platform.show(true);
  await settle();
  expect(broker).toMatchObject({ looks: 2, streams: { length: 2 } });
  live.stop();
  await settle();
});

test("a stream that has grown old is followed by a look and the next one", async () => {
  const { platform, broker, live } = aBroker();
  live.start();
  await platform.pass(299_000);
  const { looks } = broker;
  broker.streams[0]?.close();
  await settle();
  await settle();
  expect(broker).toMatchObject({ looks: looks + 1, streams: { length: 2 } });
  live.stop();
  await settle();
});

test("where no stream is to be had, looking goes on at its own pace", async () => {
  const { platform, broker, live } = aBroker();
  broker.refuses = true;
  live.start();
  await platform.pass(120_000);
  expect(broker.looks).toBeGreaterThanOrEqual(10);
  expect(broker.looks).toBeLessThanOrEqual(16);
  live.stop();
  await settle();
});
