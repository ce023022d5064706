import type { Freeze } from "../../../../src/contract/broker/freezes.ts";
import { ApiError } from "../../../../src/contract/shared/errors.ts";
import type { Tx } from "../../../database/connect.ts";
import { type BrokerContext, takeFromPersonLimit, toInstant } from "../../access/broker-context.ts";
import { type FreezeRow, findFreeze, isKnownHere, liveFreezes } from "../../access/freeze-store.ts";
import type { GatedHandler, Granted } from "../../access/policy/gate.ts";
import type { OperatorPrincipal } from "../../access/principal.ts";
import { requireAdmin, requireClerk } from "../../access/require-role.ts";
import { withinTime } from "../../access/within-time.ts";
import { keepRefusals, writeAsOperator } from "../../access/write-as-operator.ts";
import { findUser } from "../look-ups/find-user.ts";
import type { BlockFollower } from "./follow-blocks.ts";
import { type Frozen, freezeUser, unfreezeUser } from "./freeze-user.ts";

/** Longest wait for the service: the freeze holds already, and its block follows by itself. */
const BLOCK_WAIT_MS = 3_000;

const BLOCKS = { due: "pending", making: "pending", made: "made", found: "found" } as const;

interface FreezeCall {
  readonly principal: OperatorPrincipal;
  readonly requestId: string;
  readonly params: { readonly user_id: string };
}

function answerOf({ user_id, name, begun_at, begun_by, block }: FreezeRow): Freeze {
  if (block === "ending" || block === "ended") throw new Error(`the freeze of user ${user_id} was lifted`);
  return {
    ...{ user_id, frozen_at: toInstant(begun_at), frozen_by: begun_by, block: BLOCKS[block] },
    ...(name === null ? {} : { name }),
  };
}

/** Lists the frozen users, with the state of their blocks at the service. */
export function frozenPeople({ sql }: BrokerContext): GatedHandler<"operator", "frozenPeople"> {
  return async () => ({ body: (await liveFreezes(sql)).map(answerOf) });
}

/** Refuses unknown ids; a user known here is frozen without asking the service, which may be away. */
async function refuseUnknown({ sql }: BrokerContext, userId: string, service: Granted<"operator", "freezePerson">) {
  if ((await isKnownHere(sql, userId)) || (await findUser(service, { id: userId })) !== undefined) return;
  throw new ApiError("user_not_found", { detail: "No user has this id." });
}

/** Carries out a change and its audit record in one transaction for a signed-in operator; notifies the person. */
async function change(
  broker: BrokerContext,
  { principal, requestId, params }: FreezeCall,
  { action, outcome, run }: { action: string; outcome: string; run: (tx: Tx, now: Date) => Promise<Frozen> },
): Promise<void> {
  const { personId } = await writeAsOperator(broker, principal, async (tx, now) => {
    const done = await run(tx, now);
    const record = { requestId, principal, action, subject: params.user_id };
    await broker.audit(tx, { ...record, outcome: done.isChanged ? outcome : "unchanged" });
    return done;
  });
  if (personId !== undefined) broker.push.notifyOfChanges(personId);
}

/** Freezes a user's account at once, and has the block follower block the user at the service. */
export function freezePerson(broker: BrokerContext, blocks: BlockFollower): GatedHandler<"operator", "freezePerson"> {
  const { sql, newId, hints, guardLimit } = broker;
  const action = "freeze person";
  return async (call, service) => {
    const { principal, requestId, params } = call;
    const { user_id: userId } = params;
    await requireClerk(broker, { principal, requestId }, { action, subject: userId });
    const run = (tx: Tx, now: Date) => freezeUser(tx, { userId, newId, now }, "operator");
    await keepRefusals(broker, call, { action, subject: userId }, async () => {
      takeFromPersonLimit(guardLimit, principal, "freeze");
      await refuseUnknown(broker, userId, service);
      await change(broker, call, { action, outcome: "frozen", run });
    });
    hints.publish(`ended:${userId}`, `user:${userId}`);
    await withinTime(blocks.follow(userId), undefined, BLOCK_WAIT_MS);
    const row = await findFreeze(sql, userId);
    if (row === undefined) throw new ApiError("unavailable", { retryAfter: 1 });
    return { body: answerOf(row) };
  };
}

/** Lifts a user's freeze, and ends the block at the service that the freeze made. */
export function unfreezePerson(
  broker: BrokerContext,
  blocks: BlockFollower,
): GatedHandler<"operator", "unfreezePerson"> {
  const action = "unfreeze person";
  return async (call) => {
    const { principal, requestId, params } = call;
    const { user_id: userId } = params;
    await requireAdmin(broker, { principal, requestId }, { action, subject: userId });
    const run = (tx: Tx, now: Date) => unfreezeUser(tx, { userId, newId: broker.newId, now });
    await keepRefusals(broker, call, { action, subject: userId }, async () => {
      if (!(await isKnownHere(broker.sql, userId))) {
        throw new ApiError("not_found", { detail: "No account that was frozen here has this user." });
      }
      await change(broker, call, { action, outcome: "lifted", run });
    });
    await withinTime(blocks.follow(userId), undefined, BLOCK_WAIT_MS);
    return { body: { user_id: userId, frozen: false } };
  };
}
