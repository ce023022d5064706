import type { Sql, Tx } from "../../../database/connect.ts";
import { isFrozen } from "../../access/freeze-store.ts";

/** A stored passkey: one device of a person. */
export interface Passkey {
  readonly id: string;
  readonly personId: string;
  readonly credentialId: Uint8Array<ArrayBuffer>;
  readonly publicKey: Uint8Array<ArrayBuffer>;
  readonly counter: number;
  readonly transports: readonly string[];
  readonly name: string;
  readonly createdAt: Date;
  readonly lastUsedAt: Date | undefined;
  /** Until then the device reads, and does not pay. */
  readonly mayPayFrom: Date;
  /** True if another device may remove it within its first day: one operator decided its enrolment. */
  readonly isRefusable: boolean;
}

interface PasskeyRow {
  readonly id: string;
  readonly person_id: string;
  readonly credential_id: Uint8Array;
  readonly public_key: Uint8Array;
  readonly counter: bigint;
  readonly transports: readonly string[];
  readonly name: string;
  readonly created_at: Date;
  readonly last_used_at: Date | null;
  readonly may_pay_from: Date;
  readonly refusable: boolean;
}

function toPasskey(row: PasskeyRow): Passkey {
  return {
    id: row.id,
    personId: row.person_id,
    credentialId: new Uint8Array(row.credential_id),
    publicKey: new Uint8Array(row.public_key),
    counter: Number(row.counter),
    transports: row.transports,
    name: row.name,
    createdAt: row.created_at,
    lastUsedAt: row.last_used_at ?? undefined,
    mayPayFrom: row.may_pay_from,
    isRefusable: row.refusable,
  };
}

/** A passkey, and `isSuspended`: true while its person is frozen. */
export interface FoundPasskey extends Passkey {
  readonly isSuspended: boolean;
}

/** Finds the passkey with that credential id, unless it was removed or its person was disabled. */
export async function findPasskey(sql: Sql | Tx, credentialId: Uint8Array): Promise<FoundPasskey | undefined> {
  const [row] = await sql<(PasskeyRow & { is_suspended: boolean })[]>`
    select k.*, ${isFrozen(sql, sql`p.user_id`)} as is_suspended
    from broker.passkeys k join broker.people p on p.id = k.person_id
    where k.credential_id = ${credentialId} and k.removed_at is null and p.disabled_at is null`;
  return row && { ...toPasskey(row), isSuspended: row.is_suspended };
}

/** Lists a person's passkeys that were not removed, newest first. */
export async function livePasskeys(sql: Sql | Tx, personId: string): Promise<readonly Passkey[]> {
  const rows = await sql<PasskeyRow[]>`
    select * from broker.passkeys where person_id = ${personId} and removed_at is null
    order by created_at desc, id desc`;
  return rows.map(toPasskey);
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
  const [row] = await sql<PasskeyRow[]>`
    update broker.passkeys set counter = ${counter}, last_used_at = ${at}
    where id = ${id} and removed_at is null and (counter < ${counter} or (counter = 0 and ${counter} = 0))
    returning *`;
  return row && toPasskey(row);
}

/** A passkey to store. */
export interface NewPasskey
  extends Pick<Passkey, "id" | "personId" | "counter" | "transports" | "name" | "isRefusable"> {
  readonly credentialId: Uint8Array;
  readonly publicKey: Uint8Array;
  readonly now: Date;
  /** True if it may not pay until the entity's `new_device_hours` have passed. */
  readonly delayed: boolean;
}

/** Stores a new passkey; undefined where its credential id is stored already. */
export async function insertPasskey(tx: Tx, made: NewPasskey): Promise<Passkey | undefined> {
  const { id, personId, credentialId, publicKey, counter, transports, name, now, delayed, isRefusable } = made;
  const [row] = await tx<PasskeyRow[]>`
    insert into broker.passkeys
      (id, person_id, credential_id, public_key, counter, transports, name, created_at, refusable, may_pay_from)
    select ${id}, ${personId}, ${credentialId}, ${publicKey}, ${counter}, ${tx.array([...transports])}, ${name}, ${now},
      ${isRefusable}, ${now}::timestamptz + case when ${delayed} then new_device_hours else 0 end * interval '1 hour'
    from broker.entity_rules
    on conflict (credential_id) do nothing
    returning *`;
  return row && toPasskey(row);
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
  const [row] = await sql<PasskeyRow[]>`
    update broker.passkeys set name = ${name} where id = ${id} and person_id = ${personId} and removed_at is null
    returning *`;
  return row && toPasskey(row);
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
