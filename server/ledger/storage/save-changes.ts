import { randomBytes } from "node:crypto";
import type { Tx } from "../../database/connect.ts";
import type { RecordOf } from "../model/columns.ts";
import { type AccountKey, type Changes, type LedgerAccount, openAccount, type PostingTime } from "../model/state.ts";
import {
  ACCOUNT_DAYS,
  ACCOUNTS,
  CREDIT_ACCRUALS,
  CREDIT_MOVEMENTS,
  CREDITS,
  ENTITY_ENTRIES,
  ENTRIES,
  IDEMPOTENCY_RECORDS,
  POSTINGS,
  QR_RESERVATIONS,
  TRANSACTION_CHANGES,
  TRANSACTION_STATUS_CHANGES,
  TRANSACTIONS,
  TRANSFERS,
  USERS,
} from "../model/tables.ts";
import { type EventBody, saveEvents } from "./save-events.ts";
import { saveExposures } from "./save-exposures.ts";
import { saveRollUps } from "./save-roll-ups.ts";
import { insert, insertMissing, update } from "./table-statements.ts";

/** What the saving of a batch needs besides its changes. */
export interface SaveOptions {
  readonly moment: PostingTime;
  readonly eventBody: EventBody;
  /** The version of the rows that are changed. */
  readonly version: bigint;
}

/** Draws a version that no other change has. */
export function drawVersion(): bigint {
  return randomBytes(8).readBigInt64BE();
}

function registeredUsers({ users }: Changes): RecordOf<typeof USERS>[] {
  return users.map((user) => ({ ...user, blockedAt: null, importedHistory: "[]", changedId: user.id }));
}

function idempotencyRecords({ idempotency }: Changes, createdAt: Date): RecordOf<typeof IDEMPOTENCY_RECORDS>[] {
  // In the order of their key: two processes that insert the same keys wait for each other and never deadlock.
  const sorted = [...idempotency].sort(([left], [right]) => (left < right ? -1 : 1));
  return sorted.map(([, { answer, ...record }]) => {
    return { ...record, answer: record.transactionId === null ? JSON.stringify(answer) : null, createdAt };
  });
}

function postingRecords({ postings }: Changes, slot: number): RecordOf<typeof POSTINGS>[] {
  return postings.map(({ id, kind, reference, day, createdAt }) => {
    return { id, kind, reference, businessDay: day, slot, createdAt };
  });
}

function entityEntries({ entries, accounts }: Changes): RecordOf<typeof ENTITY_ENTRIES>[] {
  return entries.flatMap((entry) => {
    const account = accounts.get(entry.accountId);
    if (account === undefined || account.kind === "user_quota") return [];
    return [{ ...entry, entityId: account.entityId, kind: account.kind }];
  });
}

function transactionChanges({ changedTransactions }: Changes): RecordOf<typeof TRANSACTION_CHANGES>[] {
  return [...changedTransactions.values()].flatMap(({ after, changeId }) =>
    [after.fromUserId, after.toUserId].map((userId) => ({ userId, changeId, transactionId: after.id })),
  );
}

function statusChanges({ changedTransactions }: Changes, now: Date): RecordOf<typeof TRANSACTION_STATUS_CHANGES>[] {
  return [...changedTransactions.values()].flatMap(({ statuses }) =>
    statuses.map(({ id: transactionId, statusCount: sequenceNumber, status, reason }) => {
      return { transactionId, sequenceNumber, status, reason, createdAt: now };
    }),
  );
}

/** Opens the entities' accounts of a batch that do not exist yet; one that another process opens first is as good. */
export async function openEntityAccounts(tx: Tx, keys: ReadonlyMap<string, AccountKey>): Promise<void> {
  const accounts = [...keys].map(([id, key]) => openAccount(id, key));
  accounts.sort((left, right) => (left.id < right.id ? -1 : 1));
  await Promise.all(insertMissing(tx, ACCOUNTS, accounts));
}

/**
 * Writes all that a batch changed: one statement per table, which are not waited for, so that the commit travels with
 * them and fails if any of them does.
 */
export function saveChanges(tx: Tx, changes: Changes, { moment, eventBody, version }: SaveOptions): void {
  const { now, slot } = moment;
  const registered = new Set(changes.users.map((user) => user.id));
  const [opened, entered] = [true, false].map((isNew) =>
    [...changes.accounts.values()].filter((account) => registered.has(account.id) === isNew),
  ) as [LedgerAccount[], LedgerAccount[]];
  const changed = [...changes.changedTransactions.values()].map(({ after }) => after);
  const versioned = <Row extends object>(rows: readonly Row[]) => rows.map((row) => ({ ...row, version }));
  const statements = [
    ...insert(tx, USERS, registeredUsers(changes)),
    ...update(tx, USERS, [...changes.changedUsers.values()]),
    ...insert(tx, ACCOUNTS, opened),
    ...update(tx, ACCOUNTS, versioned(entered)),
    ...insert(tx, ACCOUNT_DAYS, changes.accountDays),
    ...insert(tx, POSTINGS, postingRecords(changes, slot)),
    ...insert(tx, ENTRIES, changes.entries),
    ...insert(tx, ENTITY_ENTRIES, entityEntries(changes)),
    // A hold that lapses gives up its reference, which a payment of this batch may take.
    ...update(tx, TRANSACTIONS, changed),
    ...insert(tx, TRANSACTIONS, changes.transactions),
    ...insert(tx, TRANSACTION_STATUS_CHANGES, statusChanges(changes, now)),
    ...insert(tx, TRANSACTION_CHANGES, transactionChanges(changes)),
    ...insert(tx, TRANSFERS, changes.transfers),
    ...insert(tx, CREDITS, [...changes.newCredits.values()]),
    ...update(tx, CREDITS, [...changes.changedCredits.values()]),
    ...insert(tx, CREDIT_MOVEMENTS, changes.creditMovements),
    ...insert(tx, CREDIT_ACCRUALS, changes.creditAccruals),
    ...insert(tx, QR_RESERVATIONS, versioned(changes.newQrs)),
    ...update(tx, QR_RESERVATIONS, versioned([...changes.changedQrs.values()])),
    ...saveExposures(tx, changes.exposureChanges, { slot, version }),
    ...saveRollUps(tx, changes, moment, version),
    ...saveEvents(tx, changes.events, eventBody),
    ...insert(tx, IDEMPOTENCY_RECORDS, idempotencyRecords(changes, now)),
  ];
  for (const statement of statements) statement.execute();
}
