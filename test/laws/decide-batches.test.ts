import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decide } from "../../server/ledger/decide/decide.ts";
import { countingIds } from "../support/ledger.ts";
import { MOMENT } from "../support/ledger-fixture.ts";
import { decideAll } from "./decided.ts";
import { aHistory } from "./history.ts";

/** Makes everything below a value refuse changes; a Map by its methods, a Date by being compared afterwards. */
function deepFreeze(value: unknown): void {
  if (typeof value !== "object" || value === null || ArrayBuffer.isView(value) || Object.isFrozen(value)) return;
  if (value instanceof Map) {
    for (const method of ["set", "delete", "clear"]) {
      Object.defineProperty(value, method, {
        value: () => {
          throw new TypeError(`the state was changed by ${method}`);
        },
      });
    }
    for (const each of value.values()) deepFreeze(each);
  }
  for (const each of Object.values(value)) deepFreeze(each);
  Object.freeze(value);
}

const aCutHistory = aHistory({ maxLength: 30 }).chain((history) =>
  fc.tuple(fc.constant(history), fc.array(fc.nat(history.commands.length), { maxLength: 8 })),
);

describe("deciding in batches", () => {
  it("comes to the same state, records and answers wherever the batches end", () => {
    fc.assert(
      fc.property(aCutHistory, ([history, cuts]) => {
        expect(decideAll(history, cuts)).toEqual(decideAll(history));
      }),
      { numRuns: 500 },
    );
  });

  it("comes to the same when every command is a batch of its own", () => {
    fc.assert(
      fc.property(aHistory(), (history) => {
        expect(decideAll(history, [...history.commands.keys()])).toEqual(decideAll(history));
      }),
      { numRuns: 200 },
    );
  });

  it("changes neither the state nor the commands that it is given", () => {
    fc.assert(
      fc.property(aHistory(), ({ fixture, commands }) => {
        const { state } = structuredClone({ state: fixture.state });
        const before = structuredClone({ state, actions: commands.map(({ action }) => action) });
        deepFreeze(state);
        deepFreeze(commands);
        decide(state, commands, MOMENT, countingIds());
        expect({ state, actions: commands.map(({ action }) => action) }).toEqual(before);
      }),
      { numRuns: 200 },
    );
  });

  it("says the same when it is asked twice: nothing but its parameters decides", () => {
    fc.assert(
      fc.property(aHistory(), (history) => {
        expect(decideAll(history)).toEqual(decideAll(history));
      }),
      { numRuns: 100 },
    );
  });
});
