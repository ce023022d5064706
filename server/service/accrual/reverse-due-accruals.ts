import type { Sql } from "../../database/connect.ts";
import type { AccrualReversalRecord } from "../../ledger/model/credit-commands.ts";
import type { Writer } from "../../ledger/writer.ts";

/** Credits of one commit at most: payments wait for it. */
const CREDITS_LIMIT = 200;
const START = "00000000-0000-0000-0000-000000000000";

/** The entity whose accruals are reversed, the first day, and the dependencies of the run. */
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
 * Reverses the interest of an entity's open credits from a day on, a bounded number of credits in each commit. Returns
 * the amount, the number of credits, and the credits left as they are because a movement came after the accrual.
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
