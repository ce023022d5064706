import * as v from "valibot";
import { operation } from "../shared/operation.ts";

/** The token endpoint's answer (RFC 6749 §5.1). */
export const TokenAnswer = v.object({
  access_token: v.string(),
  token_type: v.literal("Bearer"),
  expires_in: v.number(),
  scope: v.optional(v.string()),
});

/** The token endpoint's error (RFC 6749 §5.2), which is no problem document. */
export const TokenError = v.object({
  error: v.picklist([
    "invalid_request",
    "invalid_client",
    "unsupported_grant_type",
    "invalid_scope",
    "temporarily_unavailable",
  ]),
  error_description: v.optional(v.string()),
});
export type TokenError = v.InferOutput<typeof TokenError>;

export const token = operation({
  name: "token",
  method: "POST",
  path: "/oauth2/token",
  tag: "Authentication",
  summary: "Get an access token by client credentials",
  description:
    "JSON with both fields, or the standard form: `grant_type=client_credentials` with the credentials in the body " +
    "or by HTTP Basic. " +
    "`scope` lists what the token is to be good for, separated by spaces (RFC 6749 §3.3); a scope that the client " +
    "does not have is `invalid_scope`. Without it the token carries all of its client's scopes but `administration`, " +
    "which is asked for by name: such a token is good for five minutes. The answer says which scopes it has. " +
    "Errors have the shape of RFC 6749 §5.2.",
  access: "none",
  body: v.object({
    client_id: v.string(),
    client_secret: v.string(),
    grant_type: v.optional(v.string()),
    scope: v.optional(v.string()),
  }),
  answer: TokenAnswer,
  status: 200,
  writes: false,
  errors: [],
});
