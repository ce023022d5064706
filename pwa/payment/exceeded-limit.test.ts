import { expect, test } from "vitest";
import type { Limits } from "../../src/contract/my-account.ts";
import { exceededLimit } from "./exceeded-limit.ts";

const none = { entity: null, own: null };

function limits(changes: Partial<Limits>): Limits {
  return { payment: none, day: none, first_time_payee: none, spent_today: 0, currency: "COP", ...changes };
}

test.each<[string, Partial<Limits>, ReturnType<typeof exceededLimit>]>([
  ["none", {}, undefined],
  ["the entity's for one payment", { payment: { entity: 99, own: null } }, { which: "payment", left: 99 }],
  ["the person's own, which is lower", { payment: { entity: 99, own: 50 } }, { which: "payment", left: 50 }],
  ["what is left of the day", { day: { entity: 150, own: null }, spent_today: 60 }, { which: "day", left: 90 }],
  ["a day that is used up", { day: { entity: 50, own: null }, spent_today: 60 }, { which: "day", left: 0 }],
  ["a first time", { first_time_payee: { entity: null, own: 10 } }, { which: "first_time_payee", left: 10 }],
])("an amount of 100 passes %s", (_which, changes, exceeded) => {
  expect(exceededLimit(limits(changes), 100)).toEqual(exceeded);
});
