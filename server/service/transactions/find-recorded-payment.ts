import type { RecordedPayment } from "../../ledger/model/payment-commands.ts";
import type { ServiceContext } from "../shared/service-context.ts";
import { visibleTo } from "./transaction-answer.ts";

interface RecordedRow {
  readonly id: string;
  readonly from_user_id: string;
  readonly to_user_id: string;
  readonly qr_reference: string | null;
}

function recordedPayment(row: RecordedRow): RecordedPayment {
  return {
    transactionId: row.id,
    fromUserId: row.from_user_id,
    toUserId: row.to_user_id,
    qrReference: row.qr_reference ?? undefined,
  };
}

/** Finds a payment that an entity may see, with the keys of the rows that a change of it locks. */
export async function findRecordedPayment(
  { sql }: Pick<ServiceContext, "sql">,
  { id, viewerId }: { readonly id: string; readonly viewerId: string },
): Promise<RecordedPayment | undefined> {
  const [row] = await sql<RecordedRow[]>`
    select t.id, t.from_user_id, t.to_user_id, q.reference as qr_reference
    from (select * from service.transactions where id = ${id} and ${visibleTo(sql, viewerId)}) t
    left join service.qr_reservations q on q.reference = t.reference`;
  return row && recordedPayment(row);
}

/** An expired hold, and the entity that made it. */
export interface ExpiredHold extends RecordedPayment {
  readonly madeBy: string;
}

/** Finds expired holds, the earliest expiry first, at most `limit`. */
export async function findExpiredHolds(
  { sql }: Pick<ServiceContext, "sql">,
  now: Date,
  limit: number,
): Promise<ExpiredHold[]> {
  const rows = await sql<(RecordedRow & { readonly made_by: string })[]>`
    select t.id, t.from_user_id, t.to_user_id, t.made_by, q.reference as qr_reference
    from (select * from service.transactions where status = 'pending' and hold_expires_at <= ${now}
      order by hold_expires_at limit ${limit}) t
    left join service.qr_reservations q on q.reference = t.reference`;
  return rows.map((row) => ({ ...recordedPayment(row), madeBy: row.made_by }));
}
