import { ApiError } from "./errors.ts";
import type { Scope } from "./scopes.ts";

/** Throws `insufficient_scope` if a token lacks the scope (RFC 6750 §3.1); the error names the scope that is needed. */
export function requireScope(scope: Scope, granted: readonly Scope[]): void {
  if (granted.includes(scope)) return;
  const detail = `The access token lacks the scope ${scope}: ask the token endpoint for one with scope=${scope}.`;
  throw new ApiError("insufficient_scope", { detail, scope });
}
