import fc from "fast-check";
import { expect, test } from "vitest";
import type { Recharge, RechargeSession } from "../../src/contract/broker/broker.ts";
import {
  answered as answeredTo,
  chosen,
  confirmed,
  erred as erredBy,
  finished,
  found as foundBy,
  INITIAL_STATE,
  isUnderWay,
  left,
  missed as missedBy,
  opened as openedWith,
  type RechargeChange,
  type RechargePhase,
  type RechargeState,
  type RechargeStep,
  searched,
  unopened as unopenedBy,
} from "./recharge-form-state.ts";

/** An input of the state machine. */
type RechargeInput = (state: RechargeState) => RechargeStep;

const SESSION: RechargeSession = {
  kind: "recharge",
  seller: "Tienda",
  currency: "COP",
  sold_today: { count: 0, amount: 0 },
  expires_at: "2026-01-01T00:15:00.000Z",
  expires_in: 900,
};

function sold(fields: Partial<Recharge> = {}): Recharge {
  return {
    id: "1",
    state: "approved",
    name: "Marta G.",
    amount: 20_000,
    currency: "COP",
    created_at: "2026-01-01T00:00:00.000Z",
    ...fields,
  };
}

const opened: RechargeInput = (state) => openedWith(state, SESSION);
const search: RechargeInput = (state) => searched(state, { by: "phone", text: "300 123 4567" });
const found: RechargeInput = (state) => foundBy(state, { handle: "h1", name: "Marta G." });
const choose: RechargeInput = (state) => chosen(state, 20_000);
const sell = sellWith("a");
const back: RechargeInput = left;
const again: RechargeInput = finished;
const confirming = [opened, search, found, choose];

function sellWith(key: string): RechargeInput {
  return (state) => confirmed(state, key);
}

function answered(fields?: Partial<Recharge>, key = "a"): RechargeInput {
  return (state) => answeredTo(state, key, sold(fields));
}

function erred(code: string, transient = false, key = "a"): RechargeInput {
  return (state) => erredBy(state, key, { code, transient });
}

/** A failure because no session was available for the request. */
function unasked(code: string, transient = false): RechargeInput {
  return (state) => erredBy(state, "a", { code, transient, isUnasked: true });
}

function missed(code: string): RechargeInput {
  return (state) => missedBy(state, { code });
}

function unopened(code: string, transient = true): RechargeInput {
  return (state) => unopenedBy(state, { code, transient });
}

function run(...inputs: readonly RechargeInput[]): { state: RechargeState; news: RechargeChange[] } {
  let state = INITIAL_STATE;
  const news: RechargeChange[] = [];
  for (const input of inputs) {
    const step = input(state);
    state = step?.state ?? state;
    news.push(...(step?.news ?? []));
  }
  return { state, news };
}

test.each<[string, RechargeInput[], RechargePhase, RechargeChange[]]>([
  ["a till that opens looks for somebody", [opened, opened], "find", ["find"]],
  [
    "a till that cannot be reached keeps trying",
    [unopened("no_answer"), unopened("no_answer")],
    "loading",
    ["offline"],
  ],
  ["and says when it is back", [unopened("no_answer"), opened], "find", ["offline", "online", "find"]],
  ["a till that is refused has failed", [unopened("unauthorized", false)], "failed", ["failed"]],
  ["and can be tried again", [unopened("unauthorized", false), again], "loading", ["failed"]],
  ["an open till outlives a refusal", [opened, unopened("unauthorized", false)], "find", ["find", "offline"]],
  ["nobody found is no error of the till", [opened, search, missed("user_not_found")], "find", ["find", "noticed"]],
  ["a look-up without an answer is an outage", [opened, search, missed("no_answer")], "find", ["find", "offline"]],
  ["found, the amount is next", [opened, search, found], "amount", ["find", "amount"]],
  ["a person who was not looked for is nobody", [opened, found], "find", ["find"]],
  ["back from the amount to the person", [opened, search, found, back], "find", ["find", "amount", "find"]],
  [
    "back from the confirmation to the amount",
    [...confirming, back],
    "amount",
    ["find", "amount", "confirm", "amount"],
  ],
  ["nothing is sold that was not confirmed", [opened, search, found, sell], "amount", ["find", "amount"]],
])("%s", (_law, inputs, phase, news) => {
  const result = run(...inputs);
  expect([result.state.phase, result.news]).toEqual([phase, news]);
});

