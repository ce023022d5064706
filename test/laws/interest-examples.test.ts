import { describe, expect, it } from "vitest";
import { type AccruingCredit, accrueThrough } from "../../server/ledger/decide/interest.ts";
import { allocateRepayment, type OwedCredit } from "../../server/ledger/decide/repayment.ts";
import { daysBetween } from "../../src/calendar-day.ts";

/**
 * Worked by hand, in minor units. Each line: up to the end of a day, so many days bore interest on the principal that
 * was outstanding. N grows by principal × rate × days; A is N / K rounded, halves to the even side; then a repayment
 * pays the interest that is unpaid, and what is left of it principal. K = 10 000 × basis.
 */
const EXAMPLES = `
  zero rate
  opened 2026-01-15, due 2026-02-14, after due: stop, rate 0 bps, basis 365, K = 3 650 000
     through | principal | days | N | N / K | A |      pays | interest | principal
  2026-02-14 | 5 000 000 |   30 | 0 | 0.000 | 0 | 5 000 000 |        0 | 5 000 000

  a whole year
  opened 2026-01-01, due 2027-01-01, after due: stop, rate 2400 bps, basis 365, K = 3 650 000
     through |  principal | days |                 N |         N / K |         A |       pays |  interest |  principal
  2027-01-01 | 10 000 000 |  365 | 8 760 000 000 000 | 2 400 000.000 | 2 400 000 | 12 400 000 | 2 400 000 | 10 000 000

  odd days at an odd rate
  opened 2026-03-07, due 2026-03-24, after due: stop, rate 1999 bps, basis 365, K = 3 650 000
     through | principal | days |              N |      N / K |      A |      pays | interest | principal
  2026-03-24 | 1 234 567 |   17 | 41 954 290 361 | 11 494.326 | 11 494 | 1 246 061 |   11 494 | 1 234 567

  a leap year, which has one day more than the basis
  opened 2028-01-01, due 2029-01-01, after due: stop, rate 2400 bps, basis 365, K = 3 650 000
     through |  principal | days |                 N |         N / K |         A |       pays |  interest |  principal
  2028-02-28 | 10 000 000 |   58 | 1 392 000 000 000 |   381 369.863 |   381 370 |          0 |         0 |          0
  2028-02-29 | 10 000 000 |    1 | 1 416 000 000 000 |   387 945.205 |   387 945 |          0 |         0 |          0
  2028-03-01 | 10 000 000 |    1 | 1 440 000 000 000 |   394 520.547 |   394 521 |          0 |         0 |          0
  2029-01-01 | 10 000 000 |  306 | 8 784 000 000 000 | 2 406 575.342 | 2 406 575 | 12 406 575 | 2 406 575 | 10 000 000

  a basis of 360 days
  opened 2026-01-01, due 2027-01-01, after due: stop, rate 2400 bps, basis 360, K = 3 600 000
     through |  principal | days |                 N |         N / K |         A |       pays |  interest |  principal
  2026-01-31 | 10 000 000 |   30 |   720 000 000 000 |   200 000.000 |   200 000 |          0 |         0 |          0
  2027-01-01 | 10 000 000 |  335 | 8 760 000 000 000 | 2 433 333.333 | 2 433 333 | 12 433 333 | 2 433 333 | 10 000 000

  an early part payment
  opened 2026-01-01, due 2026-04-01, after due: stop, rate 2400 bps, basis 365, K = 3 650 000
     through |  principal | days |                 N |       N / K |       A |      pays | interest | principal
  2026-01-31 | 10 000 000 |   30 |   720 000 000 000 | 197 260.273 | 197 260 | 2 000 000 |  197 260 | 1 802 740
  2026-04-01 |  8 197 260 |   60 | 1 900 405 440 000 | 520 659.024 | 520 659 | 8 520 659 |  323 399 | 8 197 260

  a part payment smaller than the interest
  opened 2026-01-01, due 2026-04-01, after due: stop, rate 2400 bps, basis 365, K = 3 650 000
     through |  principal | days |                 N |       N / K |       A |       pays | interest |  principal
  2026-01-31 | 10 000 000 |   30 |   720 000 000 000 | 197 260.273 | 197 260 |    100 000 |  100 000 |          0
  2026-04-01 | 10 000 000 |   60 | 2 160 000 000 000 | 591 780.821 | 591 781 | 10 491 781 |  491 781 | 10 000 000

  a full early repayment costs the interest up to that day
  opened 2026-01-01, due 2026-12-31, after due: stop, rate 3150 bps, basis 365, K = 3 650 000
     through | principal | days |               N |       N / K |       A |      pays | interest | principal
  2026-02-11 | 7 500 050 |   41 | 968 631 457 500 | 265 378.481 | 265 378 | 7 765 428 |  265 378 | 7 500 050
  2026-12-31 |         0 |  323 | 968 631 457 500 | 265 378.481 | 265 378 |         0 |        0 |         0

  repaid on the due date
  opened 2026-05-31, due 2026-06-30, after due: continue, rate 1825 bps, basis 365, K = 3 650 000
     through | principal | days |              N |     N / K |     A |    pays | interest | principal
  2026-06-30 |   250 000 |   30 | 13 687 500 000 | 3 750.000 | 3 750 | 253 750 |    3 750 |   250 000
  2026-07-31 |         0 |   31 | 13 687 500 000 | 3 750.000 | 3 750 |       0 |        0 |         0

  late, and interest stops
  opened 2026-01-01, due 2026-01-31, after due: stop, rate 2400 bps, basis 365, K = 3 650 000
     through |  principal | days |               N |       N / K |       A |       pays | interest |  principal
  2026-01-31 | 10 000 000 |   30 | 720 000 000 000 | 197 260.273 | 197 260 |          0 |        0 |          0
  2026-03-17 | 10 000 000 |    0 | 720 000 000 000 | 197 260.273 | 197 260 | 10 197 260 |  197 260 | 10 000 000

  late, and interest continues
  opened 2026-01-01, due 2026-01-31, after due: continue, rate 2400 bps, basis 365, K = 3 650 000
     through |  principal | days |                 N |       N / K |       A |       pays | interest |  principal
  2026-01-31 | 10 000 000 |   30 |   720 000 000 000 | 197 260.273 | 197 260 |          0 |        0 |          0
  2026-03-17 | 10 000 000 |   45 | 1 800 000 000 000 | 493 150.684 | 493 151 | 10 493 151 |  493 151 | 10 000 000

  part paid on the due date, the rest late
  opened 2026-01-01, due 2026-01-31, after due: continue, rate 2400 bps, basis 365, K = 3 650 000
     through |  principal | days |                 N |       N / K |       A |      pays | interest | principal
  2026-01-31 | 10 000 000 |   30 |   720 000 000 000 | 197 260.273 | 197 260 | 5 000 000 |  197 260 | 4 802 740
  2026-03-02 |  5 197 260 |   30 | 1 094 202 720 000 | 299 781.567 | 299 782 | 5 299 782 |  102 522 | 5 197 260

  a term of 0 days, and interest stops
  opened 2026-08-10, due 2026-08-10, after due: stop, rate 4000 bps, basis 365, K = 3 650 000
     through | principal | days | N | N / K | A |    pays | interest | principal
  2026-08-10 |   990 000 |    0 | 0 | 0.000 | 0 |       0 |        0 |         0
  2026-08-25 |   990 000 |    0 | 0 | 0.000 | 0 | 990 000 |        0 |   990 000

  a term of 0 days, and interest continues
  opened 2026-08-10, due 2026-08-10, after due: continue, rate 4000 bps, basis 365, K = 3 650 000
     through | principal | days |              N |      N / K |      A |      pays | interest | principal
  2026-08-10 |   990 000 |    0 |              0 |      0.000 |      0 |         0 |        0 |         0
  2026-08-25 |   990 000 |   15 | 59 400 000 000 | 16 273.972 | 16 274 | 1 006 274 |   16 274 |   990 000

  never due
  opened 2027-12-31, due never, after due: stop, rate 1234 bps, basis 365, K = 3 650 000
     through | principal | days |               N |      N / K |      A |    pays | interest | principal
  2028-12-31 |   333 333 |  366 | 150 547 849 452 | 41 245.986 | 41 246 |       0 |        0 |         0
  2029-12-31 |   333 333 |  365 | 300 684 365 982 | 82 379.278 | 82 379 | 415 712 |   82 379 |   333 333

  halves go to the even side
  opened 2026-01-01, due never, after due: stop, rate 5000 bps, basis 365, K = 3 650 000
     through | principal | days |          N | N / K | A | pays | interest | principal
  2026-01-02 |       365 |    1 |  1 825 000 | 0.500 | 0 |    0 |        0 |         0
  2026-01-03 |       365 |    1 |  3 650 000 | 1.000 | 1 |    0 |        0 |         0
  2026-01-04 |       365 |    1 |  5 475 000 | 1.500 | 2 |    0 |        0 |         0
  2026-01-05 |       365 |    1 |  7 300 000 | 2.000 | 2 |    0 |        0 |         0
  2026-01-06 |       365 |    1 |  9 125 000 | 2.500 | 2 |    0 |        0 |         0
  2026-01-07 |       365 |    1 | 10 950 000 | 3.000 | 3 |    0 |        0 |         0
  2026-01-08 |       365 |    1 | 12 775 000 | 3.500 | 4 |    0 |        0 |         0

  too small to cost anything
  opened 2026-01-01, due never, after due: continue, rate 1 bps, basis 365, K = 3 650 000
     through | principal | days |      N | N / K | A | pays | interest | principal
  2027-02-05 |        99 |  400 | 39 600 | 0.010 | 0 |    0 |        0 |         0

  a principal of 9 000 at the highest rate
  opened 2026-01-01, due never, after due: continue, rate 100000 bps, basis 360, K = 3 600 000
     through | principal | days |                  N |          N / K |          A | pays | interest | principal
  2026-01-02 |   900 007 |    1 |     90 000 700 000 |     25 000.194 |     25 000 |    0 |        0 |         0
  2027-02-05 |   900 007 |  399 | 36 000 280 000 000 | 10 000 077.777 | 10 000 078 |    0 |        0 |         0
`;

