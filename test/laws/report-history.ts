import fc from "fast-check";
import type { CreditTerms } from "../../server/ledger/model/credit-commands.ts";

/** The loan types of the histories' entities, with their terms. */
export const LOAN_TERMS: Readonly<Record<string, CreditTerms>> = {
  default: { annualRateBps: 0, dayBasis: 365, afterDue: "continue", arrearAfter: 0, defaultAfter: 90 },
  gold: { annualRateBps: 36_000, dayBasis: 360, afterDue: "stop", arrearAfter: 0, defaultAfter: 90 },
  micro: { annualRateBps: 100_000, dayBasis: 365, afterDue: "continue", arrearAfter: 5, defaultAfter: 60 },
};

const loanType = fc.constantFrom(...Object.keys(LOAN_TERMS));
const entity = fc.nat(1);
const user = fc.nat(3);
/** The index of the record so far that an action applies to. */
const choice = fc.nat(20);
/** The payee of a payment, counted on from the payer. */
const other = fc.integer({ min: 1, max: 2 });
const amount = fc.oneof(fc.bigInt(1n, 3_000n), fc.bigInt(1n, 400_000n));
const part = fc.option(fc.bigInt(1n, 20_000n), { nil: undefined });

type Drawn<T> = T extends fc.Arbitrary<infer V> ? V : never;

const moves = {
  payment: {
    type: fc.constant("payment" as const),
    from: user,
    other,
    amount,
    status: fc.constantFrom(
      "approved" as const,
      "approved" as const,
      "pending" as const,
      "pending" as const,
      "rejected" as const,
    ),
    kind: fc.constantFrom("payment" as const, "recharge" as const),
  },
  batch: {
    type: fc.constant("batch" as const),
    from: user,
    items: fc.array(fc.record({ to: user, amount }), { minLength: 1, maxLength: 3 }),
  },
  settle: {
    type: fc.constant("settle" as const),
    choice,
    status: fc.constantFrom("approved" as const, "approved" as const, "rejected" as const),
    amount: part,
  },
  reverse: { type: fc.constant("reverse" as const), choice, amount: part },
  transfer: { type: fc.constant("transfer" as const), from: user, other, amount },
  grant: {
    type: fc.constant("grant" as const),
    entity,
    to: user,
    amount,
    loanType: fc.oneof({ weight: 5, arbitrary: loanType }, { weight: 1, arbitrary: fc.constant("deposit") }),
    term: fc.option(fc.nat(50), { nil: undefined }),
  },
  discharge: { type: fc.constant("discharge" as const), entity, from: user, amount },
  repay: {
    type: fc.constant("repay" as const),
    choice,
    amount,
    source: fc.constantFrom("cash" as const, "quota" as const),
  },
  /** Repays all that is owed of one credit. */
  payOff: { type: fc.constant("pay-off" as const), choice },
  end: {
    type: fc.constant("end" as const),
    choice,
    how: fc.constantFrom("write-off-credit" as const, "cancel-credit" as const),
  },
  import: {
    type: fc.constant("import" as const),
    entity,
    to: user,
    amount: fc.oneof(fc.constant(0n), amount),
    interest: fc.bigInt(1n, 500n),
    loanType,
    age: fc.nat(120),
    term: fc.option(fc.nat(200), { nil: undefined }),
  },
  accrue: { type: fc.constant("accrue" as const), entity, back: fc.nat(3) },
  register: { type: fc.constant("register" as const), entity, status: fc.constantFrom("active", "arrear", "default") },
  close: { type: fc.constant("close" as const), entity },
};

/** A move in a history; the records that it applies to are chosen when its turn comes. */
export type Move = {
  [Name in keyof typeof moves]: { [Field in keyof (typeof moves)[Name]]: Drawn<(typeof moves)[Name][Field]> };
}[keyof typeof moves];

function one<Name extends keyof typeof moves>(name: Name, weight: number) {
  return { weight, arbitrary: fc.record(moves[name] as object) as unknown as fc.Arbitrary<Move> };
}

const move: fc.Arbitrary<Move> = fc.oneof(
  one("payment", 8),
  one("batch", 2),
  one("settle", 5),
  one("reverse", 4),
  one("transfer", 1),
  one("grant", 6),
  one("discharge", 2),
  one("repay", 3),
  one("payOff", 2),
  one("end", 3),
  one("import", 2),
  one("accrue", 2),
  one("register", 1),
  one("close", 2),
);

/** How many days of business a history has. */
const STEPS = 6;

/** The parameters of the reports at the end of a history. */
const probe = fc.record({
  entity,
  user,
  /** Days before the last one: the end of the period, and its beginning before that. */
  ends: fc.oneof(fc.constant(0), fc.nat(90)),
  length: fc.oneof(fc.nat(5), fc.nat(150)),
  monthsBack: fc.nat(3),
  loanType: fc.option(loanType),
});

/** Two entities and their users: moves step by step, each on a day of the fixture's, and the reports at the end. */
export const aHistory = fc.record({
  steps: fc.array(fc.array(move, { minLength: 1, maxLength: 4 }), { minLength: STEPS, maxLength: STEPS }),
  probes: fc.array(probe, { minLength: 2, maxLength: 2 }),
});
/** A history as it was drawn. */
export type DrawnHistory = Drawn<typeof aHistory>;
/** The parameters of the reports at the end of a history, as they were drawn. */
export type Probe = DrawnHistory["probes"][number];

/** The days of business: how long after the one before, and at what hour of the day. */
export const someDays = fc.array(
  fc.record({ daysLater: fc.oneof(fc.nat(3), fc.nat(45)), minute: fc.nat(24 * 60 - 1) }),
  { minLength: STEPS, maxLength: STEPS },
);
/** The days of business as they were drawn. */
export type DrawnDays = Drawn<typeof someDays>;
