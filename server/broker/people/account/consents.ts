import { isMerchantOrigin } from "../../../../src/contract/broker/merchant-origin.ts";
import { ApiError } from "../../../../src/contract/shared/errors.ts";
import { type BrokerContext, takeFromPersonLimit, toInstant } from "../../access/broker-context.ts";
import {
  type ConsentRow,
  findAskingMerchant,
  keepConsent,
  liveConsents,
  renewCode,
  revokeOwnConsent,
} from "../../access/consent-store.ts";
import { holdPerson } from "../../access/hold-person.ts";
import { createOpaqueToken, hashToken } from "../../access/opaque-token.ts";
import type { GatedHandler } from "../../access/policy/gate.ts";
import { refuseNewDevice } from "../../access/refuse-new-device.ts";
import { keepAccountChange } from "./account-change-store.ts";
import { requireProof } from "./require-proof.ts";

type CreateCall = Parameters<GatedHandler<"person", "createGrant">>[0];

/** The code passes through the address of a page, which is kept and shown in many places: it expires soon. */
const CODE_LIFE_MS = 5 * 60_000;

function consentAnswer({ created_at, last_used_at, lapses_at, ...grant }: ConsentRow) {
  const lastUsedAt = last_used_at === null ? null : toInstant(last_used_at);
  const [createdAt, lapsesAt] = [toInstant(created_at), toInstant(lapses_at)];
  return { ...grant, created_at: createdAt, last_used_at: lastUsedAt, lapses_at: lapsesAt };
}

/** The address to go back to, where it is a page of one of these origins; a link could name any other. */
function wayBack(returnTo: string | undefined, origins: readonly string[]): string | undefined {
  if (returnTo === undefined || !URL.canParse(returnTo)) return undefined;
  const { href, origin, username, password } = new URL(returnTo);
  // A `blob:` has the origin of the page that made it, and is no page of it.
  if (!isMerchantOrigin(origin) || !href.startsWith(`${origin}/`)) return undefined;
  return origins.includes(origin) && username === "" && password === "" ? href : undefined;
}

/**
 * Shows a person the merchant that asks to show the person's quota, with a live grant that it has already, and the page
 * to return to where that is one of the merchant's origins.
 */
export function grantRequest({ sql, clock }: BrokerContext): GatedHandler<"person", "grantRequest"> {
  return async ({ principal, query }) => {
    const merchant = await findAskingMerchant(sql, query.merchant);
    if (merchant === undefined) throw new ApiError("merchant_not_found");
    const [grant] = await liveConsents(sql, { userId: principal.userId, merchantId: merchant.id, at: clock() });
    const returnTo = wayBack(query["return-to"], merchant.origins);
    return {
      body: {
        merchant_id: merchant.id,
        merchant: merchant.name,
        origins: [...merchant.origins],
        ...(returnTo === undefined ? {} : { return_to: returnTo }),
        grant: grant === undefined ? null : consentAnswer(grant),
      },
    };
  };
}

/** Lists the live grants by which merchants may show a person's quota: neither revoked nor expired, newest first. */
export function myGrants({ sql, clock }: BrokerContext): GatedHandler<"person", "myGrants"> {
  return async ({ principal: { userId } }) => ({
    body: (await liveConsents(sql, { userId, at: clock() })).map(consentAnswer),
  });
}

/** Requires the person's own proof, on a device that may pay, before the quota is shown to others. */
async function prove(broker: BrokerContext, call: CreateCall): Promise<void> {
  const { principal, body } = call;
  refuseNewDevice(principal.mayPayFrom, broker.clock(), "show your quota to others");
  const passkey = await requireProof(broker, call, "grant", body.proof);
  refuseNewDevice(passkey?.mayPayFrom, broker.clock(), "show your quota to others");
}

/**
 * Gives a merchant a grant to show the person's quota, on a proof; one that it has already lasts anew. Either way the
 * answer has a new code, good for one quota session within five minutes.
 */
export function createGrant(broker: BrokerContext): GatedHandler<"person", "createGrant"> {
  const { sql, newId, clock, random, audit, push } = broker;
  return async (call) => {
    const { principal, body, requestId } = call;
    const { userId, personId, sessionHash } = principal;
    const merchant = await findAskingMerchant(sql, body.merchant_id);
    if (merchant === undefined) throw new ApiError("merchant_not_found");
    await prove(broker, call);
    const at = clock();
    await sql.begin("isolation level read committed", async (tx) => {
      await holdPerson(broker, tx, principal);
      const id = newId();
      const subject = await keepConsent(tx, { id, userId, merchantId: merchant.id, at });
      await keepAccountChange(tx, { id: newId(), personId, kind: "grant_given", sessionHash, now: at });
      const outcome = subject === id ? "granted" : "granted before";
      await audit(tx, { requestId, principal, action: "grant quota", subject, outcome });
    });
    push.notifyOfChanges(personId);
    const [grant] = await liveConsents(sql, { userId, merchantId: merchant.id, at });
    const code = createOpaqueToken("gc_", random);
    const expiresAt = new Date(at.getTime() + CODE_LIFE_MS);
    // Revoked in another tab at this very moment: the revocation holds.
    if (grant === undefined || !(await renewCode(sql, grant.id, { hash: hashToken(code), expiresAt }))) {
      throw new ApiError("unavailable", { retryAfter: 1 });
    }
    return { body: { ...consentAnswer(grant), code, code_expires_at: toInstant(expiresAt) } };
  };
}

/** Revokes a person's grant; a repeated call changes nothing, and leaves no record. */
export function revokeGrant(broker: BrokerContext): GatedHandler<"person", "revokeGrant"> {
  const { sql, clock, newId, audit, push, guardLimit } = broker;
  return async ({ principal, params, requestId }) => {
    const { userId, personId, sessionHash } = principal;
    takeFromPersonLimit(guardLimit, principal, "revoke");
    await sql.begin("isolation level read committed", async (tx) => {
      const now = clock();
      const isChanged = await revokeOwnConsent(tx, userId, params.id, now);
      if (isChanged === undefined) throw new ApiError("not_found", { detail: "You have given no grant with this id." });
      if (!isChanged) return;
      await keepAccountChange(tx, { id: newId(), personId, kind: "grant_ended", sessionHash, now });
      await audit(tx, { requestId, principal, action: "revoke grant", subject: params.id, outcome: "revoked" });
    });
    push.notifyOfChanges(personId);
    return { body: { revoked: true } };
  };
}
