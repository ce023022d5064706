import { errors, type JWTPayload, jwtVerify, SignJWT } from "jose";
import { ApiError } from "../../../src/contract/errors.ts";
import type { DisabledApiClients } from "../api-clients/disabled-api-clients.ts";
import { TOKEN_LIFETIME_SECONDS } from "../keys/signing-key.ts";
import type { SigningKeys } from "../keys/signing-keys.ts";
import type { ApiCaller } from "../service-context.ts";

/** An access token, and for how long it is good. */
interface IssuedToken {
  readonly accessToken: string;
  readonly expiresInSeconds: number;
}

/** Makes and checks access tokens. */
export interface AccessTokens {
  issueAccessToken(caller: ApiCaller): Promise<IssuedToken>;
  /** Who a token stands for. Throws `unauthorized` for anything but a token of ours that is good now. */
  verifyAccessToken(token: string): Promise<ApiCaller>;
}

/** What access tokens are made of. Issuer and audience are addresses that every process must have in common. */
export interface AccessTokensOptions {
  readonly signingKeys: SigningKeys;
  readonly disabledApiClients: DisabledApiClients;
  /** The `auth_url`. */
  readonly issuer: string;
  /** The `base_url`. */
  readonly audience: string;
  readonly clock: () => Date;
  readonly randomBytes: (length: number) => Uint8Array;
  readonly lifetimeSeconds?: number;
  /** Checked tokens remembered at most; past it the one unused for longest is checked anew. */
  readonly maxRemembered?: number;
}

const ALGORITHM = "EdDSA";
const TYPE = "at+jwt";
const ENTITY_CLAIM = "entity_id";
const TOKEN_ID_BYTES = 16;
/** Ours have some 500 characters; a longer text is not worth looking at. */
const MAX_TOKEN_LENGTH = 2048;

interface Remembered {
  readonly caller: ApiCaller;
  readonly kid: string;
  readonly expiresAtMs: number;
}

/**
 * Makes the issuer and checker of access tokens: JWTs by RFC 9068, signed with Ed25519. A token is checked once and
 * then remembered; no check reads the database, but the lists of keys and disabled clients are kept fresh by use.
 */
export function createAccessTokens(options: AccessTokensOptions): AccessTokens {
  const { signingKeys, disabledApiClients, clock, lifetimeSeconds = TOKEN_LIFETIME_SECONDS } = options;
  const { maxRemembered = 10_000 } = options;
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

  return {
    issueAccessToken: (caller) => issue(caller, options, lifetimeSeconds),
    async verifyAccessToken(token) {
      if (token.length > MAX_TOKEN_LENGTH) throw refused();
      const entry = (await recall(token)) ?? (await check(token, options));
      remember(token, entry);
      if (!(await disabledApiClients.has(entry.caller.clientId))) return entry.caller;
      throw refused("The API client is disabled.");
    },
  };
}

async function issue(
  { clientId, entityId }: ApiCaller,
  { signingKeys, issuer, audience, clock, randomBytes }: AccessTokensOptions,
  lifetimeSeconds: number,
): Promise<IssuedToken> {
  const { kid, privateKey } = await signingKeys.tokenSigner();
  const issuedAt = Math.floor(clock().getTime() / 1000);
  const accessToken = await new SignJWT({ client_id: clientId, [ENTITY_CLAIM]: entityId })
    .setProtectedHeader({ alg: ALGORITHM, typ: TYPE, kid })
    .setIssuer(issuer)
    .setSubject(clientId)
    .setAudience(audience)
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + lifetimeSeconds)
    .setJti(Buffer.from(randomBytes(TOKEN_ID_BYTES)).toString("base64url"))
    .sign(privateKey);
  return { accessToken, expiresInSeconds: lifetimeSeconds };
}

async function check(
  token: string,
  { signingKeys, issuer, audience, clock }: AccessTokensOptions,
): Promise<Remembered> {
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

function rememberedOf({ client_id, [ENTITY_CLAIM]: entityId, exp }: JWTPayload, kid: string): Remembered {
  if (typeof client_id !== "string" || typeof entityId !== "string" || exp === undefined) throw refused();
  return { caller: { clientId: client_id, entityId }, kid, expiresAtMs: exp * 1000 };
}

function refused(detail = "The access token is not valid here: get one from the token endpoint.", cause?: unknown) {
  return new ApiError("unauthorized", { detail, cause });
}
