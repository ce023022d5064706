import { type AccountChange, accountChangeKinds } from "../../../../src/contract/broker/account-changes.ts";
import type { Sql, Tx } from "../../../database/connect.ts";

/** A stored account change, with the sign-in session that made it. */
export interface AccountChangeRow {
  readonly id: string;
  readonly person_id: string;
  readonly kind: AccountChange["kind"];
  readonly session_hash: Uint8Array | null;
  readonly made_at: Date;
}

/** An account change to store. */
export interface NewAccountChange {
  readonly id: string;
  readonly personId: string;
  readonly kind: AccountChange["kind"];
  /** The session that made it, whose browser is not notified; absent where an operator or a command did. */
  readonly sessionHash?: Uint8Array | undefined;
  readonly now: Date;
}

/** A notification pending longer was left by a process that died, or by a command; other makers send it sooner. */
const LEFT_AFTER_MS = 5_000;
/** The age at which an undelivered push message lapses: it would be news of the day before. */
const TOLD_WITHIN_MS = 24 * 60 * 60_000;
/** Changes listed of each kind: many changes of one hide none of another. */
const LISTED = 20;

/** Stores an account change in the transaction that makes it; its push message follows the commit. */
export async function keepAccountChange(
  tx: Sql | Tx,
  { id, personId, kind, sessionHash, now }: NewAccountChange,
): Promise<void> {
  await tx`
    insert into broker.account_changes (id, person_id, kind, session_hash, made_at)
    values (${id}, ${personId}, ${kind}, ${sessionHash ?? null}, ${now})`;
}

/** Claims a person's account changes for which no push message was sent yet; concurrent callers get disjoint ones. */
export function claimUnnotified(sql: Sql, personId: string, at: Date): Promise<readonly AccountChangeRow[]> {
  return sql<AccountChangeRow[]>`
    update broker.account_changes set told_at = ${at} where person_id = ${personId} and told_at is null
    returning id, person_id, kind, session_hash, made_at`;
}

/**
 * Returns the ids of up to 100 people with an account change that was made between five seconds and a day ago and
 * never claimed for a push message: a process that died, or a command, left it.
 */
export async function peopleToNotify(sql: Sql, at: Date): Promise<readonly string[]> {
  const before = (durationMs: number) => new Date(at.getTime() - durationMs);
  const rows = await sql<{ person_id: string }[]>`
    select distinct person_id from broker.account_changes
    where told_at is null and made_at < ${before(LEFT_AFTER_MS)} and made_at > ${before(TOLD_WITHIN_MS)} limit 100`;
  return rows.map(({ person_id: personId }) => personId);
}

/** Lists the last 20 account changes of each kind of a person, latest first. */
export function lastAccountChanges(sql: Sql, personId: string): Promise<readonly AccountChangeRow[]> {
  return sql<AccountChangeRow[]>`
    select c.* from unnest(${sql.array([...accountChangeKinds])}::text[]) as listed (kind)
      cross join lateral (
        select id, person_id, kind, session_hash, made_at from broker.account_changes
        where person_id = ${personId} and kind = listed.kind order by made_at desc, id desc limit ${LISTED}) as c
    order by c.made_at desc, c.id desc`;
}
