import type { Sql, Tx } from "../../../database/connect.ts";
import type { BrokerContext } from "../../access/broker-context.ts";
import { newDeviceLimit } from "../../access/entity-rules.ts";

/**
 * The most that a person may pay while the first device is new, with the remainder and the end of it; in minor units.
 */
export interface NewDeviceLimit {
  readonly amount: bigint;
  readonly left: bigint;
  readonly until: Date;
}

interface Row {
  readonly set: bigint | null;
  readonly until: Date;
  readonly spent: bigint;
}

/**
 * Reads the limit that holds for a person while the first device is new, with any device: one that it invites is no
 * older. Undefined once it is no longer new. Payments that are under way count.
 */
export async function readNewDeviceLimit(
  { clock, currency }: Pick<BrokerContext, "clock" | "currency">,
  sql: Sql | Tx,
  userId: string,
): Promise<NewDeviceLimit | undefined> {
  const [row] = await sql<Row[]>`
    select r.new_device_limit as set, p.first_device_at + r.new_device_hours * interval '1 hour' as until,
      (select coalesce(sum(a.amount), 0)::bigint from broker.approvals a
        where a.user_id = ${userId} and a.started_at >= p.first_device_at and a.state in ('running', 'approved')
          and a.operation <> 'refund') as spent
    from broker.entity_rules r, broker.people p
    where p.user_id = ${userId} and p.first_device_at + r.new_device_hours * interval '1 hour' > ${clock()}`;
  if (row === undefined) return undefined;
  const amount = newDeviceLimit(row.set, currency.digits);
  return { amount, left: amount > row.spent ? amount - row.spent : 0n, until: row.until };
}
