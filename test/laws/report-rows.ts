import type { Sql } from "../../server/database/connect.ts";

/** A payment, its amount in minor units. */
export interface PaymentRow {
  readonly kind: string;
  readonly status: string;
  readonly reason: string | null;
  readonly amount: bigint;
  readonly createdAt: Date;
}

/** An entry with what its account is and the day on which its posting was booked. */
export interface EntryRow {
  readonly accountId: string;
  readonly kind: string;
  readonly counterpartyId: string | null;
  readonly amount: bigint;
  readonly day: string;
}

/** A credit as it was opened, and all that happened to it. */
export interface CreditRows {
  readonly id: string;
  readonly userId: string;
  readonly loanType: string;
  readonly dueDate: string | null;
  readonly createdAt: Date;
  readonly movements: readonly {
    readonly kind: string;
    readonly day: string;
    readonly principal: bigint;
    readonly interest: bigint;
  }[];
  /** The day that each is of, and the one on which it was booked. */
  readonly accruals: readonly { readonly day: string; readonly bookedOn: string; readonly amount: bigint }[];
}

/** A user, and who made it when. */
interface UserRow {
  readonly id: string;
  readonly creatorId: string;
  readonly status: string;
  readonly createdAt: Date;
}

/** Every raw row of an entity: no roll-up, no running figure. */
export interface RawRows {
  readonly entityId: string;
  readonly payments: readonly PaymentRow[];
  /** Of the entity's own accounts and of its users'. */
  readonly entries: readonly EntryRow[];
  readonly credits: readonly CreditRows[];
  readonly users: readonly UserRow[];
  /** Days on which the users' quota moved. */
  readonly movedOn: ReadonlyMap<string, ReadonlySet<string>>;
}

async function readCredits(sql: Sql, entityId: string): Promise<CreditRows[]> {
  const credits = await sql<Omit<CreditRows, "movements" | "accruals">[]>`
    select id, user_id as "userId", loan_type as "loanType", due_date::text as "dueDate", created_at as "createdAt"
    from service.credits where entity_id = ${entityId}`;
  const ids = credits.map(({ id }) => id);
  const [movements, accruals] = await Promise.all([
    sql<(CreditRows["movements"][number] & { creditId: string })[]>`
      select credit_id as "creditId", kind, day::text, principal, interest
      from service.credit_movements where credit_id = any(${ids})`,
    sql<(CreditRows["accruals"][number] & { creditId: string })[]>`
      select a.credit_id as "creditId", a.day::text, p.business_day::text as "bookedOn", a.amount
      from service.credit_accruals a join service.postings p on p.id = a.posting_id where credit_id = any(${ids})`,
  ]);
  return credits.map((credit) => ({
    ...credit,
    movements: movements.filter(({ creditId }) => creditId === credit.id),
    accruals: accruals.filter(({ creditId }) => creditId === credit.id),
  }));
}

/** Reads all raw rows of an entity, given every user of its history. */
export async function readRawRows(sql: Sql, entityId: string, userIds: readonly string[]): Promise<RawRows> {
  const [payments, entries, credits, users] = await Promise.all([
    sql<PaymentRow[]>`
      select kind, status, reason, amount, created_at as "createdAt" from service.transactions
      where from_user_id = any(${[...userIds]}) and made_by = ${entityId}`,
    sql<(EntryRow & { entityId: string })[]>`
      select e.account_id as "accountId", a.kind, a.counterparty_id as "counterpartyId", a.entity_id as "entityId",
        e.amount, p.business_day::text as day
      from service.accounts a join service.entries e on e.account_id = a.id
      join service.postings p on p.id = e.posting_id
      where a.id = any(${[...userIds]}) or (a.entity_id = ${entityId} and a.kind <> 'user_quota')`,
    readCredits(sql, entityId),
    sql<UserRow[]>`select id, creator_id as "creatorId", status, created_at as "createdAt"
      from service.users where id = any(${[...userIds]})`,
  ]);
  const moved = Map.groupBy(
    entries.filter(({ kind }) => kind === "user_quota"),
    ({ accountId }) => accountId,
  );
  const movedOn = new Map([...moved].map(([id, own]) => [id, new Set(own.map(({ day }) => day))]));
  return {
    entityId,
    payments,
    entries: entries.filter((entry) => entry.entityId === entityId),
    credits,
    users,
    movedOn,
  };
}
