import type { Sql, Tx } from "../../database/connect.ts";
import type { Sealer } from "../../database/sealer.ts";
import { drawWebhookSecret } from "../../webhooks/draw-webhook-secret.ts";
import { hashToken } from "../access/opaque-token.ts";
import { keyIdOf } from "./key-id.ts";

/** The dependencies of making a merchant's webhook secret. */
export interface WebhookSecretCreation {
  readonly sealer: Sealer;
  readonly random: (length: number) => Uint8Array;
  readonly now: Date;
}

/** The name that a sealed secret is bound to: its merchant's id and its own. */
function nameOf(merchantId: string, id: string): string {
  return `${merchantId}/${id}`;
}

/** Makes a secret that signs a merchant's webhook messages, stores it sealed, and returns it. */
export async function addWebhookSecret(tx: Tx, merchantId: string, making: WebhookSecretCreation): Promise<string> {
  const { sealer, random, now } = making;
  const secret = drawWebhookSecret(random);
  const id = keyIdOf(hashToken(secret));
  const sealed = sealer.seal("merchant-webhook-secret", nameOf(merchantId, id), Buffer.from(secret, "utf8"));
  await tx`
    insert into broker.merchant_webhook_secrets
      ${tx({ merchant_id: merchantId, id, sealed_secret: sealed, created_at: now })}`;
  return secret;
}

/**
 * Reads the live webhook secrets of a merchant, oldest first: each message carries a signature by each. Throws
 * `SealError`.
 */
export async function openWebhookSecrets(
  sql: Sql | Tx,
  sealer: Sealer,
  merchantId: string,
): Promise<readonly string[]> {
  const rows = await sql<{ id: string; sealed_secret: Uint8Array }[]>`
    select id, sealed_secret from broker.merchant_webhook_secrets
    where merchant_id = ${merchantId} and revoked_at is null order by created_at, id`;
  return rows.map(({ id, sealed_secret: sealed }) =>
    Buffer.from(sealer.open("merchant-webhook-secret", nameOf(merchantId, id), sealed)).toString("utf8"),
  );
}
