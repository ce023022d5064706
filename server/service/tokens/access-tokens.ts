import { errors, type JWTPayload, jwtVerify, SignJWT } from "jose";
import { ApiError } from "../../../src/contract/shared/errors.ts";
import { formatScopes, ORDINARY_SCOPES, SCOPES, type Scope } from "../../../src/contract/shared/scopes.ts";
import type { EndedCredentials } from "../api-clients/ended-credentials.ts";
import { TOKEN_LIFETIME_SECONDS } from "../keys/signing-key.ts";
import type { SigningKeys } from "../keys/signing-keys.ts";
import type { ApiCaller } from "../shared/service-context.ts";

/** An access token, for how long it is good, and for what. */
export interface IssuedToken {
  readonly accessToken: string;
  readonly expiresInSeconds: number;
  readonly scopes: readonly Scope[];
}

/** Makes and checks access tokens. */
export interface AccessTokens {
  /** A token with the caller's scopes. One that carries administration is short-lived. */
  issueAccessToken(caller: ApiCaller): Promise<IssuedToken>;
  /** Returns a token's caller. Throws `unauthorized` for anything but a token of ours that is valid now. */
  verifyAccessToken(token: string): Promise<ApiCaller>;
}

/** Options of checking access tokens. Issuer and audience are addresses that every process must have in common. */
export interface TokenCheckOptions {
  readonly signingKeys: Pick<SigningKeys, "tokenKey">;
  readonly endedCredentials: EndedCredentials;
  /** The `auth_url`. */
  readonly issuer: string;
  /** The `base_url`. */
  readonly audience: string;
  readonly clock: () => Date;
  /** Checked tokens remembered at most; past it the one unused for longest is checked anew. */
  readonly maxRemembered?: number;
}

/** Options of access tokens. */
export interface AccessTokensOptions extends TokenCheckOptions {
  readonly signingKeys: SigningKeys;
  readonly randomBytes: (length: number) => Uint8Array;
}

const ALGORITHM = "EdDSA";
const TYPE = "at+jwt";
const ENTITY_CLAIM = "entity_id";
const SECRET_CLAIM = "secret_id";
/** A token that may give access to others is short-lived, so that a leaked one is soon worthless. */
const ADMINISTRATION_LIFETIME_SECONDS = 300;
const TOKEN_ID_BYTES = 16;
/** Ours have some 500 characters; longer text is refused unread. */
const MAX_TOKEN_LENGTH = 2048;

interface Remembered {
  readonly caller: ApiCaller;
  readonly kid: string;
  readonly expiresAtMs: number;
}

/**
 * Makes the issuer and checker of access tokens: JWTs by RFC 9068, signed with Ed25519. A token is checked once and
 * then remembered; no check reads the database, but the lists of keys and ended credentials are kept fresh by use.
 */
export function createAccessTokens(options: AccessTokensOptions): AccessTokens {
  return {
    issueAccessToken: (caller) => issue(caller, options),
    verifyAccessToken: createTokenCheck(options),
  };
}

/** Makes the check of access tokens alone, which needs public keys only. */
export function createTokenCheck(options: TokenCheckOptions): AccessTokens["verifyAccessToken"] {
  const { signingKeys, endedCredentials, clock, maxRemembered = 10_000 } = options;
  const remembered = new Map<string, Remembered>();

  function remember(token: string, entry: Remembered): void {
    remembered.delete(token);
    remembered.set(token, entry);
    if (remembered.size <= maxRemembered) return;
    const [oldest] = remembered.keys();
    if (oldest !== undefined) remembered.delete(oldest);
  }

  /** A remembered token is good until it expires, or its key is revoked. */
  async function recall(token: string): Promise<Remembered | undefined> {
    const entry = remembered.get(token);
    if (entry === undefined) return undefined;
    if (clock().getTime() < entry.expiresAtMs && (await signingKeys.tokenKey(entry.kid)) !== undefined) return entry;
    remembered.delete(token);
    throw refused("The access token has expired: get a new one.");
  }

  return async (token) => {
    if (token.length > MAX_TOKEN_LENGTH) throw refused();
    const entry = (await recall(token)) ?? (await check(token, options));
    remember(token, entry);
    const refusal = await endedCredentials.refusalOf(entry.caller);
    if (refusal === undefined) return entry.caller;
    throw refused(refusal);
  };
}

async function issue(
  { clientId, entityId, scopes, secretId }: ApiCaller,
  { signingKeys, issuer, audience, clock, randomBytes }: AccessTokensOptions,
): Promise<IssuedToken> {
  const shortLived = scopes.includes("administration");
  const expiresInSeconds = shortLived ? ADMINISTRATION_LIFETIME_SECONDS : TOKEN_LIFETIME_SECONDS;
  const claims = { client_id: clientId, [ENTITY_CLAIM]: entityId, [SECRET_CLAIM]: secretId };
  const { kid, privateKey } = await signingKeys.tokenSigner();
  const issuedAt = Math.floor(clock().getTime() / 1000);
  const accessToken = await new SignJWT({ ...claims, scope: formatScopes(scopes) })
    .setProtectedHeader({ alg: ALGORITHM, typ: TYPE, kid })
    .setIssuer(issuer)
    .setSubject(clientId)
    .setAudience(audience)
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + expiresInSeconds)
    .setJti(Buffer.from(randomBytes(TOKEN_ID_BYTES)).toString("base64url"))
    .sign(privateKey);
  return { accessToken, expiresInSeconds, scopes };
}

async function check(token: string, { signingKeys, issuer, audience, clock }: TokenCheckOptions): Promise<Remembered> {
  let kid = "";
  try {
    const { payload } = await jwtVerify(
      token,
      async (header) => {
        kid = header.kid ?? "";
        const key = await signingKeys.tokenKey(kid);
        if (key === undefined) throw refused();
        return key;
      },
      { algorithms: [ALGORITHM], typ: TYPE, issuer, audience, currentDate: clock(), requiredClaims: ["exp", "sub"] },
    );
    return rememberedOf(payload, kid);
  } catch (cause) {
    if (cause instanceof errors.JWTExpired) throw refused("The access token has expired: get a new one.", cause);
    if (cause instanceof errors.JOSEError) throw refused(undefined, cause);
    throw cause;
  }
}

function rememberedOf(claims: JWTPayload, kid: string): Remembered {
  const { client_id: clientId, [ENTITY_CLAIM]: entityId, [SECRET_CLAIM]: secretId, scope, exp } = claims;
  if (typeof clientId !== "string" || typeof entityId !== "string" || exp === undefined) throw refused();
  if (secretId !== undefined && typeof secretId !== "string") throw refused();
  return { caller: { clientId, entityId, scopes: scopesOf(scope), secretId }, kid, expiresAtMs: exp * 1000 };
}

/** A token of an earlier version names no scopes: it is valid for the rest of its hour, without administration. */
function scopesOf(claim: unknown): readonly Scope[] {
  if (claim === undefined) return ORDINARY_SCOPES;
  if (typeof claim !== "string") throw refused();
  const names = claim.split(" ");
  return SCOPES.filter((scope) => names.includes(scope));
}

function refused(detail = "The access token is not valid here: get one from the token endpoint.", cause?: unknown) {
  return new ApiError("unauthorized", { detail, cause });
}
