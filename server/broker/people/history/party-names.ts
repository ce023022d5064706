import { ApiError } from "../../../../src/contract/shared/errors.ts";
import { createShortCache } from "../../../shared/short-cache.ts";
import type { Granted } from "../../access/policy/gate.ts";
import { maskName } from "../look-ups/mask-name.ts";
import { askEach } from "./ask-each.ts";

type AskForUser = Granted<"person", "myTransfers">["user"];

/** Finds the names of users of whom only the ids are known. */
export interface PartyNames {
  /** A business's name, or a person's; {@link NAMELESS} for a user who no longer exists. */
  nameOf(id: string, user: AskForUser): Promise<string>;
  /** The names of many, each asked for once. */
  namesOf(ids: Iterable<string>, user: AskForUser): Promise<ReadonlyMap<string, string>>;
}

/** Placeholder for a name that is not available, in every language. */
export const NAMELESS = "—";

const LIFE_MS = 10 * 60_000;
const MAX_NAMES = 5_000;

/** Masks a name, so that only people who know it already recognise it; {@link NAMELESS} stays as it is. */
export function coverName(name: string): string {
  return name === NAMELESS ? name : maskName(name);
}

async function load(id: string, user: AskForUser): Promise<string> {
  try {
    const { body } = await user({ id });
    return body.business_name ?? body.name;
  } catch (error) {
    if (error instanceof ApiError && error.code === "user_not_found") return NAMELESS;
    throw error;
  }
}

/**
 * Creates the look-up of users' names, which it caches for ten minutes, for all callers together. To load a name it
 * asks the service by the function `user` that each look-up passes, as its handler was granted it. A service that does
 * not answer is an error and no missing name: apps keep the answer, and would keep the wrong name.
 */
export function createPartyNames({ now }: { readonly now: () => number }): PartyNames {
  const names = createShortCache<string>({ now, lifeMs: LIFE_MS, maxKeys: MAX_NAMES });
  const nameOf = async (id: string, user: AskForUser): Promise<string> =>
    (await names.get(id, () => load(id, user))).value;
  return {
    nameOf,
    namesOf: (ids, user) => askEach(ids, (id) => nameOf(id, user)),
  };
}
