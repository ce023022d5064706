import type { Tx } from "../../database/connect.ts";
import type { ServiceContext } from "../shared/service-context.ts";
import { settledBelow } from "../shared/sync-page.ts";
import { addPayeeTotals, freshPayeeTotals } from "./payee-totals.ts";

/** Few enough that one database transaction takes a fraction of a second. */
const PAYMENTS_AT_ONCE = 5_000;
/** The next call continues a backlog, so that no call runs without end. */
const MOST_ROUNDS = 20;

/** The dependencies of folding payments into the totals of their payees. */
export type FoldContext = Pick<ServiceContext, "sql" | "changesFrom">;

/** The id through which the next payments are folded, and if they are all. */
interface Next {
  readonly id: string;
  readonly isLast: boolean;
}

/** Returns undefined where there is nothing to fold. */
async function nextThrough(tx: Tx, bound: string): Promise<Next | undefined> {
  // Of two processes the second waits, and goes on from where the first one ended.
  const [position] = await tx<{ through: string }[]>`
    select through_id as through from service.payee_folds for no key update`;
  if (position === undefined) throw new Error("the position of the payee totals is missing");
  const { through } = position;
  const [found] = await tx<{ id: string | null; count: bigint; isChanged: boolean }[]>`
    select (array_agg(id order by id desc))[1] as id, count(*),
      exists (select from service.payee_changes) as "isChanged"
    from (select id from service.transactions where id > ${through} and id < ${bound}
      order by id limit ${PAYMENTS_AT_ONCE}) next`;
  if (found === undefined || (found.id === null && !found.isChanged)) return undefined;
  return { id: found.id ?? through, isLast: found.count < PAYMENTS_AT_ONCE };
}

/** One statement sees one instant: changes that are committed meanwhile are neither in what it adds nor deleted. */
async function foldRound(tx: Tx, bound: string): Promise<boolean> {
  const next = await nextThrough(tx, bound);
  if (next === undefined) return true;
  const added = addPayeeTotals(tx, freshPayeeTotals(tx, { throughId: next.id }));
  await tx`
    with added as (${added}), forgotten as (delete from service.payee_changes)
    update service.payee_folds set through_id = ${next.id}`;
  return next.isLast;
}

/**
 * Adds payments to the totals of their payees in bulk: all whose ids no open commit can still precede, and changes of
 * those that were added before. Several processes may do so at once, and a run that is given up leaves no trace.
 */
export async function foldPayeeTotals({ sql, changesFrom }: FoldContext): Promise<void> {
  const bound = settledBelow((await changesFrom()).getTime());
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    if (await sql.begin("isolation level read committed", (tx) => foldRound(tx, bound))) return;
  }
}
