import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { accrueCredits } from "../../server/ledger/decide/accrue-credits.ts";
import type { Verdict } from "../../server/ledger/decide/decide.ts";
import type { CreditMovement, CreditRecord } from "../../server/ledger/model/credit-commands.ts";
import type {
  AccountKind,
  CreditDay,
  EntityState,
  LedgerAccount,
  LedgerEntry,
  Posting,
} from "../../server/ledger/model/state.ts";
import { addDays } from "../../src/calendar-day.ts";
import { sumAmounts } from "../../src/money.ts";
import { CreditFixture } from "./credit-fixture.ts";
import { accrualThrough, type Move, play, someMoves } from "./credit-history.ts";

const START = "2027-12-28";

const sum = <T>(items: Iterable<T>, amountOf: (item: T) => bigint): bigint =>
  sumAmounts(Array.from(items, (item) => amountOf(item)));

function aLedger(): CreditFixture {
  const fixture = new CreditFixture(START, 2, [0n, 0n, 0n, 0n]);
  // The first entity lets lenders take interest from its users' quota, the second does not.
  fixture.change(0, { foreignLenders: "owed" });
  return fixture;
}

function accountsOf(fixture: CreditFixture, entityId: string, kind?: AccountKind): readonly LedgerAccount[] {
  return [...fixture.state.accounts.values()].filter(
    (account) => account.entityId === entityId && (kind === undefined || account.kind === kind),
  );
}

const posted = (accounts: readonly LedgerAccount[]): bigint => sum(accounts, (account) => account.posted);

/** How much there was before a step, and how far the books were closed. */
interface Before {
  readonly postings: number;
  readonly entries: number;
  readonly accruals: number;
  readonly movements: number;
  readonly entities: ReadonlyMap<string, EntityState>;
}

/** Every posting since `from` balances, in all and for each entity, and none is booked in a closed month. */
function checkPostings(fixture: CreditFixture, from: Before): void {
  const postings = new Map(fixture.postings.slice(from.postings).map((posting) => [posting.id, posting]));
  const byPosting = Map.groupBy(fixture.entries.slice(from.entries), ({ postingId }) => postingId);
  expect([...byPosting.keys()]).toEqual([...postings.keys()]);
  for (const [id, entries] of byPosting) {
    const byEntity = Map.groupBy(entries, ({ accountId }) => fixture.state.accounts.get(accountId)?.entityId ?? "");
    for (const [entityId, own] of byEntity) {
      expect(sum(own, ({ amount }: LedgerEntry) => amount)).toBe(0n);
      const closedThrough = from.entities.get(entityId)?.closedThrough ?? "";
      expect((postings.get(id) as Posting).day > closedThrough).toBe(true);
    }
  }
}

/** The interest of a step is booked on its own day or the first that is open, but an import's on that of its debt. */
function checkAccruals(fixture: CreditFixture, from: Before): void {
  const bookedOn = new Map(fixture.postings.slice(from.postings).map(({ id, day }) => [id, day]));
  for (const { creditId, day, postingId } of fixture.accruals.slice(from.accruals)) {
    const index = fixture.movements.findIndex((movement) => movement.creditId === creditId);
    const { kind, day: enteredOn } = fixture.movements[index] as CreditMovement;
    const closed = from.entities.get(fixture.state.credits.get(creditId)?.entityId ?? "")?.closedThrough ?? null;
    const firstOpen = closed === null || day > closed ? day : addDays(closed, 1);
    expect(bookedOn.get(postingId)).toBe(kind === "imported" && index >= from.movements ? enteredOn : firstOpen);
    expect((bookedOn.get(postingId) ?? "") >= enteredOn).toBe(true);
  }
}

/** Each entity's books balance, what it owes is what is due to the other, and its receivables are its credits. */
function checkBooks(fixture: CreditFixture): void {
  for (const { id } of fixture.fixture.entities) {
    expect(posted(accountsOf(fixture, id))).toBe(0n);
    for (const { id: other } of fixture.fixture.entities) {
      const owed = accountsOf(fixture, id, "due_to").filter(({ counterpartyId }) => counterpartyId === other);
      const due = accountsOf(fixture, other, "due_from").filter(({ counterpartyId }) => counterpartyId === id);
      expect(posted(owed)).toBe(-posted(due));
    }
    const own = fixture.credits.filter(({ entityId }) => entityId === id);
    expect(posted(accountsOf(fixture, id, "credits_receivable"))).toBe(-sum(own, (credit) => credit.outstanding));
    expect(posted(accountsOf(fixture, id, "interest_receivable"))).toBe(-sum(own, (credit) => credit.unpaidInterest));
    expect(posted(accountsOf(fixture, id, "recoveries"))).toBe(sum(own, (credit) => credit.recovered));
  }
  for (const { id } of fixture.fixture.users) expect(fixture.state.accounts.get(id)?.posted).toBeGreaterThanOrEqual(0n);
}

