import { setImmediate as nextTurn } from "node:timers/promises";
import fc from "fast-check";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { Verdict } from "../../server/ledger/decide/decide.ts";
import { RememberedState } from "../../server/ledger/memory/remembered-state.ts";
import type { Command } from "../../server/ledger/model/command.ts";
import type { Writer, WriterFigures } from "../../server/ledger/writer.ts";
import { ApiError } from "../../src/contract/shared/errors.ts";
import { aLedger, ledgerFaults, type TestLedger } from "../support/a-ledger.ts";
import { aCommand, anOrigin, aPayment, NOW } from "../support/ledger.ts";
import { type LedgerFixture, MOMENT } from "../support/ledger-fixture.ts";
import { outcomeOf } from "./decided.ts";
import { aHistory, type History, historyFixture } from "./history.ts";
import { Model } from "./model.ts";
import { StoredLedger, type Storing } from "./stored-ledger.ts";

/** A search for a shorter counterexample ends before the test's time is over, and tells the shortest so far. */
const RUNS = { numRuns: 25, interruptAfterTimeLimit: 40_000 };
const LENGTH = { maxLength: 40, size: "max" } as const;

let ledger: TestLedger;
let storing: Storing;

beforeAll(async () => {
  ledger = await aLedger();
  const before = ledger.aWriter({ slot: MOMENT.slot, clock: () => new Date(NOW.getTime() - 86_400_000) });
  const today = ledger.aWriter({ slot: MOMENT.slot, clock: () => NOW });
  storing = { sql: ledger.sql, before, today };
});
afterEach(async () => expect(await ledgerFaults(ledger.sql)).toEqual([]));
afterAll(() => ledger.drop());

/** Stores a fixture once for each run: those that are stored together share their commits. */
async function storeAll(fixture: LedgerFixture): Promise<() => Promise<StoredLedger>> {
  const all = await Promise.all(Array.from({ length: RUNS.numRuns }, () => StoredLedger.store(storing, fixture)));
  return async () => all.pop() ?? StoredLedger.store(storing, fixture);
}

/** A process of its own: it remembers nothing yet. */
function aFreshWriter(isDoubted: () => boolean): Writer {
  return ledger.aWriter({ sql: ledger.sql, slot: MOMENT.slot, clock: () => NOW, isDoubted });
}

/** The order in which a writer takes commands that arrive at once: the entities take turns. */
function inTurns(commands: readonly Command[]): Command[] {
  const queues = [...Map.groupBy(commands, ({ origin }) => origin.entityId).values()];
  return commands.flatMap((_, turn) => queues.flatMap((queue) => queue[turn] ?? []));
}

const groupSizes = fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 8 });

/** Cuts commands into groups whose sizes come again and again, each in the order in which it is taken. */
function groupsOf(commands: readonly Command[], sizes: readonly number[]): Command[][] {
  const groups: Command[][] = [];
  for (let start = 0; start < commands.length; ) {
    const size = sizes[groups.length % sizes.length] ?? 1;
    groups.push(inTurns(commands.slice(start, start + size)));
    start += size;
  }
  return groups;
}

/** Posts a command; returns its outcome in the words of the model. */
async function post(writer: Writer, command: Command): Promise<string> {
  try {
    const { body, replayed } = await writer.post(command);
    return replayed ? "replayed" : outcomeOf({ type: "done", body } satisfies Verdict);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return error.replayed ? "replayed" : error.code;
  }
}

async function expectStanding(stored: StoredLedger, { users }: Model): Promise<void> {
  const [balances, held] = [[...users.balances.values()], [...users.held.values()]];
  expect(await stored.standing()).toEqual({ balances, held, owed: users.owed });
}

/** Posts one group after the other, each of them a batch; expects of each command what the model says. */
async function expectAsModel({ fixture, commands }: History, sizes: readonly number[], to: StoredLedger, by: Writer) {
  const model = new Model(fixture);
  for (const group of groupsOf(commands, sizes)) {
    const outcomes = await Promise.all(group.map((command) => post(by, to.commandOf(command))));
    expect(outcomes).toEqual(group.map((command) => model.tell(command)));
  }
  await expectStanding(to, model);
}

type Total = Record<"commits" | "remembered" | "refused", number>;

