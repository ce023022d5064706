import { ApiError } from "../../../../src/contract/shared/errors.ts";
import { type BrokerContext, takeFromPersonLimit } from "../../access/broker-context.ts";
import type { GatedHandler } from "../../access/policy/gate.ts";
import { isContact, keepNickname, nicknamesOf } from "./contact-store.ts";

/** Most nicknames of one person: the app keeps and searches them all. */
const MOST = 200;

/** Lists the nicknames that the person gave. */
export function myNicknames({ sql }: BrokerContext): GatedHandler<"person", "myNicknames"> {
  return async ({ principal }) => ({ body: await nicknamesOf(sql, principal.userId) });
}

/**
 * Gives a contact of the person a nickname, or takes it away; of two writers the last one counts. Throws `not_found`
 * for a user who is no contact, and `not_allowed` beyond 200 nicknames.
 */
export function putMyNickname(broker: BrokerContext): GatedHandler<"person", "putMyNickname"> {
  const { sql, guardLimit } = broker;
  return async ({ principal, params, body }) => {
    takeFromPersonLimit(guardLimit, principal, "nickname");
    const contactId = params.user_id.toLowerCase();
    const nickname = body.nickname?.trim() ?? null;
    if (!(await keepNickname(sql, principal.userId, { contactId, nickname, most: MOST }))) {
      if (!(await isContact(sql, principal.userId, contactId))) {
        throw new ApiError("not_found", { detail: "No movement of yours is with anybody of this id." });
      }
      throw new ApiError("not_allowed", { detail: `You gave ${MOST} nicknames, the most there may be: remove one.` });
    }
    return { body: { user_id: contactId, nickname } };
  };
}
