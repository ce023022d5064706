import type { Tx } from "../../database/connect.ts";
import type { LockSet } from "../decide/lock-set.ts";
import type { Versioned } from "../memory/remembered-rows.ts";
import type { VersionedState } from "../memory/remembered-state.ts";
import { snakeCase, type Table } from "../model/columns.ts";
import type { TransactionRecord } from "../model/command.ts";
import type { CreditRecord } from "../model/credit-commands.ts";
import type { QrRecord } from "../model/qr-commands.ts";
import { asRecorded } from "../model/recorded-payment.ts";
import {
  type AccrualsSince,
  type EntityState,
  type IdempotencyRecord,
  idempotencyScope,
  type KeptAnswer,
  type LedgerAccount,
  type State,
  type StoredAnswer,
  USER_DETAILS,
  type UserState,
} from "../model/state.ts";
import { ACCOUNTS, CREDITS, QR_RESERVATIONS, TRANSACTIONS, USERS } from "../model/tables.ts";
import type { WholeUser } from "../model/user-commands.ts";
import { clockColumns, type ToldClock, type ToldClockRow, toldClockOf } from "./clock-marks.ts";
import { type ExposureReading, loadExposures } from "./load-exposures.ts";
import { columnsOf } from "./table-statements.ts";

/**
 * The state that was read for a batch, with the versions of its rows where a writer may remember them, and the
 * database's clock readings at that read.
 */
export interface LoadedState extends Omit<State, keyof VersionedState>, VersionedState {
  /** Undefined when there is none of the entities that the batch names. */
  readonly clock: ToldClock | undefined;
}

/** Reads rows by their keys, and locks them in the order of the keys unless they are only looked at. */
async function lockRows<R extends object>(
  tx: Tx,
  table: Table,
  keys: readonly string[],
  locks: boolean,
): Promise<Map<string, R>> {
  if (keys.length === 0) return new Map();
  const [key = ""] = Object.keys(table.key);
  const column = tx(snakeCase(key));
  const rows = await tx<R[]>`
    select ${columnsOf(tx, table)}
    from ${tx(`service.${table.name}`)} where ${column} = any(${keys as string[]})
    order by ${column} ${locks ? tx`for update` : tx``}`;
  return new Map(rows.map((row) => [String(row[key as keyof R]), row]));
}

/**
 * Users by id; only a registration and a change look by nit and phone as well. All three in one condition would make
 * PostgreSQL read every user.
 */
async function readUsers(tx: Tx, { userIds, nits, phones }: LockSet): Promise<(UserState & Versioned)[]> {
  const columns = tx`${columnsOf(tx, USERS, USER_DETAILS)}, version`;
  const reads: Promise<(UserState & Versioned)[]>[] = [];
  if (userIds.length > 0) {
    reads.push(tx`select ${columns} from service.users where id = any(${userIds as string[]})`);
  }
  if (nits.length > 0 || phones.length > 0) {
    reads.push(tx`select ${columns} from service.users
      where nit = any(${nits as string[]}) or phone = any(${phones as string[]})`);
  }
  return (await Promise.all(reads)).flat();
}

/** A credit's row as the driver reads it: numeric columns are text. */
export type CreditRow = Omit<CreditRecord, "accrualNumerator"> & { readonly accrualNumerator: string };

/** A credit from its row. */
export function creditOf(row: CreditRow): CreditRecord {
  return { ...row, accrualNumerator: BigInt(row.accrualNumerator) };
}

/** Credits need no lock of their own: they change only while the account of their user is locked. */
async function readCredits(tx: Tx, { debtors, creditIds }: LockSet): Promise<Map<string, CreditRecord>> {
  if (debtors.length === 0) return new Map();
  const rows = await tx<CreditRow[]>`
    select ${columnsOf(tx, CREDITS)} from service.credits
    where (user_id, entity_id) in (select user_id, entity_id
      from json_to_recordset(${JSON.stringify(debtors)}::text::json) as d(user_id uuid, entity_id uuid))
      and (state in ('open', 'written_off') or id = any(${creditIds as string[]}))`;
  return new Map(rows.map((row) => [row.id, creditOf(row)]));
}

/** Of credits whose interest is taken back; those of one batch are taken back from the earliest of their days. */
async function readAccruals(tx: Tx, { reversals }: LockSet): Promise<Map<string, AccrualsSince>> {
  if (reversals.length === 0) return new Map();
  const rows = await tx<{ id: string; days: string | null; movedOn: string; movement: string }[]>`
    with asked as (select credit_id, min(since) as since
      from json_to_recordset(${JSON.stringify(reversals)}::text::json) as r(credit_id uuid, since date)
      group by credit_id)
    select r.credit_id as id, m.day::text as "movedOn", m.posting_id as movement, (
      select json_agg(json_build_array(day, amount::text, posting_id) order by day) from (
        select a.day, sum(a.amount) as amount, (array_agg(a.posting_id order by a.posting_id desc))[1] as posting_id
        from service.credit_accruals a where a.credit_id = r.credit_id and a.day >= r.since
        group by a.day having sum(a.amount) <> 0) d) as days
    from asked r cross join lateral (select day, posting_id from service.credit_movements
      where credit_id = r.credit_id order by sequence_number desc limit 1) m`;
  return new Map(
    rows.map(({ id, days, movedOn, movement }) => {
      const read = JSON.parse(days ?? "[]") as [string, string, string][];
      const accrued = read.map(([day, amount, postingId]) => ({ day, amount: BigInt(amount), postingId }));
      return [id, { days: accrued, lastMovement: { day: movedOn, postingId: movement } }];
    }),
  );
}

