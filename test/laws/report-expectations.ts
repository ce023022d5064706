import { addDays } from "../../src/calendar-day.ts";
import {
  creditDay,
  creditDays,
  debtAt,
  everyDay,
  lateness,
  quotient,
  type Reference,
  rangeNames,
  rangeOf,
  rate,
  shares,
  sides,
  sum,
  text,
} from "./report-reference.ts";
import type { CreditRows, EventRow } from "./report-rows.ts";

function amountsOf(events: readonly EventRow[]) {
  const total = sum(events, ({ amount }) => amount);
  const mean = quotient(total, BigInt(events.length));
  return { count: events.length, sum: text(total), mean: mean === null ? null : text(mean) };
}

/** The exact amount of nearest rank: what a report's median and 95th percentile may be 2 % off. */
export function nearestRank(events: readonly EventRow[], hundredths: number): bigint | null {
  const amounts = events.map(({ amount }) => amount).sort((left, right) => (left < right ? -1 : left > right ? 1 : 0));
  return amounts[Math.ceil((amounts.length * hundredths) / 100) - 1] ?? null;
}

/** The events of each kind of payment and name that there are any of, in order. */
export function groupsOf(events: readonly EventRow[]): [string, string, readonly EventRow[]][] {
  const groups = Map.groupBy(events, ({ kind, event }) => `${kind} ${event}`);
  return [...groups.keys()].sort().map((key) => {
    const [kind = "", event = ""] = key.split(" ");
    return [kind, event, groups.get(key) ?? []];
  });
}

/** The events by each of which a payment, but no refund, was created. */
export function createdOf(events: readonly EventRow[]): readonly EventRow[] {
  return paymentsWith(events, ["approved", "pending", "rejected"]);
}

function paymentsWith(events: readonly EventRow[], names: readonly string[]): readonly EventRow[] {
  return events.filter(({ kind, event }) => kind !== "refund" && names.includes(event));
}

function outcomesOf(events: readonly EventRow[]) {
  return {
    created: amountsOf(createdOf(events)),
    settled: amountsOf(paymentsWith(events, ["approved", "settled"])),
    rejected: amountsOf(paymentsWith(events, ["rejected", "released"])),
    refunded: amountsOf(paymentsWith(events, ["refunded"])),
  };
}

/** Returns the business day of an event: that of its posting, or of its recording where it has none. */
export function dayOfEvent({ bookedOn, at }: EventRow, time: Reference["time"]): string {
  return bookedOn ?? time.dayOf(at);
}

const REASONS = [
  "insufficient_balance",
  "balance_limit",
  "counterparty_limit",
  "limit_exceeded",
  "payer_blocked",
  "hold_expired",
  "released",
  "requested",
  "with_batch",
];

/** The statistics of transactions, but for medians and percentiles. */
export function expectedTransactions({ rows, time, firstDay, lastDay }: Reference) {
  const all = rows.events.filter((each) => dayOfEvent(each, time) >= firstDay && dayOfEvent(each, time) <= lastDay);
  const grouped = (events: readonly EventRow[]) =>
    groupsOf(events).map(([kind, event, own]) => ({ kind, event, ...amountsOf(own) }));
  const reasonOf = ({ reason, kind }: EventRow): string => reason ?? (kind === "batch" ? "with_batch" : "requested");
  const rejected = all.filter(({ event }) => event === "rejected" || event === "released");
  const counts = REASONS.map((reason) => rejected.filter((each) => reasonOf(each) === reason).length);
  const reasonShares = shares(counts.map(BigInt));
  const outcomes = outcomesOf(all);
  const { mean: _, ...refunds } = amountsOf(all.filter(({ kind }) => kind === "refund"));
  return {
    entity_id: rows.entityId,
    percentile_error_bps: 200,
    total: { ...outcomes, by_kind_and_event: grouped(all) },
    approval_rate_bps: rate(BigInt(outcomes.settled.count), BigInt(outcomes.settled.count + outcomes.rejected.count)),
    rejections: REASONS.map((reason, index) => ({ reason, count: counts[index], share_bps: reasonShares[index] })),
    refunds_made: refunds,
    days: everyDay(firstDay, lastDay).map((day) => {
      const own = all.filter((each) => dayOfEvent(each, time) === day);
      return { day, ...outcomesOf(own), by_kind_and_event: grouped(own) };
    }),
  };
}

