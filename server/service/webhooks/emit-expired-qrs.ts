import type { Sql, Tx } from "../../database/connect.ts";
import type { LedgerEvent } from "../../ledger/model/events.ts";
import type { QrRecord } from "../../ledger/model/qr-commands.ts";
import { QR_RESERVATIONS } from "../../ledger/model/tables.ts";
import { ON_ITS_WAY_MS } from "../../ledger/storage/check-remembered.ts";
import { type EventBody, saveEvents } from "../../ledger/storage/save-events.ts";
import { columnsOf } from "../../ledger/storage/table-statements.ts";

/** The dependencies of writing events for expired codes. */
export interface ExpiryOptions {
  readonly sql: Sql;
  readonly clock: () => Date;
  readonly newId: () => string;
  readonly eventBody: EventBody;
}

/** Longer than the clocks of two processes may differ: one of them might still take a payment. */
const GRACE_MS = 5_000 + ON_ITS_WAY_MS;
const CODES_AT_ONCE = 500;
/** A backlog goes on with the next call. */
const MOST_ROUNDS = 100;

interface ExpiredQr extends QrRecord {
  /** True if the entity that made it receives events. */
  readonly sendsEvents: boolean;
}

/** Locks the one row that says through when events were written; undefined while another process holds it. */
async function lockWatch(tx: Tx, now: Date): Promise<Date | undefined> {
  await tx`insert into service.told_expiries (id, told_through) values (true, ${now}) on conflict (id) do nothing`;
  const [watch] = await tx<{ told_through: Date }[]>`
    select told_through from service.told_expiries for update skip locked`;
  return watch?.told_through;
}

/** The end of this round: a full round ends with the last of its codes, and all that expire with it. */
async function roundEnd(tx: Tx, from: Date, to: Date): Promise<Date> {
  const [last] = await tx<{ expires_at: Date }[]>`
    select expires_at from service.qr_reservations where expires_at > ${from} and expires_at <= ${to}
    order by expires_at offset ${CODES_AT_ONCE - 1} limit 1`;
  return last?.expires_at ?? to;
}

/** Locks the unpaid codes, and waits for payments of them under way; codes that those pay are left out. */
function lockUnpaid(tx: Tx, from: Date, to: Date): Promise<readonly ExpiredQr[]> {
  return tx<ExpiredQr[]>`
    select ${columnsOf(tx, QR_RESERVATIONS)},
      (select e.sends_events from service.entities e where e.id = q.made_by) as "sendsEvents"
    from service.qr_reservations q
    where expires_at > ${from} and expires_at <= ${to} and transaction_id is null and cancelled_at is null
    order by reference for update of q`;
}

/** Runs one round in one database transaction; returns the number of events, and whether there may be more. */
async function emitRound(tx: Tx, options: ExpiryOptions): Promise<{ readonly told: number; readonly goesOn: boolean }> {
  const now = options.clock();
  const from = await lockWatch(tx, now);
  const to = new Date(now.getTime() - GRACE_MS);
  if (from === undefined || from >= to) return { told: 0, goesOn: false };
  const end = await roundEnd(tx, from, to);
  const expired = await lockUnpaid(tx, from, end);
  const events = expired.flatMap(({ sendsEvents, ...qr }): LedgerEvent[] =>
    sendsEvents
      ? [{ id: options.newId(), entityId: qr.madeBy, event: { type: "qr.expired", qr }, createdAt: now }]
      : [],
  );
  await Promise.all(saveEvents(tx, events, options.eventBody));
  await tx`update service.told_expiries set told_through = ${end}`;
  return { told: events.length, goesOn: end < to };
}

/**
 * Writes `qr.expired` for each dynamic code that expired unpaid, to the entity that made it if it receives events:
 * once, however many processes do so. Returns how many events.
 */
export async function emitExpiredQrEvents(options: ExpiryOptions): Promise<number> {
  let told = 0;
  for (let number = 0; number < MOST_ROUNDS; number += 1) {
    const round = await options.sql.begin("isolation level read committed", (tx) => emitRound(tx, options));
    told += round.told;
    if (!round.goesOn) break;
  }
  return told;
}
