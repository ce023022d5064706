import type { Sql } from "../../database/connect.ts";
import { verifyApiClientSecret } from "../api-clients/api-clients.ts";
import type { AccessTokens } from "./access-tokens.ts";
import { grantedScopes } from "./granted-scopes.ts";
import { type ParsedTokenRequest, readTokenRequest } from "./read-token-request.ts";
import { type AttemptLimits, countSecretAttempts } from "./secret-attempts.ts";
import { grantAnswer, refusalAnswer, type TokenEndpointAnswer, TokenRefusal } from "./token-answer.ts";

/** A request for a token, and the key under which its address is limited. */
interface AddressedTokenRequest extends ParsedTokenRequest {
  readonly address: string;
}

/** The token endpoint without its HTTP: `server/http` reads the request and sends the answer. */
export interface TokenEndpoint {
  /** Grants a token or refuses one (RFC 6749 §4.4, §5); throws only what is no fault of the caller's. */
  grantToken(request: AddressedTokenRequest): Promise<TokenEndpointAnswer>;
}

/** The dependencies of the token endpoint. */
export interface TokenEndpointOptions {
  readonly sql: Sql;
  readonly accessTokens: AccessTokens;
  readonly limits: AttemptLimits;
}

/** Makes the token endpoint: `POST {auth_url}/oauth2/token`, client credentials only. */
export function createTokenEndpoint({ sql, accessTokens, limits }: TokenEndpointOptions): TokenEndpoint {
  const attempts = countSecretAttempts(limits);

  async function grant({ address, ...request }: AddressedTokenRequest): Promise<TokenEndpointAnswer> {
    const { credentials, scope } = readTokenRequest(request);
    const verify = () => verifyApiClientSecret(sql, credentials);
    const caller = await attempts.attempt(credentials.clientId, address, verify);
    if (caller === undefined) throw new TokenRefusal("invalid_client", "The client id or the client secret is wrong.");
    return grantAnswer(await accessTokens.issueAccessToken({ ...caller, scopes: grantedScopes(scope, caller.scopes) }));
  }

  return {
    async grantToken(request) {
      try {
        return await grant(request);
      } catch (error) {
        if (error instanceof TokenRefusal) return refusalAnswer(error);
        throw error;
      }
    },
  };
}
