import { formatScopes, ORDINARY_SCOPES, parseScopes, type Scope } from "../../../src/contract/shared/scopes.ts";
import { TokenRefusal } from "./token-answer.ts";

/**
 * The scopes of a token (RFC 6749 §3.3): those asked for, all of which the client must have; where none is named, all
 * of the client's but administration. Throws {@link TokenRefusal}.
 */
export function grantedScopes(asked: string | undefined, ofClient: readonly Scope[]): readonly Scope[] {
  const named = parseScopes(asked ?? "");
  if (named === undefined || !named.every((scope) => ofClient.includes(scope))) {
    throw invalidScope(`The client has the scopes ${formatScopes(ofClient)}: ask for some of these.`);
  }
  const granted = named.length > 0 ? named : ofClient.filter((scope) => ORDINARY_SCOPES.includes(scope));
  if (granted.length > 0) return granted;
  throw invalidScope(`Name the scope: the client has ${formatScopes(ofClient)} alone, which no token has unasked.`);
}

function invalidScope(description: string): TokenRefusal {
  return new TokenRefusal("invalid_scope", description);
}
