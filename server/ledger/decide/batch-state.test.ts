import { describe, expect, it } from "vitest";
import { aCommand, anOrigin, aPayment, countingIds, type TestEntity } from "../../../test/support/ledger.ts";
import { ledgerFixture, MOMENT } from "../../../test/support/ledger-fixture.ts";
import type { Action } from "../model/command.ts";
import { type CreditRecord, DEFAULT_TERMS } from "../model/credit-commands.ts";
import type { UserState } from "../model/state.ts";
import { BatchState } from "./batch-state.ts";
import { decide } from "./decide.ts";

function aCredit(id: string, { id: userId, creatorId: entityId }: UserState): CreditRecord {
  return {
    ...DEFAULT_TERMS,
    ...{ id, entityId, userId, loanType: "default", reference: id, state: "closed", isImported: false },
    ...{ principal: 1n, outstanding: 0n, dueDate: null, openedOn: MOMENT.day, closedOn: MOMENT.day },
    ...{ accruedThrough: MOMENT.day, accrualNumerator: 0n, accrued: 0n, unpaidInterest: 0n, paidInterest: 0n },
    ...{ writtenOffPrincipal: 0n, writtenOffInterest: 0n, recovered: 0n, movementCount: 2 },
    ...{ postingId: id, createdAt: MOMENT.now, changedId: id },
  };
}

describe("a draft", () => {
  it("gives a user's credits at an entity, those of its own batch too, and as they were changed", () => {
    const { state, users } = ledgerFixture(2, [0n, 0n, 0n]);
    const [user, other] = users as [UserState, UserState];
    const elsewhere = aCredit("elsewhere", { ...user, creatorId: other.creatorId });
    const credits = [aCredit("first", user), aCredit("others", other), elsewhere].map(
      (each) => [each.id, each] as const,
    );
    const draft = new BatchState({ ...state, credits: new Map(credits) }, MOMENT, countingIds());
    draft.openCredit(aCredit("second", user));
    draft.changeCredit({ ...aCredit("first", user), movementCount: 3 });
    const found = draft.creditsOf(user.id, user.creatorId).map(({ id, movementCount }) => [id, movementCount]);
    expect(found).toEqual([
      ["first", 3],
      ["second", 2],
    ]);
  });

  it("finds them without looking through everybody's: a batch of 500 repayments brings 100 000 old ones", () => {
    const { state, users } = ledgerFixture(1, Array<bigint>(500).fill(0n));
    const credits = users.flatMap((user) =>
      Array.from({ length: 200 }, (_, index) => aCredit(`${user.id}-${index}`, user)),
    );
    const whole = { ...state, credits: new Map(credits.map((credit) => [credit.id, credit])) };
    const began = performance.now();
    const draft = new BatchState(whole, MOMENT, countingIds());
    for (const { id, creatorId } of users) expect(draft.creditsOf(id, creatorId)).toHaveLength(200);
    expect(performance.now() - began).toBeLessThan(5_000);
  });
});

describe("an event of a payment whose day is in a closed month, as beside a process whose clock is ahead", () => {
  const [CLOSED, FIRST_OPEN] = ["2026-04-30", "2026-05-01"];

  /** The events of a payment of 100 between two entities, the first of which makes it, by who has closed a month. */
  function eventsOf(closed: readonly (string | null)[], balance: bigint) {
    const { state, entities, users } = ledgerFixture(2, [balance, 0n]);
    const [payer, payee] = users as [UserState, UserState];
    const whole = [...state.entities].map(([id, entity], index) => {
      return [id, { ...entity, closedThrough: closed[index] ?? null }] as const;
    });
    const origin = anOrigin(entities[0] as TestEntity);
    const commands = [aCommand<Action>(origin, aPayment(payer.id, payee.id, 100n))];
    const { changes } = decide({ ...state, entities: new Map(whole) }, commands, MOMENT, countingIds());
    return {
      events: changes.paymentEvents.map(({ day, event }) => [event, day]),
      booked: changes.postings.map(({ day }) => day),
    };
  }

  it("counts on the first day that both creators have open, on which its posting is booked", () => {
    for (const closed of [
      [CLOSED, null],
      [null, CLOSED],
    ]) {
      expect(eventsOf(closed, 100n)).toEqual({ events: [["approved", FIRST_OPEN]], booked: [FIRST_OPEN] });
    }
  });

  it("counts, where nothing is booked, on the first day that the entity which made the payment has open", () => {
    expect(eventsOf([CLOSED, null], 0n)).toEqual({ events: [["rejected", FIRST_OPEN]], booked: [] });
    expect(eventsOf([null, CLOSED], 0n)).toEqual({ events: [["rejected", MOMENT.day]], booked: [] });
  });
});
