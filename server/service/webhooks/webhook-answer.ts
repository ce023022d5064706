import type { EventType, Webhook } from "../../../src/contract/service/webhooks.ts";
import type { Sql, Tx } from "../../database/connect.ts";

/** A webhook as the database has it, its secrets sealed. */
export interface WebhookRecord {
  readonly id: string;
  readonly name: string;
  readonly url: string;
  readonly eventTypes: readonly string[];
  readonly sealedSecrets: readonly Uint8Array[];
  readonly previousSecretUntil: Date | null;
  readonly createdAt: Date;
  readonly disabledAt: Date | null;
  readonly disabledReason: "requested" | "gone" | null;
}

/** Builds the SQL of the columns of a webhook, named as {@link WebhookRecord} names them. */
export function webhookColumns(sql: Sql | Tx) {
  return sql`
    id, name, url, event_types as "eventTypes", sealed_secrets as "sealedSecrets",
    previous_secret_until as "previousSecretUntil", created_at as "createdAt", disabled_at as "disabledAt",
    disabled_reason as "disabledReason"`;
}

/** Builds the answer of a webhook, without its secrets. */
export function webhookAnswer(record: WebhookRecord, now: Date): Webhook {
  const { name, url, createdAt, disabledAt, disabledReason, previousSecretUntil } = record;
  return {
    name,
    url,
    event_types: record.eventTypes as EventType[],
    enabled: disabledAt === null,
    created_at: createdAt.toISOString(),
    ...(disabledAt === null ? {} : { disabled_at: disabledAt.toISOString() }),
    ...(disabledReason === null ? {} : { disabled_reason: disabledReason }),
    ...(previousSecretUntil !== null && previousSecretUntil > now
      ? { previous_secret_until: previousSecretUntil.toISOString() }
      : {}),
  };
}