/** Of four credits, in the order in which they are repaid on 15 July 2026. K = 3 650 000. */
const SEVERAL = `
  credit | opened     | due        | principal | rate | days |                 N |       N / K |       A
       A | 2026-03-15 | 2026-05-31 | 4 000 000 | 2400 |  122 | 1 171 200 000 000 | 320 876.712 | 320 877
       B | 2026-02-01 | 2026-06-30 | 6 000 000 | 1800 |  164 | 1 771 200 000 000 | 485 260.273 | 485 260
       C | 2026-04-20 | 2026-06-30 | 9 000 000 | 2100 |   86 | 1 625 400 000 000 | 445 315.068 | 445 315
       D | 2025-12-24 | never      | 3 000 000 | 1200 |  203 |   730 800 000 000 | 200 219.178 | 200 219
`;
const REPAID_ON = "2026-07-15";

type Cells = readonly string[];

function cellsOf(line: string): Cells {
  return line.split("|").map((cell) => cell.trim());
}

function amountOf(cell: string | undefined): bigint {
  if (cell === undefined || !/^\d{1,3}( \d{3})*$/.test(cell)) throw new Error(`no amount: ${cell}`);
  return BigInt(cell.replaceAll(" ", ""));
}

/** N / K cut to three decimals, as a person reads it off a calculator. */
function quotient(numerator: bigint, divisor: bigint): string {
  const thousandths = ((numerator * 1_000n) / divisor).toString().padStart(4, "0");
  const whole = thousandths.slice(0, -3).replace(/\B(?=(\d{3})+$)/g, " ");
  return `${whole}.${thousandths.slice(-3)}`;
}

