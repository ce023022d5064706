import { ApiError } from "../../../src/contract/shared/errors.ts";
import type { ApiCaller } from "../shared/service-context.ts";

/** Throws `entity_not_yours` unless a report's `uid` is the caller's entity. */
export function requireOwnEntity(uid: string, { entityId }: ApiCaller): void {
  if (uid.toLowerCase() === entityId) return;
  throw new ApiError("entity_not_yours", { detail: "Send the id of your own entity as uid." });
}
