import { describe, expect, test } from "vitest";
import { aTab, FlakyBroker } from "../../test/support/flaky-broker.ts";

describe("one payment against the broker", () => {
  test("scan, open, pay: one payment", async () => {
    const broker = new FlakyBroker([]);
    const payment = aTab(broker).newPayment();
    await payment.resume(undefined);
    await payment.pay();
    expect(payment.state.phase).toBe("paid");
    expect(broker.payments).toBe(1);
  });

  test("two presses at once are one payment", async () => {
    const broker = new FlakyBroker([]);
    const payment = aTab(broker).newPayment();
    await payment.resume(undefined);
    await Promise.all([payment.pay(), payment.pay()]);
    expect(broker.payments).toBe(1);
  });

  test("an answer that is lost is asked for, not paid again", async () => {
    const broker = new FlakyBroker(["fair", "fair", "answer lost", "request lost", "answer lost"]);
    const payment = aTab(broker).newPayment();
    await payment.resume(undefined);
    await payment.pay();
    expect(payment.state.phase).toBe("paid");
    expect(broker.payments).toBe(1);
  });

  test("a reload after Pay shows the outcome of that attempt", async () => {
    const broker = new FlakyBroker([]);
    const tab = aTab(broker);
    const before = tab.newPayment();
    await before.resume(undefined);
    await before.pay();
    const after = tab.newPayment();
    await after.resume(tab.keptKey());
    expect(after.state.phase).toBe("paid");
    expect(broker.payments).toBe(1);
    expect(broker.approvals.size).toBe(1);
  });

  test("a reload while the approval was being opened finds the same approval", async () => {
    const broker = new FlakyBroker(["fair", "answer lost"]);
    const tab = aTab(broker);
    const before = tab.newPayment();
    await before.resume(undefined);
    expect(before.state).toMatchObject({ phase: "stopped", problem: { failure: "no_connection" } });
    const after = tab.newPayment();
    await after.resume(tab.keptKey());
    expect(after.state.phase).toBe("ready");
    expect(broker.approvals.size).toBe(1);
  });

  test("a code without an amount is opened with the one that was typed, also after a reload", async () => {
    const broker = new FlakyBroker(["fair", "request lost"], { staticCode: true });
    const tab = aTab(broker);
    const before = tab.newPayment();
    await before.resume(undefined);
    expect(before.state.phase).toBe("amount");
    const key = tab.keptKey();
    await before.giveAmount(7_000);
    // A draft that two tabs have opened is one attempt, whoever gives its amount.
    expect(tab.keptKey()).toBe(key);
    const after = tab.newPayment();
    await after.resume(tab.keptKey());
    expect(after.state).toMatchObject({ phase: "ready", approval: { amount: 7_000 } });
  });

  test("a passkey that does not come, or is not taken, pays nothing and leaves the Pay button", async () => {
    const broker = new FlakyBroker([], { method: "passkey", refusals: ["passkey_refused"] });
    const payment = aTab(broker, [{ fault: "cancelled" }]).newPayment();
    await payment.resume(undefined);
    await payment.pay();
    expect(payment.state).toMatchObject({ phase: "ready", fault: "cancelled" });
    await payment.pay();
    expect(payment.state).toMatchObject({ phase: "ready", fault: "refused" });
    expect(broker.payments).toBe(0);
    await Promise.all([payment.pay(), payment.pay()]);
    expect(payment.state.phase).toBe("paid");
    expect(broker.payments).toBe(1);
  });

  test.each([
    ["device_too_new", "device_too_new"],
    ["limit_exceeded", "over_limit"],
  ])("a confirmation that is refused as %s stops with a sentence of its own", async (code, failure) => {
    const payment = aTab(new FlakyBroker([], { refusals: [code] })).newPayment();
    await payment.resume(undefined);
    await payment.pay();
    expect(payment.state).toEqual({ phase: "stopped", problem: { failure } });
  });

  test("a transfer or refund goes on after a reload only with what the broker has stored", async () => {
    const broker = new FlakyBroker(["request lost", "fair", "answer lost"]);
    const tab = aTab(broker);
    const first = tab.newApproving();
    await first.openNew({ handle: "lu_1", amount: 7_000 });
    expect(first.state).toMatchObject({ phase: "stopped", problem: { failure: "no_connection" } });
    expect(await tab.newApproving().goOn(tab.keptKey())).toBe(false);
    const second = tab.newApproving();
    await second.openNew({ handle: "lu_1", amount: 7_000 });
    const paying = second.pay();
    second.end();
    await paying;
    expect(tab.sentKey()).toBe(tab.keptKey());
    const after = tab.newApproving();
    expect(await after.goOn(tab.keptKey())).toBe(true);
    expect(after.state).toMatchObject({ phase: "paid", approval: { amount: 7_000 } });
    expect(tab.sentKey()).toBeUndefined();
    expect(broker.payments).toBe(1);
  });
});
