import { ApiError } from "../../../../src/contract/shared/errors.ts";
import { createShortCache } from "../../../shared/short-cache.ts";
import type { Granted } from "../../access/policy/gate.ts";
import { type NamedUser, namedUser } from "../contacts/tell-names.ts";

type AskForUser = Granted<"person", "myTransfers">["user"];

/** Finds the names of users of whom only the ids are known. */
export interface PartyNames {
  /** The user as the service names them; {@link NAMELESS} for one who no longer exists. */
  userOf(id: string, user: AskForUser): Promise<NamedUser>;
  /** Many users, each asked for once. */
  usersOf(ids: Iterable<string>, user: AskForUser): Promise<ReadonlyMap<string, NamedUser>>;
}

/** Placeholder for a name that is not available, in every language. */
export const NAMELESS = "—";

/** Concurrent requests to the service: few, so that one long list does not crowd out the payments of others. */
const AT_ONCE = 8;
const LIFE_MS = 10 * 60_000;
const MAX_NAMES = 5_000;

/** Calls `ask` once for each distinct key, at most `AT_ONCE` at a time, and returns the answers by key. */
async function askEach<V>(keys: Iterable<string>, ask: (key: string) => Promise<V>): Promise<ReadonlyMap<string, V>> {
  const left = [...new Set(keys)];
  const known = new Map<string, V>();
  const worker = async (): Promise<void> => {
    for (let key = left.pop(); key !== undefined; key = left.pop()) known.set(key, await ask(key));
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return known;
}

async function load(id: string, user: AskForUser): Promise<NamedUser> {
  try {
    return namedUser((await user({ id })).body);
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== "user_not_found") throw error;
    return { id, name: NAMELESS, inFull: false };
  }
}

/**
 * Creates the look-up of users' names, which it caches for ten minutes, for all callers together; `namesFor` decides
 * which of them a viewer is told. To load a name it asks the service by the function `user` that each look-up passes,
 * as its handler was granted it. A service that does not answer is an error and no missing name: apps keep the answer,
 * and would keep the wrong name.
 */
export function createPartyNames({ now }: { readonly now: () => number }): PartyNames {
  const users = createShortCache<NamedUser>({ now, lifeMs: LIFE_MS, maxKeys: MAX_NAMES });
  const userOf = async (id: string, user: AskForUser): Promise<NamedUser> =>
    (await users.get(id, () => load(id, user))).value;
  return {
    userOf,
    usersOf: (ids, user) => askEach(ids, (id) => userOf(id, user)),
  };
}
