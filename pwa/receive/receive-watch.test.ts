import { expect, test } from "vitest";
import { ManualPlatform, settle } from "../../widgets/shared/manual-platform.ts";
import type { Api } from "../platform/api.ts";
import { type Arrival, ReceiveWatch } from "./receive-watch.ts";

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
