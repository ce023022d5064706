import { type InstallationAnswer, installation } from "../../src/contract/shared/installation.ts";
import { SCOPES } from "../../src/contract/shared/scopes.ts";
import type { SigningKeys } from "./keys/signing-keys.ts";

/**
 * The contents of the documents of {@link createWellKnown}: signing keys, issuer, scheme GUID of our QRs, and
 * installation.
 */
export interface WellKnownOptions {
  readonly signingKeys: SigningKeys;
  /** The `auth_url`, without a slash at its end. */
  readonly issuer: string;
  readonly qrGuid: string;
  readonly installation: InstallationAnswer;
}

/** Answers one document; asked anew each time, because keys rotate. */
type WellKnownHandler = () => Promise<Response>;

/** The handlers that answer the public documents, by the path of the document. */
export type WellKnown = Readonly<
  Record<
    | "/.well-known/oauth-authorization-server"
    | "/.well-known/jwks.json"
    | "/.well-known/cupo-qr-keys.json"
    | typeof installation.path,
    WellKnownHandler
  >
>;

/**
 * Makes the handlers of authorization server metadata (RFC 8414), token keys (RFC 7517), payment QR keys, and of the
 * currency and time zone.
 */
export function createWellKnown(options: WellKnownOptions): WellKnown {
  const { signingKeys, issuer, qrGuid } = options;
  const metadata = {
    issuer,
    token_endpoint: `${issuer}/oauth2/token`,
    jwks_uri: `${issuer}/.well-known/jwks.json`,
    scopes_supported: SCOPES,
    grant_types_supported: ["client_credentials"],
    token_endpoint_auth_methods_supported: ["client_secret_basic", "client_secret_post"],
    // Required by RFC 8414 §2; there is no authorization endpoint.
    response_types_supported: [],
  };
  return {
    "/.well-known/oauth-authorization-server": async () => document(metadata),
    "/.well-known/jwks.json": async () => document({ keys: await signingKeys.tokenJwks() }),
    "/.well-known/cupo-qr-keys.json": async () => document(await signingKeys.qrKeys(qrGuid)),
    [installation.path]: async () => document(options.installation),
  };
}

function document(content: unknown): Response {
  return Response.json(content, { headers: { "Cache-Control": "no-store" } });
}