function harvestOf(figures: ReturnType<typeof creditDay>) {
  return {
    interest_accrued: text(figures.interestAccrued),
    interest_paid: text(figures.interestPaid),
    harvest_rate_bps: rate(figures.interestPaid, figures.interestAccrued),
    interest_due: text(figures.interestDue),
    interest_paid_on_time: text(figures.interestOnTime),
    on_time_rate_bps: rate(figures.interestOnTime, figures.interestDue),
    late_interest_paid: text(figures.lateInterest),
    late_principal_paid: text(figures.latePrincipal),
  };
}

/** Sums the changes of a period, and rolls principal and interest forward from the days before it. */
function rolled(credits: readonly CreditRows[], firstDay: string, lastDay: string) {
  const booked = credits.flatMap(({ movements, accruals }) => [
    ...movements.map(({ day }) => day),
    ...accruals.map(({ bookedOn }) => bookedOn),
  ]);
  const begin = booked.sort()[0] ?? firstDay;
  const before = creditDays(credits, begin < firstDay ? everyDay(begin, addDays(firstDay, -1)) : []);
  const within = creditDays(credits, everyDay(firstDay, lastDay));
  const principalOf = (each: typeof before): bigint => each.granted - each.cancelled - each.repaid - each.writtenOff;
  const interestOf = (each: typeof before): bigint =>
    each.interestAccrued - each.interestCancelled - each.interestPaid - each.interestWrittenOff;
  return {
    within,
    principal: {
      opening: text(principalOf(before)),
      granted: text(within.granted),
      cancelled: text(within.cancelled),
      repaid: text(within.repaid),
      written_off: text(within.writtenOff),
      closing: text(principalOf(before) + principalOf(within)),
    },
    interest: {
      opening: text(interestOf(before)),
      accrued: text(within.interestAccrued),
      cancelled: text(within.interestCancelled),
      paid: text(within.interestPaid),
      written_off: text(within.interestWrittenOff),
      closing: text(interestOf(before) + interestOf(within)),
    },
  };
}

/** The statistics of the harvest. */
export function expectedHarvest({ rows, firstDay, lastDay }: Reference) {
  const { within, interest } = rolled(rows.credits, firstDay, lastDay);
  const days = everyDay(firstDay, lastDay).map((day) => ({ day, ...harvestOf(creditDay(rows.credits, day)) }));
  return { entity_id: rows.entityId, total: harvestOf(within), interest, days };
}

const smallest = (texts: readonly string[]): string | null => [...texts].sort()[0] ?? null;

const isLost = (credits: readonly CreditRows[], day: string): boolean =>
  credits.some(({ movements }) => movements.some((each) => each.kind === "written_off" && each.day <= day));

/** The statistics of clients: of all, or of one. */
export function expectedClients({ rows, time, firstDay, lastDay }: Reference, only: string | undefined) {
  const [from, end] = [time.startOf(firstDay), time.startOf(addDays(lastDay, 1))];
  const clients = rows.users
    .map((user) => {
      const credits = rows.credits.filter(({ userId }) => userId === user.id);
      const beginnings = credits.map(({ createdAt }) => createdAt);
      if (user.creatorId === rows.entityId) beginnings.push(user.createdAt);
      const since = beginnings.sort((left, right) => left.getTime() - right.getTime())[0];
      const owed = credits.map((credit) => ({ ...debtAt(credit, lastDay), dueDate: credit.dueDate }));
      const debts = owed.filter(({ principal, interest }) => principal + interest > 0n);
      const dueDate = smallest(debts.flatMap((debt) => debt.dueDate ?? []));
      const late = isLost(credits, lastDay) ? "written-off" : rangeOf(lateness(dueDate, lastDay));
      return { ...user, since, debts, late };
    })
    .filter(({ id, since }) => (only === undefined || id === only) && since !== undefined && since < end);
  const movedSince = (id: string, day: string): boolean =>
    [...(rows.movedOn.get(id) ?? [])].some((each) => each >= day && each <= lastDay);
  const outstanding = (own: typeof clients) =>
    sum(
      own.flatMap(({ debts }) => debts),
      ({ principal }) => principal,
    );
  const statuses = ["active", "arrear", "default"].map((status) => clients.filter((each) => each.status === status));
  const names = [...rangeNames, "written-off"];
  const ranges = names.map((name) => clients.filter(({ late }) => late === name).length);
  const statusShares = shares(statuses.map(({ length }) => BigInt(length)));
  const rangeShares = shares(ranges.map(BigInt));
  return {
    uid: only ?? rows.entityId,
    scope: only === undefined ? "entity" : "client",
    registered: clients.length,
    new: clients.filter(({ since }) => since !== undefined && since >= from).length,
    active: clients.filter(({ id }) => movedSince(id, firstDay)).length,
    borrowers: clients.filter(({ debts }) => debts.length > 0).length,
    dormant: clients.filter(({ id }) => !movedSince(id, addDays(lastDay, -89))).length,
    outstanding: text(outstanding(clients)),
    by_set_status: statuses.map((own, index) => ({
      status: ["active", "arrear", "default"][index],
      clients: own.length,
      share_bps: statusShares[index],
      outstanding: text(outstanding(own)),
    })),
    by_days_past_due: names.map((bucket, index) => ({
      bucket,
      clients: ranges[index],
      share_bps: rangeShares[index],
    })),
  };
}

