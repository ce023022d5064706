import type { Sql } from "../../server/database/connect.ts";
import { type People, QUOTA } from "./prepare-people.ts";
import type { Measured } from "./run-rounds.ts";

/** One law that must hold after the run. */
export interface Check {
  readonly law: string;
  readonly expected: string;
  readonly found: string;
  readonly holds: boolean;
}

const MINOR_UNITS = 100n;

function check(law: string, expected: bigint | number, found: bigint | number | string | undefined): Check {
  return { law, expected: String(expected), found: String(found), holds: String(expected) === String(found) };
}

/** Counts the answers that the load generator got, all takes of the run together. */
function answersOf({ warmUps, probes, rounds }: Measured) {
  const all = [...warmUps, ...probes, ...rounds.flat()];
  const transfers = all.filter(({ section }) => section !== "tpcB");
  const keyed = transfers.filter(({ section }) => section === "keyedTransfers");
  const total = (list: typeof all, key: "approved" | "rejected" | "faults") =>
    list.reduce((sum, measurement) => sum + measurement[key], 0);
  return {
    approved: total(transfers, "approved"),
    rejected: total(transfers, "rejected"),
    keyed: total(keyed, "approved") + total(keyed, "rejected"),
    faults: total(all, "faults"),
  };
}

/** Checks that no money appeared or vanished, and that exactly what was answered is in the books. */
export async function checkBooks(sql: Sql, people: People, measured: Measured): Promise<readonly Check[]> {
  const [books] = await sql<Record<string, string>[]>`
    select (select sum(amount) from service.entries)::text as entries,
      (select sum(posted) from service.accounts)::text as balances,
      (select sum(posted) from service.accounts where kind = 'user_quota')::text as quota,
      (select count(*) from service.accounts a
        left join (select account_id, sum(amount) as posted, count(*) as entry_count from service.entries group by 1) e
          on e.account_id = a.id
        where a.posted <> coalesce(e.posted, 0) or a.entry_count <> coalesce(e.entry_count, 0))::text as strays,
      (select count(*) from service.transactions where status = 'approved')::text as approved,
      (select count(*) from service.transactions where status = 'rejected')::text as rejected,
      (select count(*) from service.idempotency_records where operation = 'createTransaction')::text as keyed`;
  const answers = answersOf(measured);
  return [
    check("requests that failed", 0, answers.faults),
    check("sum of all entries", 0, books?.entries),
    check("sum of all balances", 0, books?.balances),
    check("accounts that differ from the sum of their entries", 0, books?.strays),
    check("users' quota, minor units", BigInt(QUOTA) * BigInt(people.userIds.length) * MINOR_UNITS, books?.quota),
    check("approved transactions, beside 201 answers", answers.approved, books?.approved),
    check("rejected transactions, beside 201 answers", answers.rejected, books?.rejected),
    check("kept idempotent answers, beside answers", answers.keyed, books?.keyed),
  ];
}
