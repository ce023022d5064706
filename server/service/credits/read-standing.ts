import type { SuggestedStatus } from "../../ledger/days-past-due.ts";
import { daysPastDue, suggestedStatus } from "../../ledger/days-past-due.ts";
import { type CreditRow, creditColumns, creditOf } from "../../ledger/load-state.ts";
import type { ServiceContext } from "../service-context.ts";

/** What the open credits of a user at an entity say. */
export interface Standing {
  readonly holdsOpenCredit: boolean;
  /** Of the worst of them; `active` where there is none. */
  readonly suggestedStatus: SuggestedStatus;
}

/** How a user stands with an entity today, by that entity's own credits. */
export async function readStanding(
  { sql, time, clock }: Pick<ServiceContext, "sql" | "time" | "clock">,
  userId: string,
  entityId: string,
): Promise<Standing> {
  const rows = await sql<CreditRow[]>`
    select ${creditColumns(sql)} from service.credits
    where user_id = ${userId} and entity_id = ${entityId} and state = 'open'`;
  const day = time.dayOf(clock());
  const credits = rows.map(creditOf).map((credit) => ({ ...credit, daysPastDue: daysPastDue(credit, day) }));
  return { holdsOpenCredit: credits.length > 0, suggestedStatus: suggestedStatus(credits) };
}
