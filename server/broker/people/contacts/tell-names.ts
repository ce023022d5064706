import { maskName } from "../../../../src/mask-name.ts";
import type { Sql } from "../../../database/connect.ts";
import { findNamedInFull } from "./contact-store.ts";

/** A user as the service names them. */
export interface NamedUser {
  readonly id: string;
  /** The business's name, else the person's. */
  readonly name: string;
  /** True if the name is told in full in any case: a business's, or that of somebody who pays the viewer here. */
  readonly inFull: boolean;
}

/** A user as the service answers one. */
interface ServiceUser {
  readonly id: string;
  readonly name: string;
  readonly business_name: string | null;
}

/** Names a user as the service does: by the business's name where there is one. */
export function namedUser({ id, name, business_name: business }: ServiceUser): NamedUser {
  return { id, name: business ?? name, inFull: business !== null };
}

/**
 * Returns the function that names users to a viewer, the only one that decides on names: businesses, merchants' users
 * and whoever has paid the viewer in full, everybody else masked (security: Rules, names). A viewer who is no person,
 * such as a till or whoever checks a receipt, is undefined. Takes the same step whoever the users are.
 */
export async function namesFor(
  sql: Sql,
  viewerId: string | undefined,
  users: Iterable<Pick<NamedUser, "id">>,
): Promise<(user: NamedUser) => string> {
  const ids = [...new Set(Array.from(users, ({ id }) => id))];
  const full = ids.length === 0 ? new Set<string>() : await findNamedInFull(sql, viewerId, ids);
  return ({ id, name, inFull }) => (inFull || id === viewerId || full.has(id) ? name : maskName(name));
}
