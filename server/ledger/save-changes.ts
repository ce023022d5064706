import type { Tx } from "../database/connect.ts";
import type { QrRecord, RegisteredUser, TransactionRecord, TransferRecord } from "./command.ts";
import type { Account, AccountKey, Changes, Credit } from "./state.ts";

/** Minor units travel as text, which PostgreSQL reads as the number that it is. */
type Cell = string | number | Date | null;
type Row = Readonly<Record<string, Cell>>;

/**
 * The json columns. Their content travels as a text within the rows' JSON and is cast where it arrives: so not a byte
 * of the caller's data changes, and escapes that PostgreSQL's own reading refuses (`\\u0000`, `\\ud800`) pass unread.
 */
const JSON_COLUMNS: ReadonlySet<string> = new Set(["answer", "details", "payment_data", "qr_details"]);

function digits(minor: bigint | null): string | null {
  return minor === null ? null : minor.toString();
}

/** Rows as one JSON text: one parameter, whatever their number. */
function recordset(rows: readonly Row[]): string {
  return JSON.stringify(rows);
}

type Insert = Promise<unknown>;

function insert(tx: Tx, table: string, rows: readonly Row[]): Insert[] {
  const [first] = rows;
  if (first === undefined) return [];
  const columns = Object.keys(first);
  const name = tx(`service.${table}`);
  const values = columns.map((column) =>
    JSON_COLUMNS.has(column) ? tx`(${tx(column)} #>> '{}')::json` : tx`${tx(column)}`,
  );
  const list = values.flatMap((value, index) => (index === 0 ? [value] : [tx`, `, value]));
  return [
    tx`insert into ${name} (${tx(columns)})
      select ${list} from json_populate_recordset(null::${name}, ${recordset(rows)}::text::json)`,
  ];
}

const accountRow = (account: Account): Row => ({
  id: account.id,
  kind: account.kind,
  entity_id: account.entityId,
  counterparty_id: account.counterpartyId,
  day: account.day,
  slot: account.slot,
  posted: digits(account.posted),
  held: digits(account.held),
  entry_count: digits(account.entryCount),
});

const userRow = (user: RegisteredUser): Row => ({
  id: user.id,
  creator_id: user.creatorId,
  name: user.name,
  business_name: user.businessName,
  nit: user.nit,
  phone: user.phone,
  email: user.email,
  address: user.address,
  image: user.image,
  score: user.score,
  status: user.status,
  payment_data: user.paymentData,
  apn_token_hash: `\\x${Buffer.from(user.apnTokenHash).toString("hex")}`,
  created_at: user.createdAt,
});

const transactionRow = (record: TransactionRecord): Row => ({
  id: record.id,
  reference: record.reference,
  kind: record.kind,
  status: record.status,
  reason: record.reason,
  amount: digits(record.amount),
  date: record.date,
  details: record.details,
  qr_details: record.qrDetails,
  from_user_id: record.fromUserId,
  from_user: record.fromUser,
  from_business_name: record.fromBusinessName,
  from_creator_id: record.fromCreatorId,
  to_user_id: record.toUserId,
  to_user: record.toUser,
  to_business_name: record.toBusinessName,
  to_creator_id: record.toCreatorId,
  from_balance_after: digits(record.fromBalanceAfter),
  to_balance_after: digits(record.toBalanceAfter),
  made_by: record.madeBy,
  posting_id: record.postingId,
  created_at: record.createdAt,
});

const statusRow = (record: TransactionRecord): Row => ({
  transaction_id: record.id,
  sequence_number: 1,
  status: record.status,
  reason: record.reason,
  created_at: record.createdAt,
});

const transferRow = (record: TransferRecord): Row => ({
  id: record.id,
  reference: record.reference,
  status: record.status,
  reason: record.reason,
  amount: digits(record.amount),
  date: record.date,
  details: record.details,
  from_user_id: record.fromUserId,
  from_creator_id: record.fromCreatorId,
  to_user_id: record.toUserId,
  to_creator_id: record.toCreatorId,
  made_by: record.madeBy,
  posting_id: record.postingId,
  created_at: record.createdAt,
});

