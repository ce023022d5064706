import type { StatementEntry } from "../../../src/contract/service/books.ts";
import type { SqlPart, Tx } from "../../database/connect.ts";

/** An entry of a user's account with its posting, and the payment or transfer that it settled. */
export interface StatementRow {
  readonly number: bigint;
  readonly postingId: string;
  readonly day: string;
  readonly kind: StatementEntry["kind"];
  readonly reference: string;
  readonly amount: bigint;
  readonly balanceAfter: bigint;
  readonly createdAt: Date;
  /** Of a discharge: the part that went out in cash. */
  readonly paidOut: bigint | null;
  readonly transactionId: string | null;
  readonly transactionKind: NonNullable<StatementEntry["transaction_kind"]> | null;
  readonly reverses: string | null;
  readonly counterpartyId: string | null;
  readonly counterparty: string | null;
  readonly counterpartyBusiness: string | null;
  readonly details: string | null;
  readonly qrDetails: string | null;
}

/**
 * Reads the entries of a user's account with these sequence numbers, in any order. Payments and transfers are found by
 * the reference that their posting repeats, and never changed since; cash that was paid out by the entries of the
 * creator's own accounts.
 */
export async function selectStatementEntries(
  tx: Tx,
  { userId, creatorId }: { readonly userId: string; readonly creatorId: string },
  numbers: readonly bigint[],
): Promise<readonly StatementRow[]> {
  const payerId = tx`coalesce(t.from_user_id, r.from_user_id)`;
  const payeeId = tx`coalesce(t.to_user_id, r.to_user_id)`;
  const other = (to: SqlPart, from: SqlPart) => tx`case when ${payerId} = ${userId} then ${to} else ${from} end`;
  return tx<StatementRow[]>`
    select e.sequence_number as number, p.id as "postingId", p.business_day::text as day, p.kind, p.reference, e.amount,
      e.balance_after as "balanceAfter", p.created_at as "createdAt",
      case when p.kind = 'discharge' then (
        select coalesce(sum(c.amount), 0)::bigint from service.entity_entries n
        join service.entries c on c.account_id = n.account_id and c.sequence_number = n.sequence_number
        where n.entity_id = ${creatorId} and n.kind = 'cash_clearing' and n.posting_id = p.id) end as "paidOut",
      coalesce(t.id, r.id) as "transactionId", t.kind as "transactionKind", t.reverses,
      ${other(payeeId, payerId)} as "counterpartyId",
      ${other(tx`t.to_user`, tx`t.from_user`)} as counterparty,
      ${other(tx`t.to_business_name`, tx`t.from_business_name`)} as "counterpartyBusiness",
      coalesce(t.details, r.details) as details, t.qr_details as "qrDetails"
    from unnest(${numbers as bigint[]}::bigint[]) as asked (number)
    join service.entries e on e.account_id = ${userId} and e.sequence_number = asked.number
    join service.postings p on p.id = e.posting_id
    left join service.transactions t on p.kind = 'transaction' and t.reference = p.reference and t.posting_id = p.id
    left join service.transfers r on p.kind = 'transfer' and r.reference = p.reference and r.posting_id = p.id`;
}
