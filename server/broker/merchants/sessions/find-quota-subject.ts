import { ApiError } from "../../../../src/contract/shared/errors.ts";
import type { Sql } from "../../../database/connect.ts";
import { type BrokerContext, invalidField } from "../../access/broker-context.ts";
import { isLiveConsent } from "../../access/consent-store.ts";
import { isFrozen, refuseFrozen } from "../../access/freeze-store.ts";
import type { Granted } from "../../access/policy/gate.ts";
import type { MerchantPrincipal } from "../../access/principal.ts";
import type { SessionBody } from "./session-fields.ts";

/** The user whose quota a session shows, and the grant; null: the merchant is first-party and needs none. */
export interface QuotaSubject {
  readonly subject_user_id: string;
  readonly grant_id: string | null;
}

type Service = Pick<Granted<"merchant", "createSession">, "user">;

/** The form of a grant's id: the database is asked for nothing else. */
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Makes the one refusal for every grant or code that is not good, whatever is wrong with it. */
export function refusedConsent(): ApiError {
  const detail =
    "The grant is not one of this merchant's, or was taken back: send the user to the app to grant it again.";
  return new ApiError("not_allowed", { detail });
}

/** Finds a merchant's live grant, and marks it as used now. */
async function useConsent(
  sql: Sql,
  merchantId: string,
  { user, grant }: Pick<SessionBody, "user" | "grant">,
  at: Date,
): Promise<QuotaSubject | undefined> {
  if (grant !== undefined && !UUID.test(grant)) return undefined;
  const [row] = await sql<QuotaSubject[]>`
    update broker.grants g set last_used_at = ${at}
    where g.merchant_id = ${merchantId} and ${isLiveConsent(sql, at)} and not ${isFrozen(sql, sql`g.user_id`)}
      and ${grant === undefined ? sql`g.user_id = ${user ?? null}` : sql`g.id = ${grant}`}
    returning g.user_id as subject_user_id, g.id as grant_id`;
  return row;
}

/** Refuses an unknown user's id at once, rather than in front of the page's visitor. */
async function knownUser(service: Service, id: string): Promise<string> {
  try {
    return (await service.user({ id })).body.id;
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== "user_not_found") throw error;
    throw invalidField("/user", "is not the id of a user");
  }
}

/**
 * Finds the user whose quota the merchant may show: any user for a first-party merchant, else one who gave it a grant,
 * which is marked as used now. A merchant without a grant gets the same refusal for users that exist and for ids that
 * do not.
 */
export async function findQuotaSubject(
  { sql, clock }: BrokerContext,
  { merchantId, firstParty }: Pick<MerchantPrincipal, "merchantId" | "firstParty">,
  body: SessionBody,
  service: Service,
): Promise<QuotaSubject> {
  if (body.user !== undefined && firstParty) {
    await refuseFrozen(sql, body.user);
    return { subject_user_id: await knownUser(service, body.user), grant_id: null };
  }
  const granted = await useConsent(sql, merchantId, body, clock());
  if (granted !== undefined) return granted;
  if (body.grant !== undefined) throw refusedConsent();
  const detail = "The user has not granted this merchant the sight of the quota: send the user to the app to grant it.";
  throw new ApiError("not_allowed", { detail });
}
