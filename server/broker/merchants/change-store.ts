import type { Sql, SqlPart, Tx } from "../../database/connect.ts";
import type { RecordCreation } from "../access/broker-context.ts";
import { keyIdOf } from "./key-id.ts";

/** Long enough for a second admin and a user to look; what nobody agreed to by then is over. */
const CHANGE_LIFE_MS = 7 * 24 * 60 * 60_000;
const RANDOM_BYTES = 32;

/** A server key that a change lists. */
interface ChangeKey {
  readonly id: string;
  readonly createdAt: Date;
  /** The operator who made it over HTTP; null: the command line, or an earlier version. */
  readonly madeBy: string | null;
}

/**
 * A stored merchant change: the powers asked for, the server keys that get them, and the agreements given and needed.
 */
export interface ChangeRow {
  readonly id: string;
  readonly merchant_id: string;
  readonly merchant: string;
  readonly user_id: string;
  readonly first_party: boolean;
  readonly sells_top_ups: boolean;
  readonly refunds: boolean;
  /** The keys that gain the powers, oldest first. */
  readonly server_keys: readonly ChangeKey[];
  readonly random: Uint8Array;
  readonly made_by: string;
  readonly created_at: Date;
  readonly expires_at: Date;
  readonly agreed_by: string | null;
  readonly user_agreed_at: Date | null;
  readonly ended_at: Date | null;
  readonly outcome: "done" | "withdrawn" | "refused" | "replaced" | null;
  /** True if the merchant was disabled, or if the change is for keys alone and all of them have ended. */
  readonly is_moot: boolean;
  /** True if the change allows tills to spend the quota of a user who has a passkey: that user has to agree too. */
  readonly needs_user: boolean;
}

/**
 * A merchant change to store. With powers, it gives them to the merchant and to the server keys that it has now; with
 * `keyHash` and no powers, it gives that one new key the powers that the merchant has already.
 */
export interface AskedChange {
  readonly merchantId: string;
  readonly firstParty: boolean;
  readonly sellsTopUps: boolean;
  readonly refunds: boolean;
  readonly keyHash?: Uint8Array;
  readonly madeBy: string;
}

interface ChangeKeyRow {
  readonly change_id: string;
  readonly key_hash: Uint8Array;
  readonly created_at: Date;
  readonly made_by: string | null;
}

async function readChangeKeys(sql: Sql | Tx, ids: string[]): Promise<ReadonlyMap<string, readonly ChangeKey[]>> {
  const rows = await sql<ChangeKeyRow[]>`
    select l.change_id, k.key_hash, k.created_at, k.made_by
    from broker.merchant_change_keys l join broker.merchant_keys k on k.key_hash = l.key_hash
    where l.change_id = any(${ids}) order by k.created_at, k.key_hash`;
  const grouped = Map.groupBy(rows, (row) => row.change_id);
  const keyOf = (row: ChangeKeyRow) => ({ id: keyIdOf(row.key_hash), createdAt: row.created_at, madeBy: row.made_by });
  return new Map([...grouped].map(([id, own]) => [id, own.map(keyOf)]));
}

/** SQL condition: a merchant change `c` asks for powers of the merchant, not for those of a single new key. */
function hasPowers(sql: Sql | Tx): SqlPart {
  return sql`(c.first_party or c.sells_top_ups or c.refunds)`;
}

async function readChanges(sql: Sql | Tx, which: SqlPart): Promise<readonly ChangeRow[]> {
  const rows = await sql<Omit<ChangeRow, "server_keys">[]>`
    select c.id, c.merchant_id, m.name as merchant, m.user_id, c.first_party, c.sells_top_ups, c.refunds, c.random,
      c.made_by, c.created_at, c.expires_at, c.agreed_by, c.user_agreed_at, c.ended_at, c.outcome,
      m.disabled_at is not null or (not ${hasPowers(sql)} and not exists (
        select from broker.merchant_change_keys l join broker.merchant_keys k on k.key_hash = l.key_hash
        where l.change_id = c.id and k.revoked_at is null)) as is_moot,
      c.sells_top_ups and exists (
        select from broker.passkeys d join broker.people p on p.id = d.person_id
        where p.user_id = m.user_id and d.removed_at is null) as needs_user
    from broker.merchant_changes c join broker.merchants m on m.id = c.merchant_id
    where ${which}
    order by c.created_at desc, c.id desc limit 500`;
  const ids = rows.map((row) => row.id);
  const keys = await readChangeKeys(sql, ids);
  return rows.map((row) => ({ ...row, server_keys: keys.get(row.id) ?? [] }));
}

/** True while a merchant change waits for an agreement: not ended, not expired and not moot. */
export function isOpen({ ended_at, is_moot, expires_at }: ChangeRow, now: Date): boolean {
  return ended_at === null && !is_moot && expires_at > now;
}

/**
 * Reads a merchant change with its merchant locked, as every write to a merchant does: concurrent agreements take
 * turns.
 */
export async function lockChange(tx: Tx, id: string): Promise<ChangeRow | undefined> {
  await tx`
    select from broker.merchants where id = (select merchant_id from broker.merchant_changes where id = ${id})
    for no key update`;
  const [row] = await readChanges(tx, tx`c.id = ${id}`);
  return row;
}

/** Lists the merchant changes that were asked for in the last seven days, in every state, newest first, at most 500. */
export function recentChanges(sql: Sql, now: Date): Promise<readonly ChangeRow[]> {
  return readChanges(sql, sql`c.created_at > ${new Date(now.getTime() - CHANGE_LIFE_MS)}`);
}

