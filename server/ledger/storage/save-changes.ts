import type { Tx } from "../../database/connect.ts";
import type { QrRecord } from "../model/qr-commands.ts";
import { type AccountKey, type Changes, type LedgerAccount, openAccount, type PostingTime } from "../model/state.ts";
import { digits, insert, type Row, recordset, update } from "./insert-rows.ts";
import {
  accountRow,
  accrualRow,
  changedTransactionRow,
  changedUserRow,
  creditRow,
  movementRow,
  qrRow,
  statusRow,
  transactionRow,
  transferRow,
  userRow,
} from "./rows.ts";
import { type EventBody, saveEvents } from "./save-events.ts";
import { saveExposures } from "./save-exposures.ts";
import { saveRollUps } from "./save-roll-ups.ts";

/** What the saving of a batch needs besides its changes. */
export interface SaveOptions {
  readonly moment: PostingTime;
  readonly eventBody: EventBody;
}

type Insert = Promise<unknown>;

function updateAccounts(tx: Tx, accounts: readonly LedgerAccount[]): Insert[] {
  const rows = accounts.map(({ id, posted, held, entryCount, activeOn, spent, spentOn }) => ({
    id,
    posted: digits(posted),
    held: digits(held),
    entry_count: digits(entryCount),
    active_on: activeOn,
    spent: digits(spent),
    spent_on: spentOn,
  }));
  return update(tx, "accounts", rows);
}

/** A day may be there already: by another process's clock the account was on the next day when it was entered last. */
function insertAccountDays(tx: Tx, { accountDays }: Changes): Insert[] {
  if (accountDays.length === 0) return [];
  const rows = accountDays.map(({ accountId, day }) => ({ account_id: accountId, day }));
  return [
    tx`insert into service.account_days
      select * from json_populate_recordset(null::service.account_days, ${recordset(rows)}::text::json)
      on conflict (account_id, day) do nothing`,
  ];
}

function updateQrs(tx: Tx, qrs: readonly QrRecord[]): Insert[] {
  if (qrs.length === 0) return [];
  const rows = qrs.map(({ reference, cancelledAt, transactionId }) => ({
    reference,
    cancelled_at: cancelledAt,
    transaction_id: transactionId,
  }));
  return [
    tx`update service.qr_reservations q set cancelled_at = r.cancelled_at, transaction_id = r.transaction_id
      from json_populate_recordset(null::service.qr_reservations, ${recordset(rows)}::text::json) r
      where q.reference = r.reference`,
  ];
}

function idempotencyRows({ idempotency }: Changes, now: Date): Row[] {
  // In the order of their key: two processes that insert the same keys wait for each other and never deadlock.
  const scopes = [...idempotency.keys()].sort();
  return scopes.flatMap((scope) => {
    const record = idempotency.get(scope);
    if (record === undefined) return [];
    const { entityId, clientId, operation, key, fingerprint, answer } = record;
    const text = JSON.stringify(answer);
    return [{ entity_id: entityId, client_id: clientId, operation, key, fingerprint, answer: text, created_at: now }];
  });
}

function postingRows({ postings }: Changes, slot: number): Row[] {
  return postings.map(({ id, kind, reference, day, createdAt }) => ({
    id,
    kind,
    reference,
    business_day: day,
    slot,
    created_at: createdAt,
  }));
}

function entryRows({ entries }: Changes): Row[] {
  return entries.map(({ accountId, sequenceNumber, postingId, amount, balanceAfter }) => ({
    account_id: accountId,
    sequence_number: digits(sequenceNumber),
    posting_id: postingId,
    amount: digits(amount),
    balance_after: digits(balanceAfter),
  }));
}

/** Entries of the entities' own accounts, which are listed by what the account is. */
function entityEntryRows({ entries, accounts }: Changes): Row[] {
  return entries.flatMap(({ accountId, sequenceNumber, postingId }) => {
    const account = accounts.get(accountId);
    if (account === undefined || account.kind === "user_quota") return [];
    const { entityId, kind } = account;
    const sequence_number = digits(sequenceNumber);
    return [{ entity_id: entityId, kind, posting_id: postingId, account_id: accountId, sequence_number }];
  });
}

function changeRows({ changedTransactions }: Changes): Row[] {
  return [...changedTransactions.values()].flatMap(({ after, changeId }) =>
    [after.fromUserId, after.toUserId].map((userId) => ({
      user_id: userId,
      change_id: changeId,
      transaction_id: after.id,
    })),
  );
}

function statusRows({ transactions, changedTransactions }: Changes, now: Date): Row[] {
  const taken = [...changedTransactions.values()].flatMap(({ statuses }) => statuses);
  return [
    ...transactions.map((record) => statusRow(record, record.createdAt)),
    ...taken.map((record) => statusRow(record, now)),
  ];
}

/** Opens the entities' accounts of a batch that do not exist yet; one that another process opens first is as good. */
export async function openEntityAccounts(tx: Tx, keys: ReadonlyMap<string, AccountKey>): Promise<void> {
  const rows = [...keys].map(([id, key]) => accountRow(openAccount(id, key)));
  if (rows.length === 0) return;
  rows.sort((left, right) => (String(left.id) < String(right.id) ? -1 : 1));
  await tx`insert into service.accounts
    select * from json_populate_recordset(null::service.accounts, ${recordset(rows)}::text::json)
    on conflict (id) do nothing`;
}

/** Writes all that a batch changed: one statement per table, sent together without waiting in between. */
export async function saveChanges(tx: Tx, changes: Changes, { moment, eventBody }: SaveOptions): Promise<void> {
  const { now } = moment;
  const registered = new Set(changes.users.map((user) => user.id));
  const [opened, entered] = [true, false].map((isNew) =>
    [...changes.accounts.values()].filter((account) => registered.has(account.id) === isNew),
  ) as [LedgerAccount[], LedgerAccount[]];
  await Promise.all([
    ...insert(tx, "users", changes.users.map(userRow)),
    ...update(tx, "users", [...changes.changedUsers.values()].map(changedUserRow)),
    ...insert(tx, "accounts", opened.map(accountRow)),
    ...updateAccounts(tx, entered),
    ...insertAccountDays(tx, changes),
    ...insert(tx, "postings", postingRows(changes, moment.slot)),
    ...insert(tx, "entries", entryRows(changes)),
    ...insert(tx, "entity_entries", entityEntryRows(changes)),
    // A hold that lapses gives up its reference, which a payment of this batch may take.
    ...update(tx, "transactions", [...changes.changedTransactions.values()].map(changedTransactionRow)),
    ...insert(tx, "transactions", changes.transactions.map(transactionRow)),
    ...insert(tx, "transaction_statuses", statusRows(changes, now)),
    ...insert(tx, "transaction_changes", changeRows(changes)),
    ...insert(tx, "transfers", changes.transfers.map(transferRow)),
    ...insert(tx, "credits", [...changes.newCredits.values()].map(creditRow)),
    ...update(tx, "credits", [...changes.changedCredits.values()].map(creditRow)),
    ...insert(tx, "credit_movements", changes.creditMovements.map(movementRow)),
    ...insert(tx, "credit_accruals", changes.creditAccruals.map(accrualRow)),
    ...insert(tx, "qr_reservations", changes.newQrs.map(qrRow)),
    ...updateQrs(tx, [...changes.changedQrs.values()]),
    ...saveExposures(tx, changes.exposureChanges, moment.slot),
    ...saveRollUps(tx, changes, moment),
    ...saveEvents(tx, changes.events, eventBody),
    ...insert(tx, "idempotency_records", idempotencyRows(changes, now)),
  ]);
}
