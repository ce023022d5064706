import type { Sql, Tx } from "../../database/connect.ts";

/** The number of a merchant's events that await delivery to its webhook, and the latest error of an undelivered one. */
export interface WebhookState {
  /** Events that wait to be delivered. */
  readonly waiting: number;
  /** The error of the latest attempt that failed, while its event is not delivered: such as `refused (500)`. */
  readonly failure: string | null;
}

interface StateRow {
  readonly id: string;
  readonly waiting: number;
  readonly error: string | null;
  readonly status: number | null;
}

/** Reads the delivery states of these merchants' webhooks, as a map keyed by merchant id. */
export async function readWebhookStates(
  sql: Sql | Tx,
  merchantIds: readonly string[],
): Promise<ReadonlyMap<string, WebhookState>> {
  const rows = await sql<StateRow[]>`
    select m.id, w.waiting, f.last_error as error, f.last_status as status
    from unnest(${[...merchantIds]}::uuid[]) m(id)
    cross join lateral (
      select count(*)::int as waiting from broker.merchant_events
      where merchant_id = m.id and state = 'waiting') w
    left join lateral (
      select last_error, last_status from broker.merchant_events
      where merchant_id = m.id and state <> 'delivered' and last_error is not null
      order by last_attempt_at desc limit 1) f on true`;
  const failureOf = ({ error, status }: StateRow) => (status === null ? error : `${error} (${status})`);
  return new Map(rows.map((row) => [row.id, { waiting: row.waiting, failure: failureOf(row) }]));
}