test.each<[string, RechargeInput[], RechargePhase, RechargeChange[]]>([
  ["sold", [answered()], "receipt", ["receipt"]],
  ["answers that come twice are told once", [answered(), answered()], "receipt", ["receipt"]],
  ["an answer to another attempt is not this one's", [answered({}, "b")], "selling", []],
  ["a second press sells nothing more", [sellWith("b"), answered()], "receipt", ["receipt"]],
  ["rejected", [answered({ state: "rejected" }), answered()], "rejected", ["rejected"]],
  ["refused before any money was asked for", [answered({ state: "failed" })], "rejected", ["rejected"]],
  ["still running, it is not known", [answered({ state: "running" }), answered()], "receipt", ["unsure", "receipt"]],
  [
    "no answer, no answer, sold",
    [erred("no_answer", true), erred("no_answer", true), answered()],
    "receipt",
    ["unsure", "receipt"],
  ],
  [
    "a late answer after a doubt is the outcome",
    [erred("unavailable", true), answered({ state: "rejected" })],
    "rejected",
    ["unsure", "rejected"],
  ],
  ["an answer that cannot be read leaves a doubt", [erred("not_understood")], "unsure", ["unsure"]],
  ["over a limit", [erred("limit_exceeded")], "rejected", ["rejected"]],
  [
    "over a limit is the outcome after a doubt too",
    [erred("no_answer", true), erred("limit_exceeded")],
    "rejected",
    ["unsure", "rejected"],
  ],
  [
    "a look-up that expired is the outcome after a doubt: the broker keeps that under the key",
    [erred("no_answer", true), erred("look_up_expired")],
    "rejected",
    ["unsure", "rejected"],
  ],
  ["no session before the first try: nothing was sold", [erred("unauthorized")], "failed", ["failed"]],
  ...["limit_exceeded", "look_up_expired", "not_allowed", "user_not_found", "no_session"].flatMap<
    [string, RechargeInput[], RechargePhase, RechargeChange[]]
  >((code) => [
    [`${code} of the page's backend, before anything was asked`, [unasked(code)], "failed", ["failed"]],
    [
      `${code} of the page's backend, after a doubt`,
      [erred("no_answer", true), unasked(code), answered()],
      "receipt",
      ["unsure", "receipt"],
    ],
  ]),
  ...["not_allowed", "not_found", "invalid_request", "merchant_disabled"].map<
    [string, RechargeInput[], RechargePhase, RechargeChange[]]
  >((code) => [
    `${code} after a doubt says nothing of the first try`,
    [erred("no_answer", true), erred(code), answered()],
    "receipt",
    ["unsure", "receipt"],
  ]),
  [
    "no session after a doubt: still not known",
    [erred("no_answer", true), erred("unauthorized")],
    "unsure",
    ["unsure"],
  ],
  [
    "too many requests before a doubt: confirm later",
    [erred("too_many_requests", true)],
    "confirm",
    ["confirm", "missed"],
  ],
  [
    "too many requests after a doubt: ask later",
    [erred("no_answer", true), erred("too_many_requests", true)],
    "unsure",
    ["unsure"],
  ],
  [
    "a look-up that expired is made again, and confirmed again",
    [erred("look_up_expired"), sell, found],
    "confirm",
    ["confirm", "noticed"],
  ],
  [
    "what was looked up again and is gone leads back",
    [erred("look_up_expired"), missed("user_not_found")],
    "find",
    ["confirm", "find", "noticed"],
  ],
  ["a sale under way cannot be left", [back, again, choose, search, opened], "selling", []],
  ["nor one that is in doubt", [erred("no_answer", true), back, again, choose, search, sell], "unsure", ["unsure"]],
  ["the next one begins with somebody", [answered(), again], "find", ["receipt"]],
  ["a rejected amount can be changed", [answered({ state: "rejected" }), back], "amount", ["rejected", "amount"]],
])("after the sale was pressed: %s", (_law, inputs, phase, news) => {
  const result = run(...confirming, sell, ...inputs);
  expect([result.state.phase, result.news.slice(4)]).toEqual([phase, news]);
});

test("the next top-up knows nothing of the one before", () => {
  const { state } = run(...confirming, sell, answered(), again);
  expect(state).toEqual({ ...INITIAL_STATE, phase: "find", session: SESSION });
});

test("an attempt that was put off keeps its key, and one that was used up does not", () => {
  const keyAfter = (...inputs: readonly RechargeInput[]) => run(...confirming, sell, ...inputs).state.key;
  expect(keyAfter(erred("too_many_requests", true), sellWith("b"))).toBe("a");
  expect(keyAfter(erred("look_up_expired"), found, sellWith("b"))).toBe("b");
  expect(keyAfter(erred("limit_exceeded"), back, choose, sellWith("b"))).toBe("b");
});

test("an outage keeps what was typed", () => {
  const { state } = run(opened, search, missed("no_answer"));
  expect(state).toMatchObject({ offline: "no_answer", search: { by: "phone", text: "300 123 4567" } });
});

test("whatever comes to pass, an attempt keeps its key until its outcome is known, and that is told once", () => {
  const keys = fc.constantFrom("a", "b");
  const codes = fc.constantFrom("no_answer", "unavailable", "limit_exceeded", "look_up_expired", "unauthorized");
  const input = fc.oneof(
    fc.constantFrom<RechargeInput>(opened, search, found, choose, back, again, unopened("no_answer")),
    keys.map(sellWith),
    fc
      .tuple(keys, fc.constantFrom("approved", "rejected", "running"))
      .map(([key, state]): RechargeInput => answered({ state: state as Recharge["state"] }, key)),
    fc.tuple(keys, codes, fc.boolean()).map(([key, code, transient]) => erred(code, transient, key)),
    fc.tuple(codes, fc.boolean()).map(([code, transient]) => unasked(code, transient)),
  );
  fc.assert(
    fc.property(fc.array(input, { maxLength: 40 }), (inputs) => {
      let state = run(...confirming).state;
      let sales = 0;
      for (const item of inputs) {
        const next = item(state) ?? { state, news: [] };
        if (isUnderWay(state) && isUnderWay(next.state)) expect(next.state.key).toBe(state.key);
        if (!isUnderWay(state) && isUnderWay(next.state)) sales++;
        const outcomes = next.news.filter((news) => ["receipt", "rejected", "failed"].includes(news));
        if (outcomes.length > 0) expect([isUnderWay(state), outcomes.length, --sales]).toEqual([true, 1, 0]);
        if (isUnderWay(state) && next.state.phase === "confirm") sales--;
        state = next.state;
      }
    }),
  );
});