/** Tries histories, each by a fresh writer whose batches are doubted as drawn; returns the sum of the figures. */
async function tryHistories(doubts: fc.Arbitrary<readonly boolean[]>): Promise<Total> {
  const nextStored = await storeAll(historyFixture());
  const figures: WriterFigures[] = [];
  const law = fc.asyncProperty(aHistory(LENGTH), groupSizes, doubts, async (history, sizes, drawn) => {
    let batches = 0;
    const writer = aFreshWriter(() => drawn[batches++ % drawn.length] === true);
    await expectAsModel(history, sizes, await nextStored(), writer);
    figures.push(writer.figures);
  });
  await fc.assert(law, RUNS);
  const sum = (name: keyof Total) => figures.reduce((total, { [name]: count }) => total + count, 0);
  return { commits: sum("commits"), remembered: sum("remembered"), refused: sum("refused") };
}

/** A fixture whose entities may owe one another as much as histories make them: no limit is divided anew. */
function withoutTightLimits({ state, ...fixture }: LedgerFixture): LedgerFixture {
  const exposures = new Map(
    [...state.exposures].map(([key, exposure]) => [key, { ...exposure, limit: exposure.limitWhereUnset }]),
  );
  return { ...fixture, state: { ...state, exposures } };
}

/** Posts each group once the one before it is taken; counts those that are taken while that one is under way. */
async function postBehind(groups: readonly (readonly Command[])[], writer: Writer) {
  const posted: Promise<string[]>[] = [];
  let answered = 0;
  let behind = 0;
  for (const [index, group] of groups.entries()) {
    const posting = Promise.all(group.map((command) => post(writer, command)));
    posted.push(
      posting.finally(() => {
        answered += 1;
      }),
    );
    while (writer.figures.waiting > 0) await nextTurn();
    if (answered < index) behind += 1;
  }
  return { outcomes: (await Promise.all(posted)).flat(), behind };
}

/** Payments that move nothing, after which a writer remembers all users, and the accounts between their entities. */
function aRound({ users }: LedgerFixture): Command[] {
  return users.map(({ id, creatorId }, index) => {
    const to = users[(index + 1) % users.length]?.id ?? "";
    const payment = aPayment(id, to, 1n, { requestedStatus: "rejected" });
    return aCommand(anOrigin({ id: creatorId, clientId: creatorId }), payment) as unknown as Command;
  });
}

/** Tries histories whose batches are sent one behind the other; counts them. */
async function tryHistoriesBehind() {
  const fixture = withoutTightLimits(historyFixture());
  const nextStored = await storeAll(fixture);
  const total = { tried: 0, groups: 0, behind: 0 };
  const law = fc.asyncProperty(aHistory({ ...LENGTH, keys: false }), groupSizes, async (history, sizes) => {
    const [stored, writer, model] = [await nextStored(), aFreshWriter(() => false), new Model(fixture)];
    const commands = history.commands.filter((command) => RememberedState.suffices([command]));
    const groups = groupsOf(commands, sizes);
    await Promise.all(aRound(fixture).map((command) => post(writer, stored.commandOf(command))));
    const sent = groups.map((group) => group.map((command) => stored.commandOf(command)));
    const { outcomes, behind } = await postBehind(sent, writer);
    total.tried += 1;
    // A batch that is committed with locks may be overtaken by those behind it.
    fc.pre(writer.figures.commits === writer.figures.remembered && writer.figures.refused === 0);
    expect(outcomes).toEqual(groups.flat().map((command) => model.tell(command)));
    await expectStanding(stored, model);
    total.groups += groups.length;
    total.behind += behind;
  });
  await fc.assert(law, RUNS);
  return total;
}

describe("a writer's outcomes and balances are those of a model that anybody can check", () => {
  it("on remembered rows", async () => {
    const { commits, remembered } = await tryHistories(fc.constant([false]));
    expect(remembered / commits).toBeGreaterThan(0.2);
  });

  it("where no batch finds its rows as remembered", async () => {
    const { commits, remembered, refused } = await tryHistories(fc.constant([true]));
    expect(remembered).toBe(0);
    expect(refused / commits).toBeGreaterThan(0.05);
  });

  it("where one batch does and another does not", async () => {
    const doubts = fc.array(fc.boolean(), { minLength: 2, maxLength: 8 });
    const { commits, remembered, refused } = await tryHistories(doubts);
    expect(remembered / commits).toBeGreaterThan(0.05);
    expect(refused / commits).toBeGreaterThan(0.05);
  });

  it("on remembered rows that batches under way have changed", async () => {
    const { tried, groups, behind } = await tryHistoriesBehind();
    expect(behind / groups).toBeGreaterThan(0.2);
    expect(tried).toBeLessThan(2 * RUNS.numRuns);
  });
});
