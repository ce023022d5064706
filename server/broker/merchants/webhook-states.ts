import type { Sql, Tx } from "../../database/connect.ts";

/** How the webhook of a merchant fares. */
export interface WebhookState {
  /** Events that wait to be delivered. */
  readonly waiting: number;
  /** What came of the latest attempt that failed. */
  readonly failure: string | null;
}

/** How the webhooks of these merchants fare, by their ids; of one that was never told anything there is no state. */
export async function readWebhookStates(
  _sql: Sql | Tx,
  _merchantIds: readonly string[],
): Promise<ReadonlyMap<string, WebhookState>> {
  return new Map();
}
