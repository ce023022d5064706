import type { SuggestedStatus } from "../../ledger/decide/days-past-due.ts";
import { daysPastDue, suggestedStatus } from "../../ledger/decide/days-past-due.ts";
import type { CreditRecord } from "../../ledger/model/credit-commands.ts";
import { CREDITS } from "../../ledger/model/tables.ts";
import { type CreditRow, creditOf } from "../../ledger/storage/load-state.ts";
import { columnsOf } from "../../ledger/storage/table-statements.ts";
import type { ServiceContext } from "../shared/service-context.ts";

/** The standing of a user at an entity: the status that the credits which the entity gave the user suggest. */
export interface Standing {
  /** Of the worst open one, `active` where there is none; `default` once one was written off. */
  readonly suggestedStatus: SuggestedStatus;
}

type StandingContext = Pick<ServiceContext, "sql" | "time" | "clock">;

function standingOf(credits: readonly (CreditRecord & { readonly daysPastDue: number })[]): Standing {
  const open = credits.filter(({ state }) => state === "open");
  const isWrittenOff = open.length < credits.length;
  return { suggestedStatus: isWrittenOff ? "default" : suggestedStatus(open) };
}

/** Reads the standing of users at an entity today, by that entity's own credits; `of` returns each user's. */
export async function readStandings(
  { sql, time, clock }: StandingContext,
  userIds: readonly string[],
  entityId: string,
): Promise<{ readonly of: (userId: string) => Standing }> {
  const rows = await sql<CreditRow[]>`
    select ${columnsOf(sql, CREDITS)} from service.credits
    where user_id = any(${[...userIds]}) and entity_id = ${entityId} and state in ('open', 'written_off')`;
  const day = time.dayOf(clock());
  const credits = rows.map(creditOf).map((credit) => ({ ...credit, daysPastDue: daysPastDue(credit, day) }));
  const byUser = Map.groupBy(credits, ({ userId }) => userId);
  return { of: (userId) => standingOf(byUser.get(userId) ?? []) };
}

/** Reads the standing of a user at an entity today, by that entity's own credits. */
export async function readStanding(service: StandingContext, userId: string, entityId: string): Promise<Standing> {
  return (await readStandings(service, [userId], entityId)).of(userId);
}
