import fc from "fast-check";
import { expect, test } from "vitest";
import type { PaySession } from "../../src/contract/broker/broker.ts";
import {
  INITIAL_STATE,
  isFinal,
  nextStep,
  type PayQrChange,
  type PayQrInput,
  type PayQrState,
} from "./pay-qr-state.ts";

function session(fields: Partial<PaySession> = {}): PaySession {
  return {
    kind: "pay",
    state: "unpaid",
    payee: "Café",
    amount: 25_000,
    currency: "COP",
    reference: "K7M39QXT2V4FW",
    check_code: "7K3M",
    payload: "000201",
    app_link: "https://pay.example/p#000201",
    expires_at: "2026-01-01T00:15:00.000Z",
    expires_in: 900,
    rejected_attempts: 0,
    ...fields,
  };
}

const answered = (fields?: Partial<PaySession>): PayQrInput => ({ kind: "answered", session: session(fields) });

function run(...inputs: readonly PayQrInput[]): { state: PayQrState; news: PayQrChange[] } {
  let state = INITIAL_STATE;
  const news: PayQrChange[] = [];
  for (const input of inputs) {
    const step = nextStep(state, input);
    state = step.state;
    news.push(...step.news);
  }
  return { state, news };
}

test.each<[string, PayQrInput[], PayQrState["phase"], PayQrChange[]]>([
  ["the first unpaid answer is a code to pay", [answered()], "awaiting", ["ready"]],
  ["the same answer again is no news", [answered(), answered(), { kind: "unchanged" }], "awaiting", ["ready"]],
  ["paid after ready", [answered(), answered({ state: "paid" })], "paid", ["ready", "paid"]],
  ["paid at the first look was never ready", [answered({ state: "paid" })], "paid", ["paid"]],
  ["expired by the server", [answered(), answered({ state: "expired" })], "expired", ["ready", "expired"]],
  ["cancelled", [answered(), answered({ state: "cancelled" })], "cancelled", ["ready", "cancelled"]],
  ["earlier rejections are no news", [answered({ rejected_attempts: 3 })], "awaiting", ["ready"]],
  [
    "a rejection leaves the code payable",
    [answered(), answered({ rejected_attempts: 1 }), answered({ rejected_attempts: 1 })],
    "awaiting",
    ["ready", "rejected"],
  ],
  [
    "an older count in between tells no rejection twice",
    [answered(), answered({ rejected_attempts: 1 }), answered(), answered({ rejected_attempts: 1 })],
    "awaiting",
    ["ready", "rejected"],
  ],
  [
    "rejected and then paid between two looks",
    [answered(), answered({ rejected_attempts: 1, state: "paid" })],
    "paid",
    ["ready", "rejected", "paid"],
  ],
  [
    "held, then paid",
    [answered(), answered({ state: "pending" }), answered({ state: "pending" }), answered({ state: "paid" })],
    "paid",
    ["ready", "pending", "paid"],
  ],
  [
    "an outage is told once, and its end",
    [answered(), unreachable(), unreachable(), { kind: "unchanged" }, unreachable()],
    "awaiting",
    ["ready", "offline", "online", "offline"],
  ],
  [
    "the time is up, and the server says so",
    [answered(), timeUp(), answered({ state: "expired" })],
    "expired",
    ["ready", "checking", "expired"],
  ],
  [
    "paid in the last second",
    [answered(), timeUp(), answered({ state: "paid" })],
    "paid",
    ["ready", "checking", "paid"],
  ],
  [
    "the session ended after the code",
    [answered(), timeUp(), refused("unauthorized")],
    "expired",
    ["ready", "checking", "expired"],
  ],
  ["the session ended before the code", [answered(), refused("unauthorized")], "failed", ["ready", "failed"]],
  [
    "the time of a held payment does not matter",
    [answered({ state: "pending" }), timeUp(), refused("unauthorized")],
    "failed",
    ["ready", "pending", "failed"],
  ],
  ["no session at all", [refused("not_found")], "failed", ["failed"]],
])("%s", (_law, inputs, phase, news) => {
  const result = run(...inputs);
  expect(result.state.phase).toBe(phase);
  expect(result.news).toEqual(news);
});

function unreachable(): PayQrInput {
  return { kind: "unreachable", code: "no_answer" };
}

function refused(code: string): PayQrInput {
  return { kind: "refused", code };
}

function timeUp(): PayQrInput {
  return { kind: "time-up" };
}

test("offline is an overlay: what was known stays, and the code stays payable", () => {
  const { state } = run(answered(), unreachable());
  expect(state).toMatchObject({ phase: "awaiting", offline: true, fault: "no_answer", lapsed: false });
  expect(state.session?.payload).toBe("000201");
});

test("a code whose time the server extends is payable again", () => {
  expect(run(answered(), timeUp(), answered({ expires_in: 0 })).state.lapsed).toBe(true);
  expect(run(answered(), timeUp(), answered({ expires_in: 5 })).state.lapsed).toBe(false);
});

test("only a payment that was seen to happen has a time", () => {
  expect(run(answered({ state: "paid" })).state.witnessed).toBe(false);
  expect(run(answered(), answered({ state: "paid" })).state.witnessed).toBe(true);
});

const anyInput: fc.Arbitrary<PayQrInput> = fc.oneof(
  fc
    .record({
      state: fc.constantFrom("unpaid", "pending", "paid", "expired", "cancelled"),
      rejected_attempts: fc.nat(3),
      expires_in: fc.nat(2),
    })
    .map((fields) => answered(fields as Partial<PaySession>)),
  fc.constantFrom<PayQrInput>({ kind: "unchanged" }, unreachable(), timeUp()),
  fc.constantFrom("unauthorized", "not_found").map(refused),
);

test("whatever comes, final states never leave and each completion is told exactly once", () => {
  fc.assert(
    fc.property(fc.array(anyInput, { maxLength: 30 }), (inputs) => {
      let state = INITIAL_STATE;
      const news: PayQrChange[] = [];
      for (const input of inputs) {
        const step = nextStep(state, input);
        if (isFinal(state.phase)) expect(step).toEqual({ state, news: [] });
        state = step.state;
        news.push(...step.news);
      }
      const finals = news.filter((item) => ["paid", "expired", "cancelled", "failed"].includes(item));
      expect(finals).toEqual(isFinal(state.phase) ? [state.phase] : []);
      expect(news.filter((item) => item === "ready").length).toBeLessThanOrEqual(1);
      expect(state.offline).toBe(
        news.findLast((item) => item === "offline" || item === "online") === "offline" && !isFinal(state.phase),
      );
    }),
  );
});