interface Example {
  readonly name: string;
  readonly credit: AccruingCredit;
  readonly divisor: bigint;
  readonly rows: readonly Cells[];
}

const TERMS = /^opened (\S+), due (\S+), after due: (stop|continue), rate (\d+) bps, basis (\d+), K = ([\d ]+)$/;

function exampleOf(paragraph: string): Example {
  const [name = "", terms = "", , ...lines] = paragraph
    .trim()
    .split("\n")
    .map((line) => line.trim());
  const [, opened = "", due, afterDue, bps, basis, divisor] = TERMS.exec(terms) ?? [];
  const rows = lines.map(cellsOf);
  const credit: AccruingCredit = {
    outstanding: amountOf(rows[0]?.[1]),
    annualRateBps: Number(bps),
    dayBasis: Number(basis),
    dueDate: due === "never" || due === undefined ? null : due,
    afterDue: afterDue === "stop" ? "stop" : "continue",
    accruedThrough: opened,
    accrualNumerator: 0n,
    accrued: 0n,
  };
  return { name, credit, divisor: amountOf(divisor), rows };
}

const examples = EXAMPLES.trim().split("\n\n").map(exampleOf);

/** Carries a credit through an example's lines, and returns what was computed in the form of the lines. */
function carriedThrough({ credit: start, divisor, rows }: Example): (string | bigint)[][] {
  let credit = start;
  let unpaidInterest = 0n;
  return rows.map(([through = "", , , , , , pays]) => {
    const { outstanding } = credit;
    const { days, ...accrual } = accrueThrough(credit, through);
    unpaidInterest += accrual.accrued - credit.accrued;
    const owed: OwedCredit = { id: "", dueDate: null, openedOn: "", unpaidInterest, outstanding };
    const { shares, rest } = allocateRepayment([owed], amountOf(pays));
    expect(rest).toBe(0n);
    const [{ interest, principal } = { interest: 0n, principal: 0n }] = shares;
    unpaidInterest -= interest;
    credit = { ...credit, ...accrual, outstanding: outstanding - principal };
    const { accrualNumerator, accrued } = accrual;
    return [through, outstanding, accrualNumerator, quotient(accrualNumerator, divisor), accrued, interest, principal];
  });
}

