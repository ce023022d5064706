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

/** The paths of the public documents. */
export const WELL_KNOWN_PATHS = Object.freeze([
  "/.well-known/oauth-authorization-server",
  "/.well-known/jwks.json",
  "/.well-known/cupo-qr-keys.json",
  installation.path,
] as const);

/** The public documents by their path, each made anew each time, because keys rotate. */
export type WellKnown = Readonly<Record<(typeof WELL_KNOWN_PATHS)[number], () => Promise<object>>>;

/**
 * Makes the documents of authorization server metadata (RFC 8414), token keys (RFC 7517), payment QR keys, and of the
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
    "/.well-known/oauth-authorization-server": async () => metadata,
    "/.well-known/jwks.json": async () => ({ keys: await signingKeys.tokenJwks() }),
    "/.well-known/cupo-qr-keys.json": async () => await signingKeys.qrKeys(qrGuid),
    [installation.path]: async () => options.installation,
  };
}