/** Checks that a credit is the result of its movements and accruals. */
function checkCredit(fixture: CreditFixture, credit: CreditRecord): void {
  const movements = fixture.movements.filter(({ creditId }) => creditId === credit.id);
  const accruals = fixture.accruals.filter(({ creditId }) => creditId === credit.id);
  const signs = { granted: 1n, imported: 1n, repaid: -1n, written_off: -1n, cancelled: -1n, recovered: 0n } as const;
  const accrued = sum(accruals, ({ amount }) => amount);
  expect(movements.map(({ sequenceNumber }) => sequenceNumber)).toEqual(movements.map((_, index) => index + 1));
  expect(movements).toHaveLength(credit.movementCount);
  expect(credit.outstanding).toBe(sum(movements, ({ kind, principal }) => signs[kind] * principal));
  expect(credit.unpaidInterest).toBe(accrued + sum(movements, ({ kind, interest }) => signs[kind] * interest));
  expect(credit.accrued).toBe(accrued);
  expect(new Set(accruals.map(({ day }) => day)).size).toBe(accruals.length);
  expect(credit.state === "open").toBe(credit.outstanding + credit.unpaidInterest > 0n);
}

/** The roll-ups of credits roll forward to what is owed. */
function checkCreditDays(fixture: CreditFixture): void {
  for (const { id } of fixture.fixture.entities) {
    const days = fixture.creditDays.filter(({ entityId }) => entityId === id);
    const total = (name: keyof CreditDay): bigint => sum(days, ({ figures }) => figures[name] ?? 0n);
    const own = fixture.credits.filter(({ entityId }) => entityId === id);
    const principal = total("granted") - total("repaid") - total("cancelled") - total("writtenOff");
    const paid = total("interestPaid");
    const interest = total("interestAccrued") - paid - total("interestCancelled") - total("interestWrittenOff");
    expect(principal).toBe(sum(own, ({ outstanding }) => outstanding));
    expect(interest).toBe(sum(own, ({ unpaidInterest }) => unpaidInterest));
    expect(total("interestOnTime")).toBeLessThanOrEqual(total("interestDue"));
    expect(total("interestOnTime") + total("lateInterest")).toBeLessThanOrEqual(paid);
  }
}

const told = (verdict: Verdict): string => (verdict.type === "refused" ? verdict.refusal.code : verdict.type);

/** Plays a move, checks every law, and returns the outcome. */
function playLawfully(fixture: CreditFixture, move: Move): string {
  const { postings, entries, accruals, movements, state } = fixture;
  const counts = { postings: postings.length, entries: entries.length, accruals: accruals.length };
  const before = { ...counts, movements: movements.length, entities: state.entities };
  const earlier = fixture.credits;
  const balances = fixture.fixture.users.map(({ id }) => fixture.state.accounts.get(id)?.posted ?? 0n);
  const verdict = play(fixture, move);
  if (verdict.type === "refused") {
    expect([fixture.entries.length, fixture.credits]).toEqual([before.entries, earlier]);
  }
  checkPostings(fixture, before);
  checkAccruals(fixture, before);
  checkBooks(fixture);
  for (const credit of fixture.credits) checkCredit(fixture, credit);
  checkCreditDays(fixture);
  const asker = fixture.entity(move.asker).id;
  for (const [index, { id, creatorId }] of fixture.fixture.users.entries()) {
    const taken = (balances[index] ?? 0n) - (fixture.state.accounts.get(id)?.posted ?? 0n);
    if (taken <= 0n || creatorId === asker) continue;
    const credits = fixture.movements.filter(({ postingId }) => postingId === fixture.postings.at(-1)?.id);
    expect(taken).toBe(
      sum(credits, ({ kind, principal, interest }) => principal + (kind === "cancelled" ? 0n : interest)),
    );
  }
  return `${move.name}: ${told(verdict)}`;
}