/** Lists the open merchant changes that wait for this user to agree that tills spend the user's quota. */
export async function changesForUser(sql: Sql, userId: string, now: Date): Promise<readonly ChangeRow[]> {
  const rows = await readChanges(
    sql,
    sql`m.user_id = ${userId} and c.sells_top_ups and c.user_agreed_at is null and c.ended_at is null`,
  );
  return rows.filter((row) => row.needs_user && isOpen(row, now));
}

/**
 * Ends as `replaced` the waiting changes that ask for powers of a merchant, because a newer request or setting takes
 * their place; those for a single new key stay.
 */
export async function replaceChanges(tx: Tx, merchantId: string, at: Date): Promise<void> {
  await tx`
    update broker.merchant_changes c set ended_at = ${at}, outcome = 'replaced'
    where merchant_id = ${merchantId} and ${hasPowers(tx)} and ended_at is null`;
}

/**
 * Stores a merchant change that an admin asks for, with the server keys that it is for, and returns its row; one that
 * asks for powers of the merchant replaces such changes before it.
 */
export async function askChange(tx: Tx, asked: AskedChange, making: RecordCreation): Promise<ChangeRow> {
  const { merchantId, firstParty, sellsTopUps, refunds, keyHash = null, madeBy } = asked;
  const { newId, random, now } = making;
  if (keyHash === null) await replaceChanges(tx, merchantId, now);
  const [id, expiresAt] = [newId(), new Date(now.getTime() + CHANGE_LIFE_MS)];
  await tx`
    insert into broker.merchant_changes
      (id, merchant_id, first_party, sells_top_ups, refunds, random, made_by, created_at, expires_at)
    values (${id}, ${merchantId}, ${firstParty}, ${sellsTopUps}, ${refunds}, ${random(RANDOM_BYTES)}, ${madeBy},
      ${now}, ${expiresAt})`;
  await tx`
    insert into broker.merchant_change_keys (change_id, key_hash)
    select ${id}, key_hash from broker.merchant_keys
    where merchant_id = ${merchantId} and kind = 'server' and revoked_at is null
      and (${keyHash}::bytea is null or key_hash = ${keyHash})`;
  const [row] = await readChanges(tx, tx`c.id = ${id}`);
  if (row === undefined) throw new Error("a change that was just asked for is not there");
  return row;
}

/** Records that a second admin agrees to a merchant change; {@link completeChange} carries it out. */
export async function agreeToChange(tx: Tx, id: string, operatorId: string, at: Date): Promise<void> {
  await tx`update broker.merchant_changes set agreed_by = ${operatorId}, agreed_at = ${at} where id = ${id}`;
}

/**
 * Records that the merchant's user agrees to a merchant change, and with which passkey; {@link completeChange} carries
 * it out.
 */
export async function agreeAsUser(tx: Tx, id: string, passkeyId: string, at: Date): Promise<void> {
  await tx`
    update broker.merchant_changes set user_agreed_at = ${at}, passkey_id = ${passkeyId} where id = ${id}`;
}

/** Ends a merchant change that is not carried out: withdrawn by an admin, or refused by the merchant's user. */
export async function endChange(tx: Tx, id: string, outcome: "withdrawn" | "refused", at: Date): Promise<void> {
  await tx`update broker.merchant_changes set ended_at = ${at}, outcome = ${outcome} where id = ${id}`;
}

/**
 * Carries a locked merchant change out once everybody who has to agree has, and returns its row as it stands then. The
 * keys that it lists gain the powers, and no other: neither one that was made since, nor one that nobody was shown.
 */
export async function completeChange(tx: Tx, id: string, at: Date): Promise<ChangeRow> {
  const [row] = await readChanges(tx, tx`c.id = ${id}`);
  if (row === undefined) throw new Error("a change that was locked is not there");
  const waits = row.agreed_by === null || (row.needs_user && row.user_agreed_at === null);
  if (waits || !isOpen(row, at)) return row;
  const { first_party: firstParty, sells_top_ups: sellsTopUps, refunds } = row;
  const isOfKeys = !firstParty && !sellsTopUps && !refunds;
  await tx`
    update broker.merchants set first_party = first_party or ${firstParty},
      sells_top_ups = sells_top_ups or ${sellsTopUps}, refunds = refunds or ${refunds}
    where id = ${row.merchant_id}`;
  await tx`
    update broker.merchant_keys k set first_party = k.first_party or (m.first_party and ${isOfKeys || firstParty}),
      sells_top_ups = k.sells_top_ups or (m.sells_top_ups and ${isOfKeys || sellsTopUps}),
      refunds = k.refunds or (m.refunds and ${isOfKeys || refunds})
    from broker.merchant_change_keys l, broker.merchants m
    where l.change_id = ${id} and k.key_hash = l.key_hash and m.id = k.merchant_id and k.revoked_at is null`;
  await tx`update broker.merchant_changes set ended_at = ${at}, outcome = 'done' where id = ${id}`;
  return { ...row, ended_at: at, outcome: "done" };
}

/**
 * Withdraws the open merchant changes that an operator asked for or agreed to: a disabled operator decides nothing any
 * more.
 */
export async function endChangesOf(tx: Tx, operatorId: string, at: Date): Promise<void> {
  await tx`
    update broker.merchant_changes set ended_at = ${at}, outcome = 'withdrawn'
    where ended_at is null and (made_by = ${operatorId} or agreed_by = ${operatorId})`;
}
