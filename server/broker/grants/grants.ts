import { ApiError } from "../../../src/contract/errors.ts";
import { isMerchantOrigin } from "../../../src/contract/merchant-origin.ts";
import { type BrokerContext, toInstant } from "../broker-context.ts";
import type { GatedHandler } from "../gate.ts";
import { createOpaqueToken, hashToken } from "../principals/opaque-token.ts";
import {
  findAskingMerchant,
  type GrantRow,
  insertGrant,
  liveGrants,
  renewCode,
  revokeOwnGrant,
} from "./grant-store.ts";

/** The code passes through the address of a page, which is kept and shown in many places: it is soon worth nothing. */
const CODE_LIFE_MS = 5 * 60_000;

function grantOf({ created_at, last_used_at, ...grant }: GrantRow) {
  const lastUsedAt = last_used_at === null ? null : toInstant(last_used_at);
  return { ...grant, created_at: toInstant(created_at), last_used_at: lastUsedAt };
}

/** The address to go back to, where it is a page of one of these origins; a link could name any other. */
function wayBack(returnTo: string | undefined, origins: readonly string[]): string | undefined {
  if (returnTo === undefined || !URL.canParse(returnTo)) return undefined;
  const { href, origin, username, password } = new URL(returnTo);
  // A `blob:` has the origin of the page that made it, and is no page of it.
  if (!isMerchantOrigin(origin) || !href.startsWith(`${origin}/`)) return undefined;
  return origins.includes(origin) && username === "" && password === "" ? href : undefined;
}

/** Tells a person who asks to see the quota. */
export function grantRequest({ sql }: BrokerContext): GatedHandler<"person", "grantRequest"> {
  return async ({ principal, query }) => {
    const merchant = await findAskingMerchant(sql, query.merchant);
    if (merchant === undefined) throw new ApiError("merchant_not_found");
    const [grant] = await liveGrants(sql, principal.userId, merchant.id);
    const returnTo = wayBack(query["return-to"], merchant.origins);
    return {
      body: {
        merchant_id: merchant.id,
        merchant: merchant.name,
        origins: [...merchant.origins],
        ...(returnTo === undefined ? {} : { return_to: returnTo }),
        grant: grant === undefined ? null : grantOf(grant),
      },
    };
  };
}

/** Lists who may show a person's quota. */
export function myGrants({ sql }: BrokerContext): GatedHandler<"person", "myGrants"> {
  return async ({ principal }) => ({ body: (await liveGrants(sql, principal.userId)).map(grantOf) });
}

/** Lets a merchant show the person's quota, or finds that it may already; either way with a new code. */
export function createGrant(broker: BrokerContext): GatedHandler<"person", "createGrant"> {
  const { sql, newId, clock, random, audit } = broker;
  return async ({ principal, body, requestId }) => {
    const { userId } = principal;
    const merchant = await findAskingMerchant(sql, body.merchant_id);
    if (merchant === undefined) throw new ApiError("merchant_not_found");
    const made = await insertGrant(sql, { id: newId(), userId, merchantId: merchant.id, at: clock() });
    const [grant] = await liveGrants(sql, userId, merchant.id);
    const code = createOpaqueToken("gc_", random);
    const expiresAt = new Date(clock().getTime() + CODE_LIFE_MS);
    // Taken back in another tab at this very moment: then that is what holds.
    if (grant === undefined || !(await renewCode(sql, grant.id, { hash: hashToken(code), expiresAt }))) {
      throw new ApiError("unavailable", { retryAfter: 1 });
    }
    const outcome = made ? "granted" : "granted before";
    await audit(sql, { requestId, principal, action: "grant quota", subject: grant.id, outcome });
    return { body: { ...grantOf(grant), code, code_expires_at: toInstant(expiresAt) } };
  };
}

/** Takes a person's grant back. */
export function revokeGrant({ sql, clock, audit }: BrokerContext): GatedHandler<"person", "revokeGrant"> {
  return async ({ principal, params, requestId }) => {
    const known = await revokeOwnGrant(sql, principal.userId, params.id, clock());
    if (!known) throw new ApiError("not_found", { detail: "You have given no grant with this id." });
    await audit(sql, { requestId, principal, action: "revoke grant", subject: params.id, outcome: "revoked" });
    return { body: { revoked: true } };
  };
}
