import { ApiError } from "../../../src/contract/errors.ts";
import type { Granted } from "../gate.ts";
import { maskName } from "../look-ups/mask-name.ts";
import { createShortCache } from "../sessions/short-cache.ts";
import { askEach } from "./ask-each.ts";

type AskForUser = Granted<"person", "myTransfers">["user"];

/** Names of users of whom only the ids are known. */
export interface PartyNames {
  /** A business's name, or a person's; {@link NAMELESS} for a user who is no more. */
  nameOf(id: string, user: AskForUser): Promise<string>;
  /** The names of many, each asked for once. */
  namesOf(ids: Iterable<string>, user: AskForUser): Promise<ReadonlyMap<string, string>>;
}

/** Stands for a name that cannot be had, in every language. */
export const NAMELESS = "—";

const LIFE_MS = 10 * 60_000;
const MAX_NAMES = 5_000;

/** A name that is told to those alone who know it already. */
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
 * Keeps names for some minutes. A service that does not answer is a failure and no missing name: apps keep what they
 * are told, and would keep the wrong word.
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
