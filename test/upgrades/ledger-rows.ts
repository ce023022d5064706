import type { Sql } from "../../server/database/connect.ts";

/** The rows that every figure follows from, in the order of recording; entries by account. */
export interface LedgerRows {
  readonly entries: readonly {
    readonly accountId: string;
    readonly sequenceNumber: bigint;
    readonly postingId: string;
    readonly amount: bigint;
    readonly kind: string;
    readonly entityId: string;
    readonly counterpartyId: string | null;
    readonly day: string;
  }[];
  readonly transactions: readonly {
    readonly id: string;
    readonly kind: string;
    readonly status: string;
    readonly reason: string | null;
    readonly amount: bigint;
    readonly fromUserId: string;
    readonly fromCreatorId: string;
    readonly toUserId: string;
    readonly toCreatorId: string;
    readonly madeBy: string;
    readonly createdAt: Date;
    /** The business day of its posting; a rejected one has none. */
    readonly postedOn: string | null;
    readonly statusCount: bigint;
    readonly heldAmount: bigint | null;
    readonly reverses: string | null;
    /** When it took on its latest status. */
    readonly changedAt: Date;
  }[];
  readonly credits: readonly {
    readonly id: string;
    readonly entityId: string;
    readonly loanType: string;
    readonly principal: bigint;
    readonly openedOn: string;
    readonly postingId: string;
    readonly postingReference: string;
    readonly bookedOn: string;
  }[];
}

/** Reads the whole ledger of a small database, so that a test works its figures out anew. */
export async function readLedgerRows(sql: Sql): Promise<LedgerRows> {
  const [entries, transactions, credits] = await Promise.all([
    sql<LedgerRows["entries"][number][]>`
      select e.account_id as "accountId", e.sequence_number as "sequenceNumber", e.posting_id as "postingId", e.amount,
        a.kind, a.entity_id as "entityId", a.counterparty_id as "counterpartyId", p.business_day::text as day
      from service.entries e join service.accounts a on a.id = e.account_id
      join service.postings p on p.id = e.posting_id order by e.account_id, e.sequence_number`,
    sql<LedgerRows["transactions"][number][]>`
      select t.id, t.kind, t.status, t.reason, t.amount, t.from_user_id as "fromUserId",
        t.from_creator_id as "fromCreatorId", t.to_user_id as "toUserId", t.to_creator_id as "toCreatorId",
        t.made_by as "madeBy", t.created_at as "createdAt", p.business_day::text as "postedOn",
        t.held_amount as "heldAmount", t.reverses,
        (select max(s.created_at) from service.transaction_statuses s where s.transaction_id = t.id) as "changedAt",
        (select count(*) from service.transaction_statuses s where s.transaction_id = t.id) as "statusCount"
      from service.transactions t left join service.postings p on p.id = t.posting_id order by t.id`,
    sql<LedgerRows["credits"][number][]>`
      select c.id, c.entity_id as "entityId", c.loan_type as "loanType", c.principal, c.opened_on::text as "openedOn",
        c.posting_id as "postingId", p.reference as "postingReference", p.business_day::text as "bookedOn"
      from service.credits c join service.postings p on p.id = c.posting_id order by c.id`,
  ]);
  return { entries, transactions, credits };
}
