import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decide } from "../../server/ledger/decide/decide.ts";
import type { Batch, Command, TransactionRecord } from "../../server/ledger/model/command.ts";
import { aCommand, aPayment, countingIds } from "../support/ledger.ts";
import { applyChanges, MOMENT } from "../support/ledger-fixture.ts";
import { type Decided, decideAll } from "./decided.ts";
import { aHistory, type History } from "./history.ts";

const RUNS = { numRuns: 300 };

type BatchCommand = Command & { readonly action: Batch };

function isBatch(command: Command): command is BatchCommand {
  return command.action.type === "batch";
}

/** The records that batches left: of each, in the order in which they were kept. */
function keptBatches({ commands }: History, { transactions }: Decided): [Batch, TransactionRecord[]][] {
  return commands.filter(isBatch).flatMap(({ action }): [Batch, TransactionRecord[]][] => {
    const references = new Set(action.items.map(({ reference }) => reference));
    const records = transactions.filter(({ reference }) => references.has(reference));
    return records.length === 0 ? [] : [[action, records]];
  });
}

/** The state that a history leaves, and a batch that comes next. */
const aBatchNext = aHistory({ keys: false })
  .map(({ fixture, commands }) => {
    const index = commands.findIndex(isBatch);
    const next = commands[index];
    return { state: decideAll({ fixture, commands: commands.slice(0, Math.max(0, index)) }).state, next };
  })
  .filter((drawn): drawn is typeof drawn & { next: BatchCommand } => drawn.next !== undefined && isBatch(drawn.next));

describe("deciding on a batch of payments", () => {
  it("keeps a record of every item, in their order, each with an id and a reference of its own", () => {
    fc.assert(
      fc.property(aHistory(), (history) => {
        for (const [batch, records] of keptBatches(history, decideAll(history))) {
          const asked = batch.items.map(({ toUserId, amount, details, reference }) => {
            return { kind: "batch", fromUserId: batch.fromUserId, toUserId, amount, details, reference };
          });
          expect(records).toMatchObject(asked);
          const ids = records.map(({ id }) => id);
          expect(ids).toEqual([...new Set(ids)].sort());
        }
      }),
      RUNS,
    );
  });

  it("approves all items, each with a posting of its own, or rejects all and gives one of them the reason", () => {
    fc.assert(
      fc.property(aHistory(), (history) => {
        for (const [batch, records] of keptBatches(history, decideAll(history))) {
          const statuses = new Set(records.map(({ status }) => status));
          expect(statuses.size).toBe(1);
          const reasons = records.flatMap(({ reason }) => reason ?? []);
          const postings = new Set(records.flatMap(({ postingId }) => postingId ?? []));
          const isApproved = statuses.has("approved");
          expect([reasons.length, postings.size]).toEqual(isApproved ? [0, batch.items.length] : [1, 0]);
        }
      }),
      RUNS,
    );
  });

  it("comes to what its payments come to one by one, until the first of them that is rejected", () => {
    fc.assert(
      fc.property(aBatchNext, ({ state, next }) => {
        const { fromUserId, fromName, items } = next.action;
        const together = decide(state, [next], MOMENT, countingIds(1_000_000));
        const singles = items.map(({ toUserId, amount, ...item }) =>
          aCommand(next.origin, aPayment(fromUserId, toUserId, amount, { ...item, fromName, kind: "batch" })),
        ) as unknown as Command[];
        const apart = decide(state, singles, MOMENT, countingIds(1_000_000));
        if (together.verdicts[0]?.type === "refused") return;
        const failed = apart.changes.transactions.findIndex(({ status }) => status === "rejected");
        if (failed === -1) {
          expect(together.changes).toEqual(apart.changes);
          return;
        }
        expect(together.changes.transactions.findIndex(({ reason }) => reason !== null)).toBe(failed);
        expect(together.changes.transactions[failed]?.reason).toBe(apart.changes.transactions[failed]?.reason);
        const { transactions } = state;
        expect({ ...applyChanges(state, together.changes), transactions }).toEqual(state);
      }),
      { numRuns: 500 },
    );
  });

  it("refuses a name that is another's with its place, and keeps nothing", () => {
    fc.assert(
      fc.property(aBatchNext, fc.nat(4), ({ state, next }, drawn) => {
        const place = drawn % next.action.items.length;
        const items = next.action.items.map((item, index) => {
          return { ...item, toName: index === place ? "Somebody else" : undefined };
        });
        const action: Batch = { ...next.action, fromName: undefined, items };
        const creator = state.users.get(action.fromUserId)?.creatorId ?? "";
        const command: Command = { ...next, origin: { ...next.origin, entityId: creator }, action };
        const { verdicts, changes } = decide(state, [command], MOMENT, countingIds());
        const faults = [{ pointer: `/payments/${place}/to_user`, detail: expect.any(String) }];
        expect(verdicts).toMatchObject([{ type: "refused", refusal: { code: "name_mismatch", faults } }]);
        expect([changes.transactions, changes.postings]).toEqual([[], []]);
      }),
      RUNS,
    );
  });
});
