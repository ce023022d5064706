import { accrueDueCredits } from "../../server/service/accrual/accrue-due-credits.ts";
import { businessTime } from "../../src/business-time.ts";
import { addDays } from "../../src/calendar-day.ts";
import type { Credit } from "../../src/contract/service/credits.ts";
import type { TestEntity, TestService } from "./service.ts";

const DAY_SECONDS = 86_400;
const bogota = businessTime("America/Bogota");

/** The business day of the service's clock, or the one so many days after it. */
export function businessDay(service: Pick<TestService, "clock">, after = 0): string {
  return addDays(bogota.dayOf(service.clock()), after);
}

/** Lets days pass for the service. */
export function passDays(service: TestService, days: number): void {
  service.advance(days * DAY_SECONDS);
}

/** Runs the daily accrual by hand: for each day that is over. */
export function accrueToday({ sql, ledger, clock }: Pick<TestService, "sql" | "ledger" | "clock">) {
  return accrueDueCredits({ sql, ledger, through: addDays(bogota.dayOf(clock()), -1) });
}

/** One per mille a day, so that interest can be worked out in the head. */
const PER_MILLE_A_DAY = Object.freeze({ annual_rate_bps: 3_650, after_due: "continue" } as const);

/** Makes the loan type `micro` of one per mille a day, or with other terms. */
export async function aLoanType(entity: TestEntity, loan_type = "micro", terms: object = PER_MILLE_A_DAY) {
  const body = { ...PER_MILLE_A_DAY, ...terms };
  await entity.client.putLoanType({ params: { loan_type }, body });
}

/** Lets other entities lend to the users of these: all, unless some are named. */
export async function openToLenders(entities: readonly TestEntity[], lenders: "all" | string[] = "all"): Promise<void> {
  await Promise.all(entities.map(({ client }) => client.putEntitySettings({ body: { lenders } })));
}

/** The terms of a credit that the entity gives the user. */
export interface Lending {
  readonly loan_type?: string;
  readonly payment_date: string;
}

/** Lends to a user; returns the credit. */
export async function lend(entity: TestEntity, id: string, amount: string, lending: Lending): Promise<Credit> {
  const { body } = await entity.client.addQuota({ body: { id, amount, loan_type: "micro", ...lending } });
  const found = (await creditsOf(entity, id)).find(({ reference }) => reference === body.response);
  if (found === undefined) throw new Error("the credit that was opened is not listed");
  return found;
}

/** The entity's credits of a user, newest first. */
export async function creditsOf(entity: TestEntity, id: string): Promise<readonly Credit[]> {
  return (await entity.client.credits({ query: { "user-id": id } })).body;
}

/** One of the entity's credits, as it stands. */
export async function creditById(entity: TestEntity, id: string): Promise<Credit> {
  const found = (await entity.client.credits({ query: { limit: "500" } })).body.find((credit) => credit.id === id);
  if (found === undefined) throw new Error("there is no such credit");
  return found;
}

/** Returns the entries of a posting in minor units, by kind of account and entity. */
export async function linesOf({ sql }: Pick<TestService, "sql">, reference: string) {
  const rows = await sql<{ kind: string; entityId: string; amount: bigint }[]>`
    select a.kind, a.entity_id as "entityId", sum(e.amount)::bigint as amount from service.postings p
    join service.entries e on e.posting_id = p.id join service.accounts a on a.id = e.account_id
    where p.reference = ${reference} group by a.kind, a.entity_id order by a.kind, a.entity_id`;
  return rows.map(({ kind, entityId, amount }): [string, string, bigint] => [kind, entityId, amount]);
}
