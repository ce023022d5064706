import { describe, expect, it } from "vitest";
import { countingIds } from "../../../test/support/ledger.ts";
import { ledgerFixture, MOMENT } from "../../../test/support/ledger-fixture.ts";
import { type CreditRecord, DEFAULT_TERMS } from "../model/credit-commands.ts";
import type { UserState } from "../model/state.ts";
import { BatchState } from "./batch-state.ts";

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
