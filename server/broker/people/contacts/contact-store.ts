import type { Sql } from "../../../database/connect.ts";

/**
 * Records the contacts of a person that a list tells of, each with true if the contact paid the person. A contact who
 * has paid once stays one who has.
 */
export async function keepContacts(sql: Sql, userId: string, contacts: ReadonlyMap<string, boolean>): Promise<void> {
  if (contacts.size === 0) return;
  const [ids, paid] = [[...contacts.keys()], [...contacts].flatMap(([id, hasPaid]) => (hasPaid ? [id] : []))];
  // In one order, so that two lists that are read at once do not wait for each other.
  await sql`
    insert into broker.contacts (user_id, contact_id, has_paid)
    select ${userId}::uuid, c.id, c.id = any(${paid}::uuid[]) from unnest(${ids}::uuid[]) as c (id)
    where not exists (
      select from broker.contacts k
      where k.user_id = ${userId} and k.contact_id = c.id and (k.has_paid or c.id <> all(${paid}::uuid[])))
    order by c.id
    on conflict (user_id, contact_id) do update set has_paid = contacts.has_paid or excluded.has_paid`;
}

/** True if a user is a contact of the person. */
export async function isContact(sql: Sql, userId: string, contactId: string): Promise<boolean> {
  const rows = await sql`select from broker.contacts where user_id = ${userId} and contact_id = ${contactId}`;
  return rows.length > 0;
}

/**
 * Finds which of some users are named in full to a viewer: merchants to everybody, and who has paid the viewer. A
 * viewer who is no person, such as a till, is undefined.
 */
export async function findNamedInFull(
  sql: Sql,
  viewerId: string | undefined,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await sql<{ id: string }[]>`
    select user_id as id from broker.merchants where user_id = any(${[...ids]}::uuid[])
    union select contact_id from broker.contacts
    where user_id = ${viewerId ?? null}::uuid and contact_id = any(${[...ids]}::uuid[]) and has_paid`;
  return new Set(rows.map(({ id }) => id));
}

/** A contact's id and the name that the person gave them. */
export interface Nickname {
  readonly user_id: string;
  readonly nickname: string;
}

/** Lists the nicknames that a person gave, by their text. */
export async function nicknamesOf(sql: Sql, userId: string): Promise<Nickname[]> {
  return sql<Nickname[]>`
    select contact_id as user_id, nickname from broker.contacts
    where user_id = ${userId} and nickname is not null order by nickname, contact_id`;
}

/** Finds the nickname that a person gave a user; undefined where there is none. */
export async function findNickname(sql: Sql, userId: string, contactId: string): Promise<string | undefined> {
  const [row] = await sql<{ nickname: string | null }[]>`
    select nickname from broker.contacts where user_id = ${userId} and contact_id = ${contactId}`;
  return row?.nickname ?? undefined;
}

/**
 * Sets or removes the nickname of a contact, the last writer's; false where that would be more than `most`, or the user
 * is no contact of the person.
 */
export async function keepNickname(
  sql: Sql,
  userId: string,
  {
    contactId,
    nickname,
    most,
  }: { readonly contactId: string; readonly nickname: string | null; readonly most: number },
): Promise<boolean> {
  const rows = await sql`
    update broker.contacts set nickname = ${nickname}
    where user_id = ${userId} and contact_id = ${contactId} and (${nickname}::text is null or nickname is not null
      or (select count(*) from broker.contacts where user_id = ${userId} and nickname is not null) < ${most})
    returning contact_id`;
  return rows.length > 0;
}
