import { expect, test } from "vitest";
import type { QuotaSession } from "../../src/contract/broker/broker.ts";
import { sampleQuota } from "./sample-quota.ts";
import { INITIAL_STATE, nextStep, type UserQuotaInput, type UserQuotaState } from "./user-quota-state.ts";

const AS_OF = Date.parse("2026-11-21T15:00:00.000Z");

function answer(fields: Partial<QuotaSession> = {}, at = 0): UserQuotaInput {
  return { kind: "answered", session: sampleQuota(fields), at };
}

function after(...inputs: readonly UserQuotaInput[]): { state: UserQuotaState; news: readonly string[] } {
  let state = INITIAL_STATE;
  const news: string[] = [];
  for (const input of inputs) {
    const step = nextStep(state, input);
    state = step.state;
    news.push(...step.news);
  }
  return { state, news };
}

test("the first answer is shown and told", () => {
  const { state, news } = after(answer());
  expect(state).toMatchObject({ phase: "shown", offline: false, asOf: AS_OF });
  expect(news).toEqual(["loaded"]);
});

test("an answer that says the same of another moment is not told again, and moves the time on", () => {
  const { state, news } = after(answer(), answer({ as_of: "2026-11-21T15:01:00.000Z", expires_in: 7 }));
  expect(news).toEqual(["loaded", "same"]);
  expect(state.asOf).toBe(AS_OF + 60_000);
});

test("another amount, status or movement is told", () => {
  const { news } = after(
    answer(),
    answer({ quota_available: 1 }),
    answer({ status: "arrear" }),
    answer({ movements: [] }),
  );
  expect(news).toEqual(["loaded", "loaded", "loaded", "loaded"]);
});

test("unchanged means: so it is now, by the server's clock and the page's own monotonic one", () => {
  const { state } = after(answer({}, 1_000), { kind: "unchanged", at: 31_000 }, { kind: "unchanged", at: 61_000 });
  expect(state.asOf).toBe(AS_OF + 60_000);
});

test("being offline keeps what is shown, is told once, and ends with the next answer", () => {
  const unreachable = { kind: "unreachable", code: "no_answer" } as const;
  const { state, news } = after(answer(), unreachable, unreachable);
  expect(state).toMatchObject({ phase: "shown", offline: true, fault: "no_answer", asOf: AS_OF });
  expect(news).toEqual(["loaded", "offline"]);
  expect(nextStep(state, { kind: "unchanged", at: 5 })).toMatchObject({
    state: { offline: false, fault: undefined },
    news: ["online"],
  });
  expect(nextStep(state, answer({ score: 1 })).news).toEqual(["online", "loaded"]);
});

test.each([
  ["not_allowed", "refused"],
  ["unauthorized", "refused"],
  ["not_understood", "failed"],
  ["no_session", "failed"],
])("%s ends in %s, and takes what was shown away", (code, phase) => {
  const { state, news } = after(answer(), { kind: "refused", code });
  expect(state).toMatchObject({ phase, session: undefined, fault: code });
  expect(news).toEqual(["loaded", phase]);
});

test("after a refusal no late answer brings anything back", () => {
  const { state } = after({ kind: "refused", code: "not_allowed" });
  for (const input of [answer(), { kind: "unchanged", at: 1 }, { kind: "unreachable", code: "no_answer" }] as const) {
    expect(nextStep(state, input)).toEqual({ state, news: [] });
  }
});
