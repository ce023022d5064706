import { ApiError } from "../../../src/contract/errors.ts";
import type { Tx } from "../../database/connect.ts";

/**
 * Refuses a caller that was disabled a moment ago, and keeps it from being disabled until the end of what it does: its
 * token may be good elsewhere for another minute, but must not leave behind what outlives it.
 */
export async function requireLiveApiClient(tx: Tx, clientId: string): Promise<void> {
  const live = await tx`
    select 1 from service.api_clients where id = ${clientId} and disabled_at is null for share`;
  if (live.length === 0) throw new ApiError("unauthorized", { detail: "The API client is disabled." });
}
