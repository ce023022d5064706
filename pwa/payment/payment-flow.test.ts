import { describe, expect, test, vi } from "vitest";
import { encodeQrPayload } from "../../src/qr-payload.ts";
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

  test("a defect while the outcome is asked for is reported, and leaves the way to ask again", async () => {
    const broker = new FlakyBroker([]);
    const tab = aTab(broker);
    const before = tab.newPayment();
    await before.resume(undefined);
    const reported = vi.fn();
    vi.stubGlobal("reportError", reported);
    const defect = new TypeError("a defect");
    const after = tab.newApproving(() => Promise.reject(defect));
    await after.goOn(tab.keptKey());
    vi.unstubAllGlobals();
    expect(after.state).toEqual({ phase: "stopped", problem: { failure: "outcome_unknown" } });
    expect(reported.mock.calls).toEqual([[defect]]);
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

describe("a code that carries its amount", () => {
  async function payloadWithAmount(): Promise<string> {
    const fields = {
      ...{ amountMinor: 2_500_000n, reference: "7K3M9QXT2V4FW", expiresAt: 1_800_000_000 },
      ...{ guid: "co.qp", payeeId: "01890a5d-ac96-774b-bcce-b302099a8057", payee: "Lola", payeeNit: "900123456-7" },
      ...{ city: "Bogota", currency: { numeric: "170", digits: 2 }, keyId: "k1", purpose: "purchase" as const },
    };
    return (await encodeQrPayload(fields, () => new Uint8Array(64))).payload;
  }

  test("is ready to be paid after one request, which also a reload repeats", async () => {
    const broker = new FlakyBroker(["answer lost"]);
    const tab = aTab(broker, [], await payloadWithAmount());
    await tab.newPayment().resume(undefined);
    const payment = tab.newPayment();
    await payment.resume(tab.keptKey());
    expect(payment.state).toMatchObject({ phase: "ready", approval: { amount: 25_000 } });
    expect([broker.asked, broker.approvals.size]).toEqual([["/v1/approvals", "/v1/approvals"], 1]);
  });

  test.each([
    ["not_allowed", { own: true }, "own_code"],
    ["not_allowed", {}, "not_allowed"],
    ["qr_already_paid", { state: "pending" }, "qr_pending"],
    ["qr_already_paid", { state: "paid" }, "qr_already_paid"],
  ] as const)("is scanned after the refusal %s, which %o explains as %s", async (opening, scanned, failure) => {
    const broker = new FlakyBroker([], { opening, scanned });
    const payment = aTab(broker, [], await payloadWithAmount()).newPayment();
    await payment.resume(undefined);
    expect(payment.state).toEqual({ phase: "stopped", problem: { failure } });
    expect([payment.scan?.reference, broker.asked]).toEqual(["7K3M9QXT2V4FW", ["/v1/approvals", "/v1/scans"]]);
  });

  test("keeps the refusal where it cannot be scanned, and any that says all", async () => {
    const vague = new FlakyBroker(["fair", "request lost"], { opening: "qr_already_paid" });
    const clear = new FlakyBroker([], { opening: "qr_expired" });
    for (const broker of [vague, clear]) {
      const payment = aTab(broker, [], await payloadWithAmount()).newPayment();
      await payment.resume(undefined);
      expect(payment.state).toEqual({ phase: "stopped", problem: { failure: broker.opening } });
      expect(broker.asked).toEqual(["/v1/approvals"]);
    }
  });
});