const qrRow = (qr: QrRecord): Row => ({
  reference: qr.reference,
  payload: qr.payload,
  check_code: qr.checkCode,
  to_user_id: qr.toUserId,
  to_user: qr.toUser,
  from_user_id: qr.fromUserId,
  amount: digits(qr.amount),
  details: qr.details,
  made_by: qr.madeBy,
  created_at: qr.createdAt,
  expires_at: qr.expiresAt,
  cancelled_at: qr.cancelledAt,
  transaction_id: qr.transactionId,
});

const creditRow = (credit: Credit): Row => ({
  id: credit.id,
  entity_id: credit.entityId,
  user_id: credit.userId,
  loan_type: credit.loanType,
  principal: digits(credit.principal),
  outstanding: digits(credit.principal),
  annual_rate_bps: 0,
  day_basis: 365,
  due_date: credit.dueDate,
  opened_on: credit.openedOn,
  posting_id: credit.postingId,
  created_at: credit.createdAt,
});

function updateAccounts(tx: Tx, accounts: readonly Account[]): Insert[] {
  if (accounts.length === 0) return [];
  const rows = accounts.map(({ id, posted, held, entryCount }) => ({
    id,
    posted: digits(posted),
    held: digits(held),
    entry_count: digits(entryCount),
  }));
  return [
    tx`update service.accounts a set posted = r.posted, held = r.held, entry_count = r.entry_count
      from json_populate_recordset(null::service.accounts, ${recordset(rows)}::text::json) r where a.id = r.id`,
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
    const { clientId, operation, key, fingerprint, answer } = record;
    const text = JSON.stringify(answer);
    return [{ client_id: clientId, operation, key, fingerprint, answer: text, created_at: now }];
  });
}

/** Opens the entities' accounts of a batch that do not exist yet; one that another process opens first is as good. */
export async function openEntityAccounts(tx: Tx, keys: ReadonlyMap<string, AccountKey>): Promise<void> {
  const rows = [...keys].map(([id, key]) => accountRow({ ...key, id, posted: 0n, held: 0n, entryCount: 0n }));
  if (rows.length === 0) return;
  rows.sort((left, right) => (String(left.id) < String(right.id) ? -1 : 1));
  await tx`insert into service.accounts
    select * from json_populate_recordset(null::service.accounts, ${recordset(rows)}::text::json)
    on conflict (id) do nothing`;
}

/** Writes all that a batch changed: one statement per table, sent together without waiting in between. */
export async function saveChanges(tx: Tx, changes: Changes, now: Date): Promise<void> {
  const registered = new Set(changes.users.map((user) => user.id));
  const accounts = [...changes.accounts.values()];
  const entries = changes.entries.map(({ accountId, sequenceNumber, postingId, amount, balanceAfter }) => ({
    account_id: accountId,
    sequence_number: digits(sequenceNumber),
    posting_id: postingId,
    amount: digits(amount),
    balance_after: digits(balanceAfter),
  }));
  const postings = changes.postings.map(({ id, kind, reference, day, createdAt }) => ({
    id,
    kind,
    reference,
    business_day: day,
    created_at: createdAt,
  }));
  await Promise.all([
    ...insert(tx, "users", changes.users.map(userRow)),
    ...insert(tx, "accounts", accounts.filter((account) => registered.has(account.id)).map(accountRow)),
    ...updateAccounts(
      tx,
      accounts.filter((account) => !registered.has(account.id)),
    ),
    ...insert(tx, "postings", postings),
    ...insert(tx, "entries", entries),
    ...insert(tx, "transactions", changes.transactions.map(transactionRow)),
    ...insert(tx, "transaction_statuses", changes.transactions.map(statusRow)),
    ...insert(tx, "transfers", changes.transfers.map(transferRow)),
    ...insert(tx, "credits", changes.credits.map(creditRow)),
    ...insert(tx, "qr_reservations", changes.newQrs.map(qrRow)),
    ...updateQrs(tx, [...changes.changedQrs.values()]),
    ...insert(tx, "idempotency_records", idempotencyRows(changes, now)),
  ]);
}
