import type { Sql } from "../../../database/connect.ts";
import { describeError } from "../../../http/http-log.ts";
import type { BrokerContext } from "../../access/broker-context.ts";
import { moveBlock, unfinishedBlock, usersToFollow } from "../../access/freeze-store.ts";
import { type GrantedOwn, grantOwn } from "../../access/policy/gate.ts";
import type { Upstream } from "../../access/policy/upstream-calls.ts";

/** Makes and ends users' blocks at the service as their freezes require. */
export interface BlockFollower {
  /** Blocks the user there, or ends the block that a freeze made; where that fails, `followLeft` tries again. */
  follow(userId: string): Promise<void>;
  /** Resumes blocks left by this process, another one, or a command. To be called repeatedly. */
  followLeft(): Promise<void>;
  /** Waits for what is under way. */
  close(): Promise<void>;
}

/** The pause before another try for a user whose call the service refused, or could not answer. */
const AGAIN_AFTER_MS = 15_000;
/** Steps from a freeze to its lifted block, and once more for one that was frozen again meanwhile. */
const MOST_STEPS = 8;

/**
 * Begins a user's block, unless the entity made one: a freeze must not end a block that was there before. The intent is
 * recorded first, so that a process that takes over after a crash does not take the block for the entity's.
 */
async function block(sql: Sql, id: string, service: GrantedOwn<"freeze">): Promise<void> {
  const { body: user } = await service.user({});
  if (user.blocked === true) await moveBlock(sql, id, "due", "found");
  else await moveBlock(sql, id, "due", "making");
}

async function step(sql: Sql, { id, block: state }: { id: string; block: string }, service: GrantedOwn<"freeze">) {
  if (state === "due") return block(sql, id, service);
  if (state === "making") {
    await service.blockUser({});
    // Lifted meanwhile, it stands at `ending`, and the next step unblocks.
    await moveBlock(sql, id, "making", "made");
    return;
  }
  await service.unblockUser({});
  await moveBlock(sql, id, "ending", "ended");
}

/** Runs one at a time for each user, across processes: blocks and their ends follow the order of the freezes. */
async function followOnce(sql: Sql, userId: string, service: GrantedOwn<"freeze">): Promise<void> {
  await sql.begin(async (tx) => {
    const [lock] = await tx<{ taken: boolean }[]>`
      select pg_try_advisory_xact_lock(hashtextextended(${`freeze ${userId}`}, 0)) as taken`;
    if (lock?.taken !== true) return;
    for (let number = 0; number < MOST_STEPS; number += 1) {
      const next = await unfinishedBlock(sql, userId);
      if (next === undefined) return;
      await step(sql, next, service);
    }
  });
}

/** Creates the follower, the only code that blocks and unblocks users at the service for their freezes. */
export function createBlockFollower({ sql, log, now }: BrokerContext, upstream: Upstream): BlockFollower {
  /** The time of the next try, for each user whose last one failed. */
  const againAt = new Map<string, number>();
  /** One user after the other: each holds a connection while another is needed. */
  let last: Promise<void> = Promise.resolve();

  async function run(userId: string): Promise<void> {
    try {
      await followOnce(sql, userId, grantOwn(upstream, "freeze", userId));
      againAt.delete(userId);
    } catch (error) {
      againAt.set(userId, now() + AGAIN_AFTER_MS);
      log.warn({ user: userId, error: describeError(error) }, "the block of a frozen user will be tried again");
    }
  }

  function follow(userId: string): Promise<void> {
    last = last.then(() => run(userId));
    return last;
  }

  return {
    follow,
    async followLeft() {
      const users = await usersToFollow(sql);
      for (const userId of users) if ((againAt.get(userId) ?? 0) <= now()) await follow(userId);
    },
    close: () => last,
  };
}
