import type { Tx } from "../../server/database/connect.ts";
import type { Measurement } from "./measure.ts";
import { scenarios } from "./scenarios.ts";
import type { Place, Stage } from "./start-stage.ts";

/** One law that must hold after a round. */
export interface Check {
  readonly law: string;
  readonly expected: string;
  readonly found: string;
  readonly holds: boolean;
}

function check(law: string, expected: bigint | number, found: string | undefined, doubtful = 0): Check {
  const least = BigInt(expected);
  const holds = found !== undefined && BigInt(found) >= least && BigInt(found) <= least + BigInt(doubtful);
  const range = doubtful === 0 ? String(expected) : `${expected} to ${least + BigInt(doubtful)}`;
  return { law, expected: range, found: String(found), holds };
}

/** Counts refusals; those of a service that has too much to do, 429 and 503, are none. */
function failuresOf(statuses: Readonly<Record<string, number>>): number {
  const failed = Object.entries(statuses).filter(([status]) => Number(status) >= 300 && !/^(?:429|503)$/.test(status));
  return failed.reduce((total, [, count]) => total + count, 0);
}

/** Counts what was answered; a request without an answer, or with 5xx, may have been carried out or not. */
function answersOf(all: readonly Measurement[]) {
  const sum = (of: (measurement: Measurement) => number): number =>
    all.reduce((total, measurement) => total + of(measurement), 0);
  const perScript = ({ scenario, figures }: Measurement, of: (payments: number) => number): number =>
    scenarios[scenario].scripts.reduce(
      (total, { payments }, index) => total + (figures.scripts[index] ?? 0) * of(payments),
      0,
    );
  const rejected = sum(({ figures }) => figures.marked);
  return {
    failed: sum(({ figures }) => figures.faults + figures.stopped + failuresOf(figures.statuses)),
    rejected,
    approved: sum((measurement) => perScript(measurement, (payments) => payments)) - rejected,
    keyed: sum((measurement) => perScript(measurement, (payments) => Math.min(payments, 1))),
    doubtful: sum(({ figures, scenario }) => {
      const late = Object.entries(figures.statuses).filter(([status]) => Number(status) >= 500);
      const each = Math.max(...scenarios[scenario].scripts.map(({ payments }) => payments));
      return (figures.faults + late.reduce((total, [, count]) => total + count, 0)) * each;
    }),
  };
}

/** Sums and counts of the books, as text. */
async function readBooks(tx: Tx): Promise<Readonly<Record<string, string>> | undefined> {
  await tx`set local statement_timeout = 0`;
  const [row] = await tx<Record<string, string>[]>`
    select (select sum(amount) from service.entries)::text as entries,
      (select sum(posted) from service.accounts)::text as balances,
      (select sum(posted) from service.accounts where kind = 'user_quota')::text as quota,
      (select count(*) from service.accounts a left join
          (select account_id, sum(amount) as posted, count(*) as entry_count from service.entries group by 1) e
          on e.account_id = a.id
        where a.posted <> coalesce(e.posted, 0) or a.entry_count <> coalesce(e.entry_count, 0))::text as strays,
      (select count(*) from (
        select 1 from (
          select entity_id as debtor, counterparty_id as creditor, posted from service.accounts where kind = 'due_to'
          union all
          select counterparty_id, entity_id, posted from service.accounts where kind = 'due_from') dues
        group by debtor, creditor having sum(posted) <> 0) apart)::text as "unequalDues",
      (select count(*) from service.transactions where status = 'approved')::text as approved,
      (select count(*) from service.transactions where status = 'rejected')::text as rejected,
      (select count(*) from service.events where type = 'transaction.created')::text as events,
      (select count(*) from service.transactions t join
          (select distinct entity_id from service.webhook_endpoints) told
          on told.entity_id = t.from_creator_id or (told.entity_id = t.to_creator_id and t.status = 'approved')
        )::text as "dueEvents",
      (select count(*) from service.idempotency_records where operation like 'create%ransaction')::text as keyed`;
  return row;
}

/** Checks that no money appeared or vanished, and that exactly what was answered is in the books. */
async function checkPlace(place: Place, all: readonly Measurement[]): Promise<readonly Check[]> {
  const books = await place.sql.begin(readBooks);
  const { failed, approved, rejected, keyed, doubtful } = answersOf(all);
  return [
    check("requests that failed", 0, String(failed)),
    check("sum of all entries", 0, books?.entries),
    check("sum of all balances", 0, books?.balances),
    check("accounts that differ from the sum of their entries", 0, books?.strays),
    check("pairs of entities whose dues differ", 0, books?.unequalDues),
    check(
      "events, one for each payment and each entity with a webhook that it reaches",
      BigInt(books?.dueEvents ?? 0),
      books?.events,
    ),
    check("users' quota, minor units", place.quota(), books?.quota),
    check("approved transactions, beside good answers", approved, books?.approved, doubtful),
    check("rejected transactions, beside good answers", rejected, books?.rejected, doubtful),
    check("kept idempotent answers, beside good answers", keyed, books?.keyed, doubtful),
  ];
}

/** Checks the books behind each place where something was measured. */
export async function checkBooks(stage: Stage, all: readonly Measurement[]): Promise<readonly Check[]> {
  const checks: Check[] = [];
  for (const at of ["service", "broker"] as const) {
    const there = all.filter(({ scenario }) => scenarios[scenario].crowd.at === at);
    const [first] = there;
    if (first === undefined) continue;
    checks.push(...(await checkPlace(await stage.placeOf(scenarios[first.scenario].crowd), there)));
  }
  return checks;
}
