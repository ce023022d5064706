import type { Fault } from "../../../src/contract/shared/errors.ts";
import { formatScopes, type Scope } from "../../../src/contract/shared/scopes.ts";
import type { Refusal } from "../../ledger/model/command.ts";
import type { ApiClientRecord } from "./read-api-clients.ts";

/**
 * Returns the refusal to give an API client scopes that the caller's own client lacks, so that no client makes another
 * that may do more; undefined where it lacks none of them.
 */
export function scopesBeyond(caller: ApiClientRecord, given: readonly Scope[]): Refusal | undefined {
  const faults = given.flatMap((scope, index): Fault[] =>
    caller.scopes.includes(scope) ? [] : [{ pointer: `/scopes/${index}`, detail: "is no scope of your own client" }],
  );
  if (faults.length === 0) return undefined;
  const detail = `Your own client has the scopes ${formatScopes(caller.scopes)}, and gives no others.`;
  return { code: "scope_not_yours", detail, faults };
}
