import type { Sql } from "../../server/database/connect.ts";

/** Something that happened to a payment, its amount in minor units. */
export interface EventRow {
  readonly kind: string;
  readonly event: string;
  readonly reason: string | null;
  readonly amount: bigint;
  readonly at: Date;
  /** The booking day of its posting; null where it has none. */
  readonly bookedOn: string | null;
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
  readonly events: readonly EventRow[];
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

/** Reads what happened to the payments that an entity made of its users, from the payments and their statuses. */
function readEvents(sql: Sql, entityId: string, userIds: readonly string[]) {
  const own = sql`t.from_user_id = any(${[...userIds]}) and t.made_by = ${entityId}`;
  return sql<EventRow[]>`
    select t.kind, case when s.sequence_number = 1 then s.status when s.status = 'approved' then 'settled'
        else 'released' end as event,
      t.reason, case when s.status = 'pending' then t.held_amount else t.amount end as amount, s.created_at as at,
      case when s.status = 'approved' then p.business_day::text end as "bookedOn"
    from service.transactions t join service.transaction_statuses s on s.transaction_id = t.id
    left join service.postings p on p.id = t.posting_id where ${own} and s.status <> 'reversed'
    union all
    select t.kind, 'refunded', null, r.amount, r.created_at, p.business_day::text
    from service.transactions t join service.transactions r on r.reverses = t.id
    join service.postings p on p.id = r.posting_id where ${own}`;
}

/** Reads all raw rows of an entity, given every user of its history. */
export async function readRawRows(sql: Sql, entityId: string, userIds: readonly string[]): Promise<RawRows> {
  const [events, entries, credits, users] = await Promise.all([
    readEvents(sql, entityId, userIds),
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
    events,
    entries: entries.filter((entry) => entry.entityId === entityId),
    credits,
    users,
    movedOn,
  };
}
