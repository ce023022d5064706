import type { Sql } from "../../database/connect.ts";
import type { AccrualReversalRecord } from "../../ledger/credit-commands.ts";
import type { Writer } from "../../ledger/writer.ts";

/** Credits of one commit at most: payments wait for it. */
const CREDITS_LIMIT = 200;
const START = "00000000-0000-0000-0000-000000000000";

/** Whose interest is taken back, and from which day on. */
export interface ReversalRun {
  readonly sql: Sql;
  readonly ledger: Pick<Writer, "post">;
  readonly entityId: string;
  /** `YYYY-MM-DD`; not in a closed month. */
  readonly from: string;
  /** An API client's id, or `command line`. */
  readonly madeBy: string;
}

/**
 * Takes back the interest of an entity's open credits of a day and those after it, a bounded number of credits in each
 * commit. Gives how much, on how many, and the credits that it was left on because they moved after it was accrued.
 */
export async function reverseDueAccruals(run: ReversalRun): Promise<AccrualReversalRecord> {
  const { sql, ledger, entityId, from, madeBy } = run;
  const total = { credits: 0, amount: 0n, left: [] as string[] };
  for (let last = START; ; ) {
    const credits = await sql<{ creditId: string; userId: string }[]>`
      select id as "creditId", user_id as "userId" from service.credits
      where entity_id = ${entityId} and state = 'open' and accrued_through >= ${from} and id > ${last}
      order by id limit ${CREDITS_LIMIT}`;
    const end = credits.at(-1);
    if (end === undefined) return total;
    const { body } = await ledger.post({
      origin: { clientId: madeBy, entityId, operation: "reverseAccruals", idempotency: undefined },
      action: { type: "reverse-accruals", from, credits: [...credits] },
      answer: (record) => record,
    });
    const record = body as AccrualReversalRecord;
    total.credits += record.credits;
    total.amount += record.amount;
    total.left.push(...record.left);
    last = end.creditId;
  }
}