/** Every outcome that the histories are made to reach. */
const EVERY_OUTCOME = [
  "accrual: done",
  "assign-quota: done",
  "cancel-credit: credit_not_found",
  "cancel-credit: credit_not_open",
  "cancel-credit: credit_repaid",
  "cancel-credit: done",
  "cancel-credit: insufficient_balance",
  "closing: done",
  "deposit: done",
  "discharge: done",
  "discharge: insufficient_balance",
  "discharge: user_not_yours",
  "import: done",
  "import: user_not_yours",
  "last repayment: credit_not_found",
  "last repayment: done",
  "last repayment: more_than_owed",
  "payment: done",
  "payment: payer_not_yours",
  "repayment: credit_not_found",
  "repayment: done",
  "repayment: insufficient_balance",
  "repayment: more_than_owed",
  "repayment: user_not_yours",
  "write-off-credit: credit_not_found",
  "write-off-credit: credit_not_open",
  "write-off-credit: done",
];

/** A credit's interest, counted day by day from its movements, with nothing but the formula. */
function countDays(fixture: CreditFixture, credit: CreditRecord): { accruals: Map<string, bigint>; numerator: bigint } {
  const movements = fixture.movements.filter(({ creditId }) => creditId === credit.id);
  const divisor = 10_000n * BigInt(credit.dayBasis);
  const accruals = new Map<string, bigint>();
  let numerator = 0n;
  let before = 0n;
  for (let day = addDays(credit.openedOn, 1); day <= credit.accruedThrough; day = addDays(day, 1)) {
    const isOver = credit.afterDue === "stop" && credit.dueDate !== null && day > credit.dueDate;
    const outstanding = sum(movements, ({ kind, principal, day: moved }) =>
      moved >= day ? 0n : kind === "granted" ? principal : kind === "recovered" ? 0n : -principal,
    );
    if (!isOver) numerator += outstanding * BigInt(credit.annualRateBps);
    const [whole, twice] = [numerator / divisor, 2n * (numerator % divisor)];
    const rounded = twice > divisor || (twice === divisor && whole % 2n === 1n) ? whole + 1n : whole;
    if (rounded !== before) accruals.set(day, rounded - before);
    before = rounded;
  }
  return { accruals, numerator };
}

describe("two entities whose users pay each other, borrow from both and repay across", () => {
  it("keep balanced books, equal dues, and credits that are the sum of their movements, after every step", () => {
    const outcomes = new Set<string>();
    fc.assert(
      fc.property(someMoves, (moves) => {
        const fixture = aLedger();
        for (const move of moves) {
          outcomes.add(playLawfully(fixture, move));
        }
      }),
      { numRuns: 1_000 },
    );
    expect([...outcomes].sort()).toEqual(EVERY_OUTCOME);
  });

  it("accrue what a count of every single day comes to, each day once", () => {
    fc.assert(
      fc.property(someMoves, (moves) => {
        const fixture = aLedger();
        for (const move of moves) play(fixture, move);
        for (const credit of fixture.credits.filter(({ isImported }) => !isImported)) {
          const accruals = fixture.accruals.filter(({ creditId }) => creditId === credit.id);
          const counted = countDays(fixture, credit);
          expect(new Map(accruals.map(({ day, amount }) => [day, amount]))).toEqual(counted.accruals);
          expect(credit.accrualNumerator).toBe(counted.numerator);
        }
      }),
      { numRuns: 200 },
    );
  });

  it("owe the same after days that were accrued one by one as after days that were skipped", () => {
    fc.assert(
      fc.property(someMoves, (moves) => {
        const [daily, skipping] = [aLedger(), aLedger()];
        for (const move of moves) {
          for (let day = 1; day < move.daysLater; day += 1) {
            const through = addDays(daily.day, day);
            daily.day = through;
            for (const index of [0, 1]) daily.tell(index, accrualThrough(daily, index, through));
            daily.day = addDays(through, -day);
          }
          expect(told(play(daily, move))).toBe(told(play(skipping, move)));
        }
        const debts = (fixture: CreditFixture): unknown[] => {
          const accrued = accrueCredits(fixture.credits, addDays(fixture.day, 1)).map(({ credit }) => credit);
          return accrued.map(({ id: _, changedId, postingId, accruedThrough, createdAt, ...debt }) => debt);
        };
        expect(debts(daily)).toEqual(debts(skipping));
      }),
      { numRuns: 60 },
    );
  });
});
