import { ApiError } from "./errors.ts";
import type { Scope } from "./scopes.ts";

/** Refuses a token that does not have a scope (RFC 6750 §3.1), and says which one it takes. */
export function requireScope(scope: Scope, granted: readonly Scope[]): void {
  if (granted.includes(scope)) return;
  const detail = `The access token lacks the scope ${scope}: ask the token endpoint for one with scope=${scope}.`;
  throw new ApiError("insufficient_scope", { detail, scope });
}