function toldBy(rows: readonly Cells[]): (string | bigint)[][] {
  return rows.map(([through = "", outstanding, , numerator, exact = "", accrued, , interest, principal]) => [
    through,
    amountOf(outstanding),
    amountOf(numerator),
    exact,
    amountOf(accrued),
    amountOf(interest),
    amountOf(principal),
  ]);
}

describe("interest, worked by hand", () => {
  it.each(examples)("$name", (example) => {
    expect(carriedThrough(example)).toEqual(toldBy(example.rows));
  });

  it.each(examples)("$name: the lines are sound in themselves", ({ credit, divisor, rows }) => {
    let numerator = 0n;
    expect(divisor).toBe(10_000n * BigInt(credit.dayBasis));
    for (const [, outstanding, days, total, exact] of rows) {
      numerator += amountOf(outstanding) * BigInt(credit.annualRateBps) * amountOf(days);
      expect([amountOf(total), exact]).toEqual([numerator, quotient(numerator, divisor)]);
    }
  });

  it("accrues half a minor unit a day on the second, third, sixth and seventh day", () => {
    const halves = examples.find(({ name }) => name === "halves go to the even side")?.credit as AccruingCredit;
    expect(accrueThrough(halves, "2026-01-08").days).toEqual([
      { day: "2026-01-03", amount: 1n },
      { day: "2026-01-04", amount: 1n },
      { day: "2026-01-07", amount: 1n },
      { day: "2026-01-08", amount: 1n },
    ]);
  });
});

describe("several credits and one repayment, worked by hand", () => {
  const rows = SEVERAL.trim().split("\n").slice(1).map(cellsOf);
  const credits = rows.map(([id = "", openedOn = "", due = "", principal, rate]): OwedCredit => {
    const dueDate = due === "never" ? null : due;
    const outstanding = amountOf(principal);
    const terms = { annualRateBps: Number(rate), dayBasis: 365, afterDue: "continue", dueDate } as const;
    const opened = { ...terms, outstanding, accruedThrough: openedOn, accrualNumerator: 0n, accrued: 0n };
    return { id, dueDate, openedOn, outstanding, unpaidInterest: accrueThrough(opened, REPAID_ON).accrued };
  });
  const repay = (amount: bigint) => {
    const { shares, rest } = allocateRepayment(credits.toReversed(), amount);
    return { rest, shares: shares.map(({ credit, interest, principal }) => [credit.id, interest, principal]) };
  };

  it("each accrues on its own", () => {
    for (const [index, [, opened = "", , principal, rate, days, numerator, exact, accrued]] of rows.entries()) {
      expect(daysBetween(opened, REPAID_ON)).toBe(Number(days));
      expect(amountOf(numerator)).toBe(amountOf(principal) * BigInt(rate ?? "") * BigInt(days ?? ""));
      expect(quotient(amountOf(numerator), 3_650_000n)).toBe(exact);
      expect(credits[index]?.unpaidInterest).toBe(amountOf(accrued));
    }
  });

  it("4 300 000 pay the interest of the one due first and all of its principal but 20 877", () => {
    expect(repay(4_300_000n)).toEqual({ rest: 0n, shares: [["A", 320_877n, 3_979_123n]] });
  });

  it("15 000 000 pay A and B in full, then the interest of C and 3 748 548 of its principal", () => {
    const shares = [
      ["A", 320_877n, 4_000_000n],
      ["B", 485_260n, 6_000_000n],
      ["C", 445_315n, 3_748_548n],
    ];
    expect(repay(15_000_000n)).toEqual({ rest: 0n, shares });
  });

  it("25 000 000 pay all debt, 23 451 671, and 1 548 329 are left", () => {
    const shares = [
      ["A", 320_877n, 4_000_000n],
      ["B", 485_260n, 6_000_000n],
      ["C", 445_315n, 9_000_000n],
      ["D", 200_219n, 3_000_000n],
    ];
    expect(repay(25_000_000n)).toEqual({ rest: 1_548_329n, shares });
  });
});
