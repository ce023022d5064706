import fc from "fast-check";
import { accrueCredits } from "../../server/ledger/decide/accrue-credits.ts";
import type { Verdict } from "../../server/ledger/decide/decide.ts";
import type { Action } from "../../server/ledger/model/command.ts";
import type { Accrue, CreditRecord, CreditTerms } from "../../server/ledger/model/credit-commands.ts";
import { addDays } from "../../src/calendar-day.ts";
import { aGrant, aPayment } from "../support/ledger.ts";
import type { CreditFixture } from "./credit-fixture.ts";

/** An entity's move; the credit that it applies to is chosen when its turn comes. */
export interface Move {
  readonly name: string;
  readonly asker: number;
  /** Days that pass before. */
  readonly daysLater: number;
  readonly actionIn: (fixture: CreditFixture) => Action;
  /** Closes the asker's books through the end of the month before, once every day of it is accrued. */
  readonly closesMonth?: true;
}

const ENTITIES = 2;
const USERS = 4;

const asker = fc.nat(ENTITIES - 1);
const user = fc.nat(USERS - 1);
const amount = fc.oneof(fc.bigInt(1n, 400n), fc.bigInt(1n, 20_000n));
const daysLater = fc.oneof(
  { weight: 4, arbitrary: fc.constant(0) },
  { weight: 3, arbitrary: fc.nat(40) },
  { weight: 1, arbitrary: fc.nat(400) },
);
const reference = fc.uuid();

const terms: fc.Arbitrary<CreditTerms> = fc.record({
  annualRateBps: fc.constantFrom(0, 1_825, 2_400, 36_000, 100_000),
  dayBasis: fc.constantFrom(360, 365),
  afterDue: fc.constantFrom("stop" as const, "continue" as const),
  arrearAfter: fc.constant(0),
  defaultAfter: fc.constant(90),
});
const term = fc.option(fc.nat(90), { nil: undefined });

/** One of an entity's credits, whoever owes it, or now and then one that the entity has not. */
function creditOf(fixture: CreditFixture, entityIndex: number, choice: number): Pick<CreditRecord, "id" | "userId"> {
  const { id } = fixture.entity(entityIndex);
  const own = fixture.credits.filter(({ entityId }) => entityId === id);
  return (
    own[choice === 0 ? own.length : choice % own.length] ?? {
      id: "00000000-0000-7000-8000-00000000c000",
      userId: fixture.user(choice),
    }
  );
}

const dueIn = (fixture: CreditFixture, days: number | undefined): string | undefined =>
  days === undefined ? undefined : addDays(fixture.day, days);

type Draw<T> = (drawn: T & { asker: number; user: number; reference: string }, fixture: CreditFixture) => Action;

function aMove<T>(name: string, fields: { [K in keyof T]: fc.Arbitrary<T[K]> }, actionOf: Draw<T>): fc.Arbitrary<Move> {
  return fc.tuple(fc.record({ asker, user, reference }), fc.record(fields), daysLater).map(([who, drawn, days]) => ({
    name,
    asker: who.asker,
    daysLater: days,
    actionIn: (fixture) => actionOf({ ...who, ...drawn } as Parameters<Draw<T>>[0], fixture),
  }));
}

const step = fc.integer({ min: 1, max: USERS - 1 });
const payment = aMove("payment", { amount, step, isForeign: fc.nat(9).map((draw) => draw === 0) }, (drawn, fixture) => {
  // The users' creators take turns, so every second user is the asker's own.
  const payer = drawn.isForeign ? drawn.asker + 1 : drawn.asker + (drawn.user % 2) * ENTITIES;
  const payee = payer + drawn.step;
  return aPayment(fixture.user(payer), fixture.user(payee), drawn.amount, { reference: drawn.reference });
});

const grant = aMove(
  "assign-quota",
  { amount: fc.bigInt(200n, 20_000n), terms, term },
  ({ term: days, ...drawn }, fixture) =>
    aGrant(fixture.user(drawn.user), drawn.amount, {
      terms: drawn.terms,
      loanType: "loan",
      dueDate: dueIn(fixture, days),
      reference: drawn.reference,
    }),
);

const deposit = aMove("deposit", { amount }, (drawn, fixture) =>
  aGrant(fixture.user(drawn.user), drawn.amount, { loanType: "deposit", reference: drawn.reference }),
);

const discharge = aMove("discharge", { amount: fc.oneof(fc.bigInt(1n, 50n), amount) }, (drawn, fixture) => ({
  type: "discharge",
  userId: fixture.user(drawn.user),
  amount: drawn.amount,
  reference: drawn.reference,
}));

