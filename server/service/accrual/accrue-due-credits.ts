import { addDays } from "../../../src/calendar-day.ts";
import { ApiError } from "../../../src/contract/shared/errors.ts";
import type { Sql } from "../../database/connect.ts";
import type { AccrualRecord } from "../../ledger/model/credit-commands.ts";
import type { Writer } from "../../ledger/writer.ts";

/** Credits of one commit at most: payments wait for it. */
const CREDITS_LIMIT = 200;
/**
 * Days of one commit at most, so that a run after downtime does not write all interest at once. With 31, payments
 * waited three times as long beside a run that caught up as beside one of a single day.
 */
const DAYS_LIMIT = 7;

/**
 * The inputs of an accrual run: the ledger, the last day to accrue, and the entity whose credits it accrues
 * (everybody's without one).
 */
export interface AccrualRun {
  readonly sql: Sql;
  readonly ledger: Pick<Writer, "post">;
  /** `YYYY-MM-DD`; the ledger never accrues beyond its own today. */
  readonly through: string;
  /** Only this entity's. Default: everybody's. */
  readonly entityId?: string;
  /** Called between commits: a process that stops leaves the rest to the next run. */
  readonly isStopped?: () => boolean;
}

interface DueCredit {
  readonly creditId: string;
  readonly userId: string;
  readonly entityId: string;
  readonly accruedThrough: string;
}

/** The cursor before every credit. */
const START: DueCredit = Object.freeze({
  creditId: "00000000-0000-0000-0000-000000000000",
  userId: "",
  entityId: "00000000-0000-0000-0000-000000000000",
  accruedThrough: "0001-01-01",
});

/**
 * The next credits of one entity that lack interest, in the index's order. Its condition is that of the partial index
 * `credits_to_accrue`, and of `bearsInterest`, word for word.
 */
async function nextDue({ sql, through, entityId }: AccrualRun, last: DueCredit): Promise<readonly DueCredit[]> {
  const rows = await sql<DueCredit[]>`
    select id as "creditId", user_id as "userId", entity_id as "entityId", accrued_through::text as "accruedThrough"
    from service.credits
    where state = 'open' and outstanding > 0 and annual_rate_bps > 0
      and (after_due = 'continue' or due_date is null or accrued_through < due_date)
      and accrued_through < ${through}
      and (accrued_through, entity_id, id) > (${last.accruedThrough}, ${last.entityId}, ${last.creditId})
      ${entityId === undefined ? sql`` : sql`and entity_id = ${entityId}`}
    order by accrued_through, entity_id, id limit ${CREDITS_LIMIT}`;
  const [first] = rows;
  if (first === undefined) return [];
  const end = lastDayOfCommit(first.accruedThrough);
  const past = rows.findIndex((row) => row.entityId !== first.entityId || row.accruedThrough >= end);
  return past === -1 ? rows : rows.slice(0, past);
}

/** The day through which one commit accrues; a credit that is accrued as far already is left to the next one. */
function lastDayOfCommit(oldest: string): string {
  return addDays(oldest, DAYS_LIMIT);
}

function earlier(left: string, right: string): string {
  return left < right ? left : right;
}

/** Posts the missing interest of these credits, as their entity. */
async function accrue(run: AccrualRun, entityId: string, due: readonly DueCredit[]): Promise<AccrualRecord> {
  const oldest = due.map(({ accruedThrough }) => accruedThrough).reduce(earlier);
  const { body } = await run.ledger.post({
    origin: { clientId: "cupo", entityId, operation: "accrue", idempotency: undefined },
    action: {
      type: "accrue",
      through: earlier(run.through, lastDayOfCommit(oldest)),
      credits: due.map(({ creditId, userId }) => ({ creditId, userId })),
    },
    answer: (record) => record,
  });
  return body as AccrualRecord;
}

/**
 * Posts the missing interest of all open credits, or of one entity's, a bounded number of credits and days in each
 * commit. Interest that another process posted meanwhile is not posted again. An `ApiError`, such as an unavailable
 * ledger, is thrown at once; after any other failed commit the run goes on, and the first such failure is thrown at its
 * end. Returns the amount posted and the number of credits, each counted once for every commit that it was in.
 */
export async function accrueDueCredits(run: AccrualRun): Promise<AccrualRecord> {
  const total = { credits: 0, amount: 0n };
  const failures: unknown[] = [];
  let last = START;
  while (!run.isStopped?.()) {
    const due = await nextDue(run, last);
    const end = due.at(-1);
    if (end === undefined) break;
    try {
      const { credits, amount } = await accrue(run, end.entityId, due);
      total.credits += credits;
      total.amount += amount;
    } catch (error) {
      if (error instanceof ApiError) throw error;
      failures.push(error);
    }
    // A credit that was accrued in part comes again further on: the index is ordered by day.
    last = end;
  }
  if (failures.length > 0) throw failures[0];
  return total;
}
