import { ApiError } from "../../../src/contract/shared/errors.ts";
import type { Sql, SqlPart, Tx } from "../../database/connect.ts";

/** The side that began a freeze. */
export type FrozenBy = "person" | "operator" | "command line";
type Block = "due" | "making" | "made" | "found" | "ending" | "ended";

/** A freeze as it is kept, with the name of the person where there is one. */
export interface FreezeRow {
  readonly id: string;
  readonly user_id: string;
  readonly begun_at: Date;
  readonly begun_by: FrozenBy;
  readonly block: Block;
  readonly name: string | null;
}

/** The condition that a user of the service is frozen, by the column or value that has the user's id. */
export function isFrozen(sql: Sql | Tx, userId: SqlPart): SqlPart {
  return sql`exists (select from broker.freezes z where z.user_id = ${userId} and z.lifted_at is null)`;
}

/** The refusal of everything that a frozen account may not do. */
export function accountFrozen(): ApiError {
  return new ApiError("account_frozen", {
    detail: "Ask your provider, who alone can lift that. Money that is sent to the account still arrives.",
  });
}

/** Throws `account_frozen`; the check holds until the transaction ends where the payer was locked first. */
export async function refuseFrozen(sql: Sql | Tx, userId: string): Promise<void> {
  const frozen = await sql`select from broker.freezes where user_id = ${userId} and lifted_at is null`;
  if (frozen.length > 0) throw accountFrozen();
}

function freezes(sql: Sql | Tx, which: SqlPart): Promise<readonly FreezeRow[]> {
  return sql<FreezeRow[]>`
    select f.id, f.user_id, f.begun_at, f.begun_by, f.block, p.display_name as name
    from broker.freezes f left join broker.people p on p.user_id = f.user_id
    where ${which} order by f.begun_at desc, f.id desc`;
}

/** The live freeze of a user. */
export async function findFreeze(sql: Sql | Tx, userId: string): Promise<FreezeRow | undefined> {
  const [row] = await freezes(sql, sql`f.user_id = ${userId} and f.lifted_at is null`);
  return row;
}

/** All live freezes, latest first. */
export function liveFreezes(sql: Sql | Tx): Promise<readonly FreezeRow[]> {
  return freezes(sql, sql`f.lifted_at is null`);
}

/** True if a user of the service is a person, a merchant or a frozen user here. */
export async function isKnownHere(sql: Sql | Tx, userId: string): Promise<boolean> {
  const known = await sql`
    select from broker.people where user_id = ${userId}
    union all select from broker.merchants where user_id = ${userId}
    union all select from broker.freezes where user_id = ${userId} limit 1`;
  return known.length > 0;
}

/** Keeps a new freeze; false where the user is frozen already. */
export async function insertFreeze(
  tx: Tx,
  { id, user_id, begun_at, begun_by }: Pick<FreezeRow, "id" | "user_id" | "begun_at" | "begun_by">,
): Promise<boolean> {
  const made = await tx`
    insert into broker.freezes (id, user_id, begun_at, begun_by)
    values (${id}, ${user_id}, ${begun_at}, ${begun_by})
    on conflict (user_id) where lifted_at is null do nothing
    returning id`;
  return made.length > 0;
}

/** Ends a freeze. A block that it made, or may have made, is to end too; one that it found stays. */
export async function endFreeze(tx: Tx, id: string, at: Date): Promise<void> {
  await tx`
    update broker.freezes set lifted_at = ${at},
      block = case when block in ('making', 'made') then 'ending' else 'ended' end
    where id = ${id} and lifted_at is null`;
}

/** The oldest freeze of a user whose block at the service is unfinished. */
export async function unfinishedBlock(sql: Sql, userId: string): Promise<Pick<FreezeRow, "id" | "block"> | undefined> {
  const [row] = await sql<Pick<FreezeRow, "id" | "block">[]>`
    select id, block from broker.freezes where user_id = ${userId} and block in ('due', 'making', 'ending')
    order by begun_at limit 1`;
  return row;
}

/** The users with an unfinished block at the service, the oldest first. */
export async function usersToFollow(sql: Sql): Promise<readonly string[]> {
  const rows = await sql<{ user_id: string }[]>`
    select user_id from broker.freezes where block in ('due', 'making', 'ending') order by begun_at limit 100`;
  return [...new Set(rows.map(({ user_id: userId }) => userId))];
}

/** Moves a block on from one state; false where the freeze was lifted meanwhile, which takes precedence. */
export async function moveBlock(sql: Sql, id: string, from: Block, to: Block): Promise<boolean> {
  const moved = await sql`
    update broker.freezes set block = ${to} where id = ${id} and block = ${from} returning id`;
  return moved.length > 0;
}
