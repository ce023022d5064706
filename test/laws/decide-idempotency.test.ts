import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decide, type Verdict } from "../../server/ledger/decide/decide.ts";
import type { Command } from "../../server/ledger/model/command.ts";
import { idempotencyScope, type State } from "../../server/ledger/model/state.ts";
import { errorCodes } from "../../src/contract/shared/errors.ts";
import { anOrigin, countingIds, type TestEntity } from "../support/ledger.ts";
import { applyChanges, MOMENT } from "../support/ledger-fixture.ts";
import { decideAll } from "./decided.ts";
import { aHistory } from "./history.ts";

const RUNS = { numRuns: 300 };
const KEY = "the key of this law";

/** A history, and its last command again under a key that nobody else uses. */
const aKeyedEnd = aHistory().map(({ fixture, commands }) => {
  const before = commands.slice(0, -1);
  const { origin, ...last } = commands.at(-1) as Command;
  const asker: TestEntity = { id: origin.entityId, clientId: origin.clientId };
  const end = (key: string, fingerprint: string): Command => ({ ...last, origin: anOrigin(asker, key, fingerprint) });
  return { before: decideAll({ fixture, commands: before }).state, end };
});

function tell(state: State, command: Command, start = 1_000_000): { verdict: Verdict; after: State; isKept: boolean } {
  const { verdicts, changes } = decide(state, [command], MOMENT, countingIds(start));
  const { key = "" } = command.origin.idempotency ?? {};
  const isKept = changes.idempotency.has(idempotencyScope(command.origin, key));
  return { verdict: verdicts[0] as Verdict, after: applyChanges(state, changes), isKept };
}

function isRefusedWith(verdict: Verdict, statuses: readonly number[]): boolean {
  return verdict.type === "refused" && statuses.includes(errorCodes[verdict.refusal.code].status);
}

describe("deciding on a request that was sent before", () => {
  it("gives the first answer again and changes nothing, for the same key and body", () => {
    fc.assert(
      fc.property(aKeyedEnd, ({ before, end }) => {
        const first = tell(before, end(KEY, "body"));
        fc.pre(first.isKept);
        const second = tell(first.after, end(KEY, "body"), 2_000_000);
        expect(second.after).toEqual(first.after);
        const answer =
          first.verdict.type === "done"
            ? { body: JSON.stringify(first.verdict.body) }
            : { refusal: JSON.stringify((first.verdict as Extract<Verdict, { type: "refused" }>).refusal) };
        expect(second.verdict).toEqual({ type: "replayed", answer });
      }),
      RUNS,
    );
  });

  it("refuses the same key with another body, and changes nothing", () => {
    fc.assert(
      fc.property(aKeyedEnd, ({ before, end }) => {
        const first = tell(before, end(KEY, "body"));
        fc.pre(first.isKept);
        const second = tell(first.after, end(KEY, "other body"), 2_000_000);
        expect(second.verdict).toMatchObject({ type: "refused", refusal: { code: "idempotency_key_reused" } });
        expect(second.after).toEqual(first.after);
      }),
      RUNS,
    );
  });

  it("keeps every answer but the refusals that the posting did not decide: 400, 401 and 403", () => {
    fc.assert(
      fc.property(aKeyedEnd, ({ before, end }) => {
        const { verdict, isKept, after } = tell(before, end(KEY, "body"));
        expect(isKept).toBe(!isRefusedWith(verdict, [400, 401, 403]));
        if (!isKept) expect(after).toEqual(before);
      }),
      RUNS,
    );
  });

  it("reaches refusals of both sorts with these histories", () => {
    const verdicts = fc.sample(aKeyedEnd, { numRuns: 500, seed: 1 }).map(({ before, end }) => {
      return tell(before, end(KEY, "body")).verdict;
    });
    for (const status of [400, 403, 404, 409]) {
      expect(verdicts.some((verdict) => isRefusedWith(verdict, [status]))).toBe(true);
    }
  });

  it("takes the same key of another entity, of another operation or another key as another request", () => {
    fc.assert(
      fc.property(aKeyedEnd, ({ before, end }) => {
        const first = tell(before, end(KEY, "body"));
        const { origin, ...rest } = end(KEY, "body");
        const others = [{ ...rest, origin: { ...origin, operation: "another operation" } }, end("another key", "body")];
        for (const other of others) expect(tell(first.after, other, 2_000_000).verdict.type).not.toBe("replayed");
        const elsewhere = { ...origin, entityId: "another entity" };
        expect(idempotencyScope(elsewhere, KEY)).not.toBe(idempotencyScope(origin, KEY));
      }),
      RUNS,
    );
  });

  it("takes the same key of another client of the entity as the same request", () => {
    fc.assert(
      fc.property(aKeyedEnd, ({ before, end }) => {
        const first = tell(before, end(KEY, "body"));
        fc.pre(first.isKept);
        const { origin, ...rest } = end(KEY, "body");
        const copy = { ...rest, origin: { ...origin, clientId: "another client" } };
        const { verdict, after } = tell(first.after, copy, 2_000_000);
        expect([verdict.type, after]).toEqual(["replayed", first.after]);
      }),
      RUNS,
    );
  });

  it("does the same with a key as without: a key changes what is remembered, never what is done", () => {
    fc.assert(
      fc.property(aHistory({ keys: false }), ({ fixture, commands }) => {
        const keyed = commands.map((command, index) => ({
          ...command,
          origin: { ...command.origin, idempotency: { key: `key ${index}`, fingerprint: "body" } },
        }));
        const { state, ...plain } = decideAll({ fixture, commands });
        const { state: keyedState, ...withKeys } = decideAll({ fixture, commands: keyed });
        expect(withKeys).toEqual(plain);
        expect({ ...keyedState, idempotency: new Map() }).toEqual(state);
      }),
      RUNS,
    );
  });
});
