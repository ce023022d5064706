import type { Sql, Tx } from "../../../database/connect.ts";

/** Most look-ups of one asker in a minute, whatever they find. */
const A_MINUTE = 10;
/** Most look-ups of one asker in 24 hours that led to no sale. */
const FRUITLESS_A_DAY = 60;
/** Most look-ups in a minute of all tills of a merchant: it names its tills as it likes, as many as it likes. */
const A_MINUTE_TOGETHER = 60;
/** Most look-ups in 24 hours of all tills of a merchant, those that led to a sale included. */
const A_DAY_TOGETHER = 2_000;
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * 60_000;
/** Retention of look-ups: twice the day for which they count. */
const KEPT_MS = 2 * DAY_MS;

/** A look-up to count before it is made. */
export interface NewLookUp {
  readonly id: string;
  /** The till or person that asks, so that limits go on from one session of a till to the next. */
  readonly asker: string;
  /** The merchant or person that answers for the asker, however many askers it makes of itself. */
  readonly account: string;
  readonly at: Date;
}

/** The user whom a look-up found, with the hash and expiry of the handle that stands for the user. */
export interface Found {
  readonly handle_hash: Uint8Array;
  readonly user_id: string;
  /** The name as the asker was told it. */
  readonly masked_name: string;
  readonly expires_at: Date;
}

/**
 * The user for whom a look-up's handle stands, the look-up's id, and if the handle is good: given to this asker, and
 * not expired.
 */
export interface KnownHandle extends Pick<Found, "user_id" | "masked_name"> {
  readonly id: string;
  /** True if the handle was given to this asker and has not expired. */
  readonly is_good: boolean;
}

/** For each limit, the oldest of the look-ups that use it up; null while there are fewer. */
interface Counted {
  readonly asker_minute: Date | null;
  readonly asker_day: Date | null;
  readonly account_minute: Date | null;
  readonly account_day: Date | null;
}

async function secondsUntilAllowed(tx: Tx, { asker, account, at }: NewLookUp): Promise<number> {
  const [minute, day] = [new Date(at.getTime() - MINUTE_MS), new Date(at.getTime() - DAY_MS)];
  const [counted] = await tx<Counted[]>`
    select (select asked_at from broker.look_ups where asker = ${asker} and asked_at > ${minute}
        order by asked_at desc offset ${A_MINUTE - 1} limit 1) as asker_minute,
      (select asked_at from broker.look_ups where asker = ${asker} and asked_at > ${day} and sold_at is null
        order by asked_at desc offset ${FRUITLESS_A_DAY - 1} limit 1) as asker_day,
      (select asked_at from broker.look_ups where account = ${account} and asked_at > ${minute}
        order by asked_at desc offset ${A_MINUTE_TOGETHER - 1} limit 1) as account_minute,
      (select asked_at from broker.look_ups where account = ${account} and asked_at > ${day}
        order by asked_at desc offset ${A_DAY_TOGETHER - 1} limit 1) as account_day`;
  if (counted === undefined) return 0;
  const ends = [
    ...[counted.asker_minute, counted.account_minute].map((used) => (used ? used.getTime() + MINUTE_MS : 0)),
    ...[counted.asker_day, counted.account_day].map((used) => (used ? used.getTime() + DAY_MS : 0)),
  ];
  return Math.max(0, Math.ceil((Math.max(...ends) - at.getTime()) / 1000));
}

/**
 * Counts a look-up before the service is asked: 0 when it is within all limits, else the seconds until it would be.
 * Look-ups of one account are serialised across processes, so that no two take the last place.
 */
export function countLookUp(sql: Sql, lookUp: NewLookUp): Promise<number> {
  const { id, asker, account, at } = lookUp;
  return sql.begin(async (tx) => {
    await tx`
      insert into broker.look_up_accounts (account, last_asked_at) values (${account}, ${at})
      on conflict (account) do update set last_asked_at = excluded.last_asked_at`;
    const waitSeconds = await secondsUntilAllowed(tx, lookUp);
    if (waitSeconds > 0) return waitSeconds;
    await tx`
      insert into broker.look_ups (id, asker, account, asked_at) values (${id}, ${asker}, ${account}, ${at})`;
    return 0;
  });
}

/** Deletes a counted look-up that the service did not answer: it revealed nothing. */
export async function uncountLookUp(sql: Sql, id: string): Promise<void> {
  await sql`delete from broker.look_ups where id = ${id} and user_id is null`;
}

/** Stores the user whom a look-up found; a miss makes the same write, so that it takes as long. */
export async function keepFound(sql: Sql, id: string, found: Found | undefined): Promise<void> {
  const { handle_hash = null, user_id = null, masked_name = null, expires_at = null } = found ?? {};
  await sql`
    update broker.look_ups set handle_hash = ${handle_hash}, user_id = ${user_id}, masked_name = ${masked_name},
      expires_at = ${expires_at}
    where id = ${id}`;
}

/**
 * Finds the user for whom a handle stands that a look-up of this account gave, and if it is good: `is_good` is false
 * for an expired handle, and for one of another asker of the account. Undefined where no look-up of the account gave
 * it.
 */
export async function findHandle(
  sql: Sql | Tx,
  { asker, account, at }: Omit<NewLookUp, "id">,
  handleHash: Uint8Array,
): Promise<KnownHandle | undefined> {
  const [row] = await sql<KnownHandle[]>`
    select id, user_id, masked_name, asker = ${asker} and expires_at > ${at} as is_good from broker.look_ups
    where handle_hash = ${handleHash} and account = ${account}`;
  return row;
}

/**
 * Records that a look-up led to an approved sale or transfer, so that it no longer counts as fruitless for the asker's
 * daily limit.
 */
export async function markSold(tx: Tx, id: string, at: Date): Promise<void> {
  await tx`update broker.look_ups set sold_at = coalesce(sold_at, ${at}) where id = ${id}`;
}

/** Deletes look-ups older than 48 hours, which no limit counts any more, and accounts without any. */
export async function forgetLookUps(sql: Sql, now: Date): Promise<void> {
  const before = new Date(now.getTime() - KEPT_MS);
  await sql`delete from broker.look_ups where asked_at < ${before}`;
  await sql`
    delete from broker.look_up_accounts a
    where last_asked_at < ${before} and not exists (select from broker.look_ups l where l.account = a.account)`;
}