const repayment = aMove(
  "repayment",
  { amount, source: fc.constantFrom("cash" as const, "quota" as const), choice: fc.option(fc.nat(50)) },
  ({ choice, source, ...drawn }, fixture) => {
    const { id, userId } = creditOf(fixture, drawn.asker, choice ?? drawn.user);
    const creditId = choice === null ? undefined : id;
    return { type: "repay-credit", userId, creditId, amount: drawn.amount, source, reference: drawn.reference };
  },
);

/** Pays all that is owed, to the last minor unit: amounts drawn at random never close a credit. */
const lastRepayment = aMove("last repayment", { choice: fc.nat(50) }, ({ choice, ...drawn }, fixture) => {
  const { id: creditId, userId } = creditOf(fixture, drawn.asker, choice);
  const credit = fixture.state.credits.get(creditId);
  const [{ credit: accrued } = { credit: undefined }] = accrueCredits(credit ? [credit] : [], fixture.day);
  const owed = accrued === undefined ? 0n : accrued.outstanding + accrued.unpaidInterest;
  const paid = owed === 0n ? 1n : owed;
  return { type: "repay-credit", userId, creditId, amount: paid, source: "cash", reference: drawn.reference };
});

const anEnding = (type: "write-off-credit" | "cancel-credit"): fc.Arbitrary<Move> =>
  aMove(type, { choice: fc.nat(50) }, ({ choice, ...drawn }, fixture) => {
    const { id: creditId, userId } = creditOf(fixture, drawn.asker, choice);
    return { type, userId, creditId, reference: drawn.reference };
  });

const taking = aMove(
  "import",
  { amount, interest: fc.bigInt(0n, 300n), terms, term, age: fc.nat(200), since: fc.nat(200) },
  ({ term: days, age, since, ...drawn }, fixture) => ({
    type: "import-credit",
    userId: fixture.user(drawn.user),
    principal: drawn.amount + 100n,
    outstanding: drawn.amount,
    unpaidInterest: drawn.interest,
    loanType: "loan",
    terms: drawn.terms,
    openedOn: addDays(fixture.day, -age),
    dueDate: days === undefined ? undefined : addDays(fixture.day, days - age),
    accruedThrough: addDays(fixture.day, -Math.min(age, since)),
    reference: drawn.reference,
  }),
);

/** Accrues every credit of an entity through a day. */
export function accrualThrough(fixture: CreditFixture, entityIndex: number, through: string): Accrue {
  const { id: asking } = fixture.entity(entityIndex);
  const own = fixture.credits.filter(({ entityId }) => entityId === asking);
  return { type: "accrue", through, credits: own.map(({ id, userId }) => ({ creditId: id, userId })) };
}

const accrual = aMove("accrual", { back: fc.integer({ min: -3, max: 3 }) }, ({ asker: index, back }, fixture) =>
  accrualThrough(fixture, index, addDays(fixture.day, back)),
);

/** The last day of the month before. */
function lastMonthEnd(day: string): string {
  return addDays(`${day.slice(0, 7)}-01`, -1);
}

const closing = aMove("closing", {}, ({ asker: index }, fixture) =>
  accrualThrough(fixture, index, lastMonthEnd(fixture.day)),
).map((move): Move => ({ ...move, closesMonth: true }));

/** Lets time pass, carries out a move in the ledger, and returns its verdict. */
export function play(fixture: CreditFixture, { asker: index, daysLater: days, actionIn, closesMonth }: Move): Verdict {
  fixture.day = addDays(fixture.day, days);
  const verdict = fixture.tell(index, actionIn(fixture));
  if (closesMonth) fixture.change(index, { closedThrough: lastMonthEnd(fixture.day) });
  return verdict;
}

/** Two entities whose users pay each other, borrow from both and repay across, while days and months pass. */
export const someMoves: fc.Arbitrary<readonly Move[]> = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: payment },
    { weight: 5, arbitrary: grant },
    { weight: 1, arbitrary: deposit },
    { weight: 3, arbitrary: discharge },
    { weight: 4, arbitrary: repayment },
    { weight: 2, arbitrary: lastRepayment },
    { weight: 2, arbitrary: anEnding("write-off-credit") },
    { weight: 2, arbitrary: anEnding("cancel-credit") },
    { weight: 1, arbitrary: taking },
    { weight: 2, arbitrary: accrual },
    { weight: 1, arbitrary: closing },
  ),
  { minLength: 4, maxLength: 20 },
);
