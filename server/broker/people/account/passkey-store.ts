import type { Sql, SqlPart, Tx } from "../../../database/connect.ts";
import { isFrozen } from "../../access/freeze-store.ts";

/** A stored passkey: one device of a person. */
export interface Passkey {
  readonly id: string;
  readonly personId: string;
  readonly credentialId: Uint8Array;
  readonly publicKey: Uint8Array;
  readonly counter: number;
  readonly transports: readonly string[];
  readonly name: string;
  readonly createdAt: Date;
  readonly lastUsedAt: Date | null;
  /** Until then the device reads, and does not pay. */
  readonly mayPayFrom: Date;
  /** True if another device may remove it within its first day: one operator decided its enrolment. */
  readonly isRefusable: boolean;
}

/** The columns of a passkey `k`, named as {@link Passkey} names them. */
function columns(sql: Sql | Tx): SqlPart {
  return sql`k.id, k.person_id as "personId", k.credential_id as "credentialId", k.public_key as "publicKey",
    k.counter::float8 as counter, k.transports, k.name, k.created_at as "createdAt", k.last_used_at as "lastUsedAt",
    k.may_pay_from as "mayPayFrom", k.refusable as "isRefusable"`;
}

/** A passkey, and `isSuspended`: true while its person is frozen. */
export interface FoundPasskey extends Passkey {
  readonly isSuspended: boolean;
}

/** Finds the passkey with that credential id, unless it was removed or its person was disabled. */
export async function findPasskey(sql: Sql | Tx, credentialId: Uint8Array): Promise<FoundPasskey | undefined> {
  const [found] = await sql<FoundPasskey[]>`
    select ${columns(sql)}, ${isFrozen(sql, sql`p.user_id`)} as "isSuspended"
    from broker.passkeys k join broker.people p on p.id = k.person_id
    where k.credential_id = ${credentialId} and k.removed_at is null and p.disabled_at is null`;
  return found;
}

/** Lists a person's passkeys that were not removed, newest first. */
export function livePasskeys(sql: Sql | Tx, personId: string): Promise<readonly Passkey[]> {
  return sql<Passkey[]>`
    select ${columns(sql)} from broker.passkeys k where person_id = ${personId} and removed_at is null
    order by created_at desc, id desc`;
}

/**
 * Records the use of a passkey and its signature counter; undefined where the passkey was removed meanwhile, or another
 * use with this counter or a higher one was recorded first. Synchronised passkeys do not count and always report 0.
 */
export async function markUsed(
  sql: Sql | Tx,
  { id }: Passkey,
  counter: number,
  at: Date,
): Promise<Passkey | undefined> {
  const [used] = await sql<Passkey[]>`
    update broker.passkeys k set counter = ${counter}, last_used_at = ${at}
    where id = ${id} and removed_at is null and (counter < ${counter} or (counter = 0 and ${counter} = 0))
    returning ${columns(sql)}`;
  return used;
}

/** A passkey to store. */
export interface NewPasskey extends Omit<Passkey, "createdAt" | "lastUsedAt" | "mayPayFrom"> {
  readonly now: Date;
  /** True if it may not pay until the entity's `new_device_hours` have passed. */
  readonly delayed: boolean;
}

/** Stores a new passkey; undefined where its credential id is stored already. */
export async function insertPasskey(tx: Tx, made: NewPasskey): Promise<Passkey | undefined> {
  const { id, personId, credentialId, publicKey, counter, transports, name, now, delayed, isRefusable } = made;
  const [kept] = await tx<Passkey[]>`
    insert into broker.passkeys as k
      (id, person_id, credential_id, public_key, counter, transports, name, created_at, refusable, may_pay_from)
    select ${id}, ${personId}, ${credentialId}, ${publicKey}, ${counter}, ${tx.array([...transports])}, ${name}, ${now},
      ${isRefusable}, ${now}::timestamptz + case when ${delayed} then new_device_hours else 0 end * interval '1 hour'
    from broker.entity_rules
    on conflict (credential_id) do nothing
    returning ${columns(tx)}`;
  return kept;
}

/**
 * Records when a person of the app got the first passkey ever, once it is stored: from then the entity's new-device
 * limit holds. Returns true if it was the first.
 */
export async function markFirstDevice(tx: Tx, personId: string, at: Date): Promise<boolean> {
  const first = await tx`
    update broker.people set first_device_at = ${at}
    where id = ${personId} and role = 'person'
      and (select count(*) from broker.passkeys where person_id = ${personId}) = 1
    returning id`;
  return first.length > 0;
}

/** Gives one of a person's passkeys another name; undefined where the person has none with that id. */
export async function renamePasskey(sql: Tx, personId: string, id: string, name: string): Promise<Passkey | undefined> {
  const [renamed] = await sql<Passkey[]>`
    update broker.passkeys k set name = ${name} where id = ${id} and person_id = ${personId} and removed_at is null
    returning ${columns(sql)}`;
  return renamed;
}

/** Removes a passkey for good; its database row stays, so that the same credential is never registered again. */
export async function removePasskey(tx: Tx, id: string, at: Date): Promise<void> {
  await tx`update broker.passkeys set removed_at = ${at} where id = ${id} and removed_at is null`;
}

/** Removes all passkeys of a person but one; returns how many it removed. */
export async function retirePasskeys(tx: Tx, personId: string, but: string, at: Date): Promise<number> {
  const retired = await tx`
    update broker.passkeys set removed_at = ${at}
    where person_id = ${personId} and id <> ${but} and removed_at is null returning id`;
  return retired.length;
}

/** Counts a person's passkeys that may not pay yet, except the passkey `but`, which is that of the asking session. */
export async function countNewPasskeys(sql: Sql, personId: string, but: string | undefined, at: Date): Promise<number> {
  const rows = await sql`
    select from broker.passkeys
    where person_id = ${personId} and removed_at is null and may_pay_from > ${at}
      and id is distinct from ${but ?? null}`;
  return rows.length;
}
