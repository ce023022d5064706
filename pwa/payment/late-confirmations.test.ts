import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { aTab, FlakyBroker, type NetworkFault } from "../../test/support/flaky-broker.ts";

describe("a confirmation whose answer does not come", () => {
  test.each(["request lost", "request late"] as const)(
    "a confirmation that did not arrive (%s) is withdrawn, and the same is there to be approved anew",
    async (weather) => {
      const broker = new FlakyBroker(["fair", "fair", weather]);
      const tab = aTab(broker);
      const payment = tab.newPayment();
      await payment.resume(undefined);
      await payment.pay();
      expect(payment.state).toMatchObject({ phase: "ready", fault: "not_sent" });
      expect([...broker.approvals.values()].map(({ state }) => state)).toEqual(["withdrawn", "open"]);
      expect(tab.sentKey()).toBeUndefined();
      await broker.arrive();
      expect(broker.payments).toBe(0);
      await payment.pay();
      expect(broker.payments).toBe(1);
    },
  );

  test("nothing is said of a confirmation on its way for as long as it cannot be withdrawn", async () => {
    const lost = Array<NetworkFault>(62).fill("request lost");
    const broker = new FlakyBroker(["fair", "fair", "request late", "fair", ...lost]);
    const tab = aTab(broker);
    const payment = tab.newPayment();
    await payment.resume(undefined);
    await payment.pay();
    expect(payment.state).toMatchObject({ phase: "stopped", problem: { failure: "outcome_unknown" } });
    expect(tab.sentKey()).toBe(tab.keptKey());
    await broker.arrive();
    await payment.pollAgain();
    expect(payment.state.phase).toBe("paid");
  });

  test("a reload, or the note of what was sent, withdraws what is on its way too", async () => {
    const broker = new FlakyBroker(["fair", "fair", "request late"]);
    const tab = aTab(broker);
    const before = tab.newPayment();
    await before.resume(undefined);
    const paying = before.pay();
    before.end();
    await paying;
    expect(tab.sentKey()).toBe(tab.keptKey());
    const after = tab.newPayment();
    await after.resume(tab.keptKey());
    expect(after.state).toMatchObject({ phase: "ready", fault: "not_sent" });
    await broker.arrive();
    expect(broker.payments).toBe(0);
  });

  test("the end of the time says nothing before the broker has", async () => {
    const broker = new FlakyBroker([]);
    const tab = aTab(broker);
    const [here, there] = [tab.newPayment(), tab.newPayment()];
    await here.resume(undefined);
    await there.resume(tab.keptKey());
    await there.pay();
    await here.timeOut();
    expect(here.state.phase).toBe("paid");
    const next = tab.newPayment();
    await next.resume(undefined);
    await next.timeOut();
    expect(next.state).toEqual({ phase: "stopped", problem: { failure: "approval_expired" } });
    expect([...broker.approvals.values()].map(({ state }) => state)).toEqual(["approved", "withdrawn"]);
  });

  test("that no approval is there for whoever is signed in by now says nothing of the payment", async () => {
    const broker = new FlakyBroker(["fair", "fair", "answer lost"]);
    const payment = aTab(broker).newPayment();
    await payment.resume(undefined);
    const paying = payment.pay();
    broker.isAnothers = true;
    await paying;
    expect(payment.state).toMatchObject({ phase: "stopped", problem: { failure: "outcome_unknown" } });
    broker.isAnothers = false;
    broker.approvals.clear();
    await payment.pollAgain();
    expect(payment.state).toMatchObject({ phase: "stopped", problem: { failure: "approval_expired" } });
  });

  test("of a transfer is opened anew with all that was asked for", async () => {
    const broker = new FlakyBroker(["fair", "request late"]);
    const transfer = aTab(broker).newApproving();
    await transfer.openNew({ handle: "lu_1", amount: 7_000, note: "Lunch" });
    await transfer.pay();
    expect(transfer.state).toMatchObject({ phase: "ready", fault: "not_sent", approval: { amount: 7_000 } });
    await broker.arrive();
    await transfer.pay();
    expect(transfer.state.phase).toBe("paid");
    expect(broker.payments).toBe(1);
  });

  test("whatever the network loses, nothing is paid twice and the screen never contradicts the broker", async () => {
    const fates = ["fair", "request lost", "request late", "answer lost", "answer replaced"] as const;
    const weather = fc.array(fc.constantFrom<NetworkFault>(...fates), { maxLength: 14 });
    const method = fc.constantFrom("button", "passkey");
    const step = fc.constantFrom("pay", "ask", "reload", "run out", "arrive");
    await fc.assert(
      fc.asyncProperty(weather, method, fc.array(step, { minLength: 1, maxLength: 6 }), async (lost, by, steps) => {
        const broker = new FlakyBroker(lost, { method: by });
        const tab = aTab(broker);
        let payment = tab.newPayment();
        await payment.resume(undefined);
        for (const next of steps) {
          if (next === "pay") await payment.pay();
          if (next === "ask") await payment.pollAgain();
          if (next === "run out") await payment.timeOut();
          if (next === "arrive") await broker.arrive();
          if (next !== "reload") continue;
          payment = tab.newPayment();
          await payment.resume(tab.keptKey());
        }
        // The outcome that was shown stays true once every request on its way has arrived.
        await broker.arrive();
        expect(broker.payments).toBeLessThanOrEqual(1);
        if (payment.state.phase === "paid") expect(broker.payments).toBe(1);
        if (payment.state.phase === "ready") expect(broker.payments).toBe(0);
        const isUnknown = payment.state.phase === "stopped" && payment.state.problem.failure === "outcome_unknown";
        if (payment.state.phase === "stopped" && !isUnknown) expect(broker.payments).toBe(0);
        expect(tab.sentKey() === undefined || isUnknown).toBe(true);
      }),
      { numRuns: 300 },
    );
  });
});