const ACCOUNTS = [
  "user_quota",
  "credits_receivable",
  "interest_receivable",
  "cash_clearing",
  "losses",
  "recoveries",
  "interest_income",
  "due_to",
  "due_from",
];
const COLUMNS = ["opening_debit", "opening_credit", "debit", "credit", "closing_debit", "closing_credit"] as const;

function expectedTrialBalance({ rows, firstDay, lastDay }: Reference) {
  const lines = ACCOUNTS.flatMap((account) => {
    const own = rows.entries.filter(({ kind, day }) => kind === account && day <= lastDay);
    const others = [...new Set(own.map(({ counterpartyId }) => counterpartyId))].sort();
    return (account.startsWith("due") ? others : [null]).map((counterpartyId) => {
      const entries = own.filter((entry) => entry.counterpartyId === counterpartyId);
      const within = sides(entries.filter(({ day }) => day >= firstDay));
      const opening = -sum(
        entries.filter(({ day }) => day < firstDay),
        ({ amount }) => amount,
      );
      const closing = -sum(entries, ({ amount }) => amount);
      const atLeastZero = (amount: bigint): bigint => (amount > 0n ? amount : 0n);
      const amounts = [opening, -opening].map(atLeastZero).concat(within.debit, within.credit);
      return { account, counterpartyId, amounts: amounts.concat([closing, -closing].map(atLeastZero)) };
    });
  });
  const named = (amounts: readonly bigint[]) =>
    Object.fromEntries(COLUMNS.map((name, index) => [name, text(amounts[index] ?? 0n)]));
  return {
    accounts: lines.map(({ account, counterpartyId, amounts }) => ({
      account,
      counterparty_id: counterpartyId,
      ...named(amounts),
    })),
    total: named(COLUMNS.map((_, index) => sum(lines, ({ amounts }) => amounts[index] ?? 0n))),
  };
}

/** The accounting report of a month, whose days the reference names. */
export function expectedAccounting(reference: Reference, month: string, loanProduct: string | null) {
  const { rows, firstDay, lastDay } = reference;
  const credits = rows.credits.filter(({ loanType }) => loanProduct === null || loanType === loanProduct);
  const { within, principal, interest } = rolled(credits, firstDay, lastDay);
  const debts = credits
    .map((credit) => ({ ...debtAt(credit, lastDay), userId: credit.userId, late: lateness(credit.dueDate, lastDay) }))
    .filter((debt) => debt.principal + debt.interest > 0n);
  const total = sum(debts, (debt) => debt.principal);
  const aged = rangeNames.map((name) => debts.filter(({ late }) => rangeOf(late) === name));
  const agedShares = shares(aged.map((own) => sum(own, (debt) => debt.principal)));
  const atRisk = (days: number) => {
    const late = sum(
      debts.filter((debt) => debt.late >= days),
      (debt) => debt.principal,
    );
    return { outstanding: text(late), rate_bps: rate(late, total) };
  };
  return {
    entity_id: rows.entityId,
    year: Number(month.slice(0, 4)),
    month: Number(month.slice(5)),
    loan_product: loanProduct,
    principal,
    interest,
    recovered: text(within.recovered),
    credits: debts.length,
    borrowers: new Set(debts.map(({ userId }) => userId)).size,
    ageing: rangeNames.map((bucket, index) => ({
      bucket,
      credits: aged[index]?.length,
      outstanding: text(sum(aged[index] ?? [], (debt) => debt.principal)),
      share_bps: agedShares[index],
    })),
    portfolio_at_risk: { par1: atRisk(1), par30: atRisk(31), par60: atRisk(61), par90: atRisk(91) },
    trial_balance: loanProduct === null ? expectedTrialBalance(reference) : null,
  };
}
