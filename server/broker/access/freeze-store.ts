import { ApiError } from "../../../src/contract/shared/errors.ts";
import type { Sql, SqlPart, Tx } from "../../database/connect.ts";

/** The side that froze an account: its person, an operator, or an administrator by the command line. */
export type FrozenBy = "person" | "operator" | "command line";
type Block = "due" | "making" | "made" | "found" | "ending" | "ended";

/**
 * A freeze as it is stored, with the state of its block at the service and the display name of the frozen user, which
 * is null for one who is no person here.
 */
export interface FreezeRow {
  readonly id: string;
  readonly user_id: string;
  readonly begun_at: Date;
  readonly begun_by: FrozenBy;
  readonly block: Block;
  readonly name: string | null;
}

/** SQL condition: the user of the service with this id, a column or a value, is frozen now. */
export function isFrozen(sql: Sql | Tx, userId: SqlPart): SqlPart {
  return sql`exists (select from broker.freezes z where z.user_id = ${userId} and z.lifted_at is null)`;
}

/** Makes the error `account_frozen`, which refuses what a frozen account may not do. */
export function accountFrozen(): ApiError {
  return new ApiError("account_frozen", {
    detail: "Ask your provider, who alone can lift that. Money that is sent to the account still arrives.",
  });
}

/**
 * Throws `account_frozen` if the user is frozen. In a transaction that took `lockPayer` for the user before, nobody
 * freezes the user until it ends.
 */
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

/** Finds the freeze of a user that is in force; undefined where the user is not frozen. */
export async function findFreeze(sql: Sql | Tx, userId: string): Promise<FreezeRow | undefined> {
  const [row] = await freezes(sql, sql`f.user_id = ${userId} and f.lifted_at is null`);
  return row;
}

/** Lists all freezes that are in force, the latest first. */
export function liveFreezes(sql: Sql | Tx): Promise<readonly FreezeRow[]> {
  return freezes(sql, sql`f.lifted_at is null`);
}

/**
 * True if the broker knows this user of the service: as a person, as a merchant's user, or by a freeze, even one that
 * was lifted.
 */
export async function isKnownHere(sql: Sql | Tx, userId: string): Promise<boolean> {
  const known = await sql`
    select from broker.people where user_id = ${userId}
    union all select from broker.merchants where user_id = ${userId}
    union all select from broker.freezes where user_id = ${userId} limit 1`;
  return known.length > 0;
}

/** Stores a new freeze of a user; returns false where the user is frozen already. */
export async function insertFreeze(
  tx: Tx,
  freeze: Pick<FreezeRow, "id" | "user_id" | "begun_at" | "begun_by">,
): Promise<boolean> {
  const made = await tx`
    insert into broker.freezes ${tx(freeze)}
    on conflict (user_id) where lifted_at is null do nothing
    returning id`;
  return made.length > 0;
}

/**
 * Lifts a freeze. The block at the service is due to end too if the freeze made it or may have made it; one that was
 * there before the freeze stays.
 */
export async function endFreeze(tx: Tx, id: string, at: Date): Promise<void> {
  await tx`
    update broker.freezes set lifted_at = ${at},
      block = case when block in ('making', 'made') then 'ending' else 'ended' end
    where id = ${id} and lifted_at is null`;
}

/** Finds the oldest freeze of a user that still has to block the user at the service, or to end that block. */
export async function unfinishedBlock(sql: Sql, userId: string): Promise<Pick<FreezeRow, "id" | "block"> | undefined> {
  const [row] = await sql<Pick<FreezeRow, "id" | "block">[]>`
    select id, block from broker.freezes where user_id = ${userId} and block in ('due', 'making', 'ending')
    order by begun_at limit 1`;
  return row;
}

/**
 * Lists the users of the 100 oldest freezes that still have to block their user at the service, or to end that block.
 */
export async function usersToFollow(sql: Sql): Promise<readonly string[]> {
  const rows = await sql<{ user_id: string }[]>`
    select user_id from broker.freezes where block in ('due', 'making', 'ending') order by begun_at limit 100`;
  return [...new Set(rows.map(({ user_id: userId }) => userId))];
}

/**
 * Changes the state of a freeze's block at the service from `from` to `to`; returns false where it is no longer `from`,
 * because the freeze was lifted meanwhile, which takes precedence.
 */
export async function moveBlock(sql: Sql, id: string, from: Block, to: Block): Promise<boolean> {
  const moved = await sql`
    update broker.freezes set block = ${to} where id = ${id} and block = ${from} returning id`;
  return moved.length > 0;
}
