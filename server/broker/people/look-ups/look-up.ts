import type { BrokerContract } from "../../../../src/contract/broker/broker.ts";
import { ApiError } from "../../../../src/contract/shared/errors.ts";
import type { Call, Reply } from "../../../../src/contract/shared/handler.ts";
import type { AnswerOf } from "../../../../src/contract/shared/operation.ts";
import type { BrokerContext } from "../../access/broker-context.ts";
import { createOpaqueToken, hashToken } from "../../access/opaque-token.ts";
import type { Granted } from "../../access/policy/gate.ts";
import type { PersonPrincipal, RechargeSessionPrincipal } from "../../access/principal.ts";
import { namedUser, namesFor } from "../contacts/tell-names.ts";
import { findUser } from "./find-user.ts";
import { countLookUp, keepFound, type NewLookUp, uncountLookUp } from "./look-up-store.ts";

type Row = BrokerContract["lookUp"];
type Finder = RechargeSessionPrincipal | PersonPrincipal;
type Service = Pick<Granted<"rechargeSession", "lookUp">, "user">;
type FoundUser = Awaited<ReturnType<Service["user"]>>["body"];

/** The life of a handle. */
const HANDLE_LIFE_MS = 5 * 60_000;
/** Shortest duration of a look-up: well over what hit and miss need, so that their difference is covered. */
const LEAST_MS = 300;

/**
 * Returns the asker and the account that a look-up and its handle belong to. The asker is the person, or the till
 * across its sessions; the account, whose limits cover all its askers, is the person, or the merchant of the till.
 */
export function askerOf(principal: Finder): Pick<NewLookUp, "asker" | "account"> {
  if (principal.kind === "person") {
    const person = `person:${principal.personId}`;
    return { asker: person, account: person };
  }
  const { merchantId, till = "" } = principal;
  return { asker: `till:${merchantId}:${till}`, account: `merchant:${merchantId}` };
}

/** Stands for nobody, so that a miss takes the step that a hit takes. */
const NOBODY = { id: "00000000-0000-0000-0000-000000000000", name: "", business_name: null };

/** Returns a found user's name as it is told to whoever looks; empty for nobody. */
async function nameOf({ sql }: BrokerContext, principal: Finder, user: FoundUser | undefined): Promise<string> {
  const named = namedUser(user ?? NOBODY);
  const viewerId = principal.kind === "person" ? principal.userId : undefined;
  return (await namesFor(sql, viewerId, [named]))(named);
}

async function count({ sql, clock }: BrokerContext, id: string, principal: Finder): Promise<void> {
  const retryAfter = await countLookUp(sql, { id, ...askerOf(principal), at: clock() });
  if (retryAfter === 0) return;
  throw new ApiError("too_many_requests", { detail: `Too many look-ups: try again in ${retryAfter} s.`, retryAfter });
}

/** Looks a user up, in the same steps for a hit and a miss. */
async function find(broker: BrokerContext, call: Call<Row, Finder>, service: Service, id: string) {
  const { sql, clock, random, audit } = broker;
  const { body, principal, requestId } = call;
  const user = await findUser(service, body);
  const handle = createOpaqueToken("lu_", random);
  const expiresAt = new Date(clock().getTime() + HANDLE_LIFE_MS);
  const name = await nameOf(broker, principal, user);
  const found = { handle_hash: hashToken(handle), masked_name: name, expires_at: expiresAt };
  await keepFound(sql, id, user && { ...found, user_id: user.id });
  const facts = { by: "phone" in body ? "phone" : "nit" };
  const outcome = user === undefined ? "nobody" : "found";
  await audit(sql, { requestId, principal, action: "look up user", subject: id, outcome, facts });
  const isSelf = user?.id === principal.userId;
  return user && { handle, name, expiresAt, isSelf };
}

/**
 * Finds one user of the service by the exact phone or nit, and answers the name as it is told to the asker, masked of a
 * person who never paid them, and a handle that is good for five minutes (security: Rules, people's look-ups). Throws
 * `user_not_found`, and `not_allowed` for the asker itself. Blocked users are found as all are: a block is nobody
 * else's business.
 */
export function lookUp(
  broker: BrokerContext,
): (call: Call<Row, Finder>, service: Service) => Promise<Reply<AnswerOf<Row>>> {
  const { sql, now, clock, wait, newId } = broker;
  return async (call, service) => {
    const startedAt = now();
    const id = newId();
    await count(broker, id, call.principal);
    let found: Awaited<ReturnType<typeof find>>;
    try {
      found = await find(broker, call, service, id);
    } catch (error) {
      await uncountLookUp(sql, id);
      throw error;
    }
    await wait(Math.max(0, LEAST_MS - (now() - startedAt)));
    if (found === undefined) {
      throw new ApiError("user_not_found", { detail: "Nobody has this phone or nit: compare it, digit by digit." });
    }
    if (found.isSelf) {
      const detail = "This is yourself, or the point that sells: look up somebody else.";
      throw new ApiError("not_allowed", { detail });
    }
    const expiresIn = Math.floor((found.expiresAt.getTime() - clock().getTime()) / 1000);
    return { body: { handle: found.handle, name: found.name, expires_in: expiresIn } };
  };
}
