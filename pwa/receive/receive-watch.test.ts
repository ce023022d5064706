import { expect, test } from "vitest";
import { NoAnswerError } from "../../src/client.ts";
import { ManualPlatform, settle } from "../../widgets/shared/manual-platform.ts";
import type { Api } from "../platform/api.ts";
import { type Arrival, ReceiveWatch } from "./receive-watch.ts";

const SERVER_START = Date.parse("2026-03-05T15:00:00Z");

/** Stub of the service's answers about one code, which the test marks as paid. */
function aCode() {
  const code = { state: "unpaid" as "unpaid" | "paid", asked: 0 };
  const myQr = async () => {
    code.asked += 1;
    return { body: { state: code.state, expires_in: 60 } };
  };
  const myReceived = async () => ({ body: [{ reference: "7K3M9QXT2V4FW", amount: 15_000, counterparty: "Ana" }] });
  const api = { myQr, myReceived } as unknown as Pick<Api, "myQr" | "myReceived">;
  return { code, api };
}

test("a page that was hidden while it waited looks again when it shows, and tells the payment once", async () => {
  const { code, api } = aCode();
  const platform = new ManualPlatform();
  const told: Arrival[] = [];
  const watch = new ReceiveWatch(api, { reference: "7K3M9QXT2V4FW" }, platform, (arrival) => told.push(arrival));
  watch.start();
  await settle();
  await platform.show(false);
  await platform.pass(60_000);
  const askedBefore = code.asked;
  code.state = "paid";
  await platform.pass(60_000);
  expect(code.asked).toBe(askedBefore);
  await platform.show(true);
  await settle();
  expect(told).toEqual([{ reference: "7K3M9QXT2V4FW", amount: 15_000, from: "Ana" }]);
  await platform.pass(60_000);
  await platform.show(false);
  await platform.show(true);
  await settle();
  expect(told).toHaveLength(1);
  expect(platform.held).toBe(0);
});

/** Stub of the list of what the person received, answered by a server whose clock begins at `SERVER_START`. */
function aList(platform: ManualPlatform) {
  const list = { connected: true, received: [] as unknown[] };
  const start = platform.now();
  const serverNow = () => SERVER_START + platform.now() - start;
  const pay = (reference: string) => {
    const movement = { id: reference, reference, amount: 5_000, counterparty: "Ana" };
    list.received.unshift({ ...movement, created_at: new Date(serverNow()).toISOString() });
  };
  const myReceived = async () => {
    if (!list.connected) throw new NoAnswerError("no connection");
    return { body: [...list.received], headers: new Headers({ date: new Date(serverNow()).toUTCString() }) };
  };
  const api = { myReceived } as unknown as Pick<Api, "myQr" | "myReceived">;
  return { list, pay, api };
}

test("a payment that arrives before the first answer is told, one from before the code was shown is not", async () => {
  const platform = new ManualPlatform();
  const { list, pay, api } = aList(platform);
  const told: unknown[] = [];
  pay("EARLIER");
  await platform.pass(5_000);
  list.connected = false;
  const watch = new ReceiveWatch(api, {}, platform, ({ reference }) => told.push(reference));
  watch.start();
  await settle();
  await platform.pass(3_000);
  pay("MEANWHILE");
  list.connected = true;
  await platform.pass(10_000);
  expect(told).toEqual(["MEANWHILE"]);
  pay("LATER");
  await platform.pass(10_000);
  expect(told).toEqual(["MEANWHILE", "LATER"]);
  watch.stop();
});
