import { afterAll, afterEach, beforeEach, expect, test, vi } from "vitest";
import { StubBroker } from "../../test/support/stub-broker.ts";
import { ManualPlatform } from "../shared/manual-platform.ts";
import { SessionCaller } from "../shared/session-caller.ts";
import { RechargeController } from "./recharge-controller.ts";
import type { RechargeChange, RechargePhase } from "./recharge-form-state.ts";

const broker = new StubBroker();

afterAll(() => broker.close());

let origin = "";
let till = "";
let tills = 0;
let platform: ManualPlatform;
let desk: RechargeController;
let told: RechargeChange[];

beforeEach(async () => {
  origin ||= await broker.listen();
  till = `t${++tills}`;
  told = [];
  platform = new ManualPlatform();
  await becomes({ answer: { kind: "recharge", seller: "Tienda", currency: "COP" } });
  desk = new RechargeController({
    platform,
    caller: new SessionCaller(platform, () => async () => ({ broker: origin, token: `ws_${till}` })),
    newKey: () => crypto.randomUUID(),
    tell: (news) => told.push(news),
    changed: () => undefined,
  });
});

afterEach(() => {
  desk.pause();
  expect(platform.held).toBe(0);
});

async function becomes(change: object): Promise<void> {
  await fetch(`${origin}/stub/${till}`, { method: "PUT", body: JSON.stringify(change) });
}

async function tries(): Promise<readonly string[]> {
  return (await (await fetch(`${origin}/stub/${till}`)).json()).tries;
}

async function reaches(phase: RechargePhase): Promise<void> {
  await vi.waitFor(() => expect(desk.state.phase).toBe(phase), { timeout: 5_000 });
}

/** Goes to the confirmation, and waits until a press is no double click. */
async function confirming(): Promise<void> {
  desk.resume();
  await reaches("find");
  desk.search({ by: "phone", text: "300 123 4567" });
  await reaches("amount");
  desk.choose(20_000);
  platform.sleep(500);
}

test("an outcome that is not known is asked for after 2 s, then less often, always with the same key", async () => {
  await becomes({ till: { outcome: "running" } });
  await confirming();
  desk.sell();
  await reaches("unsure");
  for (const [index, delayMs] of [2_000, 3_000, 4_500, 6_750, 10_000, 10_000].entries()) {
    await vi.waitFor(() => expect(platform.held).toBe(2), { timeout: 10_000 });
    await platform.pass(delayMs - 1);
    expect(await tries()).toHaveLength(index + 1);
    await platform.pass(1);
    await vi.waitFor(async () => expect(await tries()).toHaveLength(index + 2), { timeout: 10_000 });
  }
  await vi.waitFor(() => expect(platform.held).toBe(2), { timeout: 10_000 });
  await becomes({ till: { outcome: "approved" } });
  await platform.pass(10_000);
  await reaches("receipt");
  expect(new Set(await tries()).size).toBe(1);
  expect(told).toEqual(["find", "amount", "confirm", "selling", "unsure", "receipt"]);
});

test("each sale has a key of its own", async () => {
  await confirming();
  desk.sell();
  await reaches("receipt");
  platform.sleep(500);
  desk.again();
  await confirming();
  desk.sell();
  await reaches("receipt");
  expect(new Set(await tries()).size).toBe(2);
});

test("nothing begins anew while an outcome is not known", async () => {
  await becomes({ till: { outcome: "running" } });
  await confirming();
  desk.sell();
  await reaches("unsure");
  desk.again();
  desk.back();
  desk.restart();
  desk.search({ by: "nit", text: "900123456" });
  expect(desk.state).toMatchObject({ phase: "unsure", amount: 20_000 });
});

test("nothing is sold without a confirmation, nor confirmed without a person", async () => {
  desk.sell();
  desk.choose(20_000);
  desk.resume();
  await reaches("find");
  desk.sell();
  desk.choose(20_000);
  expect([desk.state.phase, await tries()]).toEqual(["find", []]);
});