/**
 * The share lock makes whoever closes a month or changes settings wait for this batch, and the next one see it. Who
 * made a QR is told of its payment, and need be none of the parties.
 */
async function lockEntities(
  tx: Tx,
  { entityIds, qrReferences }: LockSet,
  locks: boolean,
): Promise<Pick<LoadedState, "entities" | "clock">> {
  const makers =
    qrReferences.length === 0
      ? tx``
      : tx`or id in (select made_by from service.qr_reservations where reference = any(${qrReferences as string[]}))`;
  const rows = await tx<(EntityState & Versioned & ToldClockRow)[]>`
    select ${clockColumns(tx)}, id, version, closed_through::text as "closedThrough",
      blocking_statuses as "blockingStatuses", payment_limit as "paymentLimit", daily_limit as "dailyLimit",
      transfer_limit as "transferLimit", foreign_debts as "foreignLenders", lenders,
      sends_events as "sendsEvents",
      case when sends_events then array(select distinct unnest(w.event_types) from service.webhook_endpoints w
        where w.entity_id = entities.id and w.disabled_at is null) else '{}' end as "eventTypes"
    from service.entities where id = any(${entityIds as string[]}) ${makers}
    order by id ${locks ? tx`for share` : tx``}`;
  const entities = rows.map(({ databaseAt: _at, markId: _id, markKind: _kind, ...entity }) => entity);
  return { entities: new Map(entities.map((entity) => [entity.id, entity])), clock: rows[0] && toldClockOf(rows[0]) };
}

interface KeptRow {
  readonly entity_id: string;
  readonly operation: string;
  readonly key: string;
  readonly fingerprint: string;
  readonly answer: string | null;
  readonly transaction_id: string | null;
}

/** The limit keeps PostgreSQL to one look into the index per key: a join may be planned as reading the whole table. */
async function readIdempotency(tx: Tx, keys: LockSet["keys"]): Promise<Map<string, IdempotencyRecord>> {
  if (keys.length === 0) return new Map();
  const rows = await tx<KeptRow[]>`
    select r.entity_id, r.operation, r.key, r.fingerprint, r.answer, r.transaction_id
    from unnest(${keys.map(({ entity_id }) => entity_id)}::uuid[], ${keys.map(({ client_id }) => client_id)}::text[],
      ${keys.map(({ operation }) => operation)}::text[], ${keys.map(({ key }) => key)}::text[])
      as k(entity_id, client_id, operation, key)
    cross join lateral (
      select * from service.idempotency_records
      where entity_id = k.entity_id and operation = k.operation and key = k.key and only_for in ('', k.client_id)
      order by only_for desc limit 1) as r`;
  const ids = rows.flatMap((row) => row.transaction_id ?? []);
  const payments = await lockRows<TransactionRecord>(tx, TRANSACTIONS, ids, false);
  return new Map(
    rows.map((row) => [
      idempotencyScope({ entityId: row.entity_id, operation: row.operation }, row.key),
      { fingerprint: row.fingerprint, answer: answerOf(row, payments) },
    ]),
  );
}

function answerOf(row: KeptRow, payments: ReadonlyMap<string, TransactionRecord>): KeptAnswer {
  const { answer, transaction_id: id } = row;
  if (answer !== null) return JSON.parse(answer) as StoredAnswer;
  const payment = id === null ? undefined : payments.get(id);
  if (payment === undefined) throw new Error(`the answer to the key ${row.key} names no payment`);
  return { recorded: asRecorded(payment) };
}

/**
 * Locks and reads every row of a batch, in one order (payments, QRs, accounts by id, entities, then limits and their
 * slices): processes wait for one another and never deadlock. The statements go out together; what has no lock of its
 * own is read after the locks that guard it, so that it is current. Without locks for a preview, whose snapshot is one
 * instant anyway.
 */
export async function loadState(
  tx: Tx,
  touched: LockSet,
  { locks, ...reading }: ExposureReading & { readonly locks: boolean },
): Promise<LoadedState> {
  const accountIds = [...new Set([...touched.userIds, ...touched.entityAccounts.keys()])].sort();
  const [
    transactions,
    qrs,
    accounts,
    { entities, clock },
    exposures,
    users,
    wholeUsers,
    credits,
    accruals,
    idempotency,
  ] = await Promise.all([
    lockRows<TransactionRecord>(tx, TRANSACTIONS, touched.transactionIds, locks),
    lockRows<QrRecord>(tx, QR_RESERVATIONS, touched.qrReferences, locks),
    lockRows<LedgerAccount>(tx, ACCOUNTS, accountIds, locks),
    lockEntities(tx, touched, locks),
    loadExposures(tx, touched.directions, { ...reading, locks }),
    readUsers(tx, touched),
    lockRows<WholeUser>(tx, USERS, touched.wholeUserIds, false),
    readCredits(tx, touched),
    readAccruals(tx, touched),
    readIdempotency(tx, touched.keys),
  ]);
  return {
    transactions,
    qrs,
    accounts,
    entities,
    exposures,
    wholeUsers,
    credits,
    accruals,
    idempotency,
    clock,
    users: new Map(users.map((user) => [user.id, user])),
    identities: new Map(
      users.flatMap((user) => [
        [`nit:${user.nit}`, user.id],
        [`phone:${user.phone}`, user.id],
      ]),
    ),
  };
}
