import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Approval, Scan } from "../../src/contract/broker/broker.ts";
import { afterEvent, type PaymentEvent, type PaymentState, start } from "./payment-state.ts";

const scan: Scan = {
  kind: "dynamic",
  state: "unpaid",
  payload: "000201",
  payee: "Tienda Lola",
  payee_id: "01890a5d-ac96-774b-bcce-b302099a8057",
  amount: 25_000,
  currency: "COP",
  reference: "7K3M9QXT2V4FW",
  check_code: "A7K3",
  own: false,
};

function approval(state: Approval["state"], reason?: string): Approval {
  return {
    id: "01890a5d-ac96-774b-bcce-b302099a8058",
    state,
    payee: "Tienda Lola",
    first_time_payee: false,
    amount: 25_000,
    currency: "COP",
    expires_in: 120,
    operation: "pay",
    method: "button",
    ...(reason === undefined ? {} : { reason }),
  };
}

function run(...events: readonly PaymentEvent[]): PaymentState {
  return events.reduce(afterEvent, start);
}

const openedEvents: readonly PaymentEvent[] = [
  { type: "read", scan },
  { type: "opened", approval: approval("open") },
];

const anyEvent: fc.Arbitrary<PaymentEvent> = fc.oneof(
  fc.constantFrom<PaymentEvent>(
    { type: "read", scan },
    { type: "amount" },
    { type: "prove" },
    { type: "not_proven", fault: "cancelled" },
    { type: "pay" },
    { type: "no_answer" },
    { type: "timed_out" },
    { type: "reopen" },
    { type: "polling_ended" },
    { type: "problem", problem: { failure: "something_wrong" } },
  ),
  fc
    .constantFrom<Approval["state"]>("open", "running", "approved", "rejected", "failed", "withdrawn", "expired")
    .chain((state) =>
      fc.constantFrom<PaymentEvent>(
        { type: "opened", approval: approval(state) },
        { type: "outcome", approval: approval(state) },
      ),
    ),
);

describe("one payment on the screen", () => {
  test("a code with an amount goes from reading to ready to paid", () => {
    expect(run(...openedEvents).phase).toBe("ready");
    expect(run(...openedEvents, { type: "pay" }, { type: "outcome", approval: approval("approved") }).phase).toBe(
      "paid",
    );
  });

  test("a code without an amount asks for one first", () => {
    const { amount: _amount, ...open } = scan;
    const asked = run({ type: "read", scan: { ...open, kind: "static" } });
    expect(asked.phase).toBe("amount");
    expect(afterEvent(asked, { type: "amount" }).phase).toBe("opening");
  });

  test.each([
    ["paid", "qr_already_paid"],
    ["expired", "qr_expired"],
    ["cancelled", "qr_cancelled"],
    ["pending", "qr_pending"],
  ] as const)("a code that is %s stops with a sentence of its own", (state, failure) => {
    expect(run({ type: "read", scan: { ...scan, state } })).toEqual({ phase: "stopped", problem: { failure } });
  });

  test("nobody pays the own code", () => {
    expect(run({ type: "read", scan: { ...scan, own: true } })).toEqual({
      phase: "stopped",
      problem: { failure: "own_code" },
    });
  });

  test("a rejection names its reason, and an unknown reason is still a sentence", () => {
    const paying = [...openedEvents, { type: "pay" }] as const;
    const failureAfter = (reason: string) =>
      run(...paying, { type: "outcome", approval: approval("rejected", reason) });
    expect(failureAfter("insufficient_balance")).toMatchObject({ problem: { failure: "insufficient_balance" } });
    expect(failureAfter("a reason of tomorrow")).toMatchObject({ problem: { failure: "payment_failed" } });
  });

  test("a refund names the service's reason where only refunds have it", () => {
    const refused = { type: "outcome", approval: approval("failed", "refund_too_large") } as const;
    expect(run(...openedEvents, { type: "pay" }, refused)).toMatchObject({ problem: { failure: "refund_too_large" } });
  });

  test("a passkey is asked for once, and without one the same approval is there to be approved", () => {
    const proving = run(...openedEvents, { type: "prove" });
    expect(afterEvent(proving, { type: "prove" })).toBe(proving);
    expect(afterEvent(proving, { type: "timed_out" })).toBe(proving);
    const ready = afterEvent(proving, { type: "not_proven", fault: "cancelled" });
    expect(ready).toEqual({ phase: "ready", approval: approval("open"), fault: "cancelled" });
    expect(afterEvent(afterEvent(ready, { type: "prove" }), { type: "pay" }).phase).toBe("paying");
  });

  test("silence after Pay leads to asking, and what is opened anew says that nothing arrived", () => {
    const asking = run(...openedEvents, { type: "pay" }, { type: "no_answer" });
    expect(asking.phase).toBe("asking");
    expect(afterEvent(asking, { type: "pay" })).toBe(asking);
    const opened = { type: "opened", approval: approval("open") } as const;
    expect(afterEvent(asking, opened)).toBe(asking);
    const reopened = afterEvent(afterEvent(asking, { type: "reopen" }), opened);
    expect(reopened).toMatchObject({ phase: "ready", fault: "not_sent" });
    expect(afterEvent({ phase: "opening" }, opened)).not.toHaveProperty("fault");
  });

  test("the end of the time leads to asking, and says nothing by itself", () => {
    const asking = run(...openedEvents, { type: "timed_out" });
    expect(asking.phase).toBe("asking");
    const outcome = { type: "outcome", approval: approval("expired") } as const;
    expect(afterEvent(asking, outcome)).toEqual({ phase: "stopped", problem: { failure: "approval_expired" } });
  });

  test("a paid payment stays paid whatever comes after", () => {
    const paid = run(...openedEvents, { type: "pay" }, { type: "outcome", approval: approval("approved") });
    fc.assert(
      fc.property(fc.array(anyEvent), (events) => {
        expect(events.reduce(afterEvent, paid)).toBe(paid);
      }),
    );
  });

  test("no order of events shows Paid without the broker having approved", () => {
    fc.assert(
      fc.property(fc.array(anyEvent, { maxLength: 12 }), (events) => {
        const state = events.reduce(afterEvent, start);
        if (state.phase === "paid") expect(state.approval.state).toBe("approved");
        if (state.phase === "ready") expect(state.approval.state).toBe("open");
      }),
    );
  });
});
