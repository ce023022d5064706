import type { Tx } from "../database/connect.ts";
import { dueAccounts, entityAccount } from "./books.ts";
import type { Command, QrRecord } from "./command.ts";
import { DEPOSIT } from "./decide-users.ts";
import {
  type Account,
  type AccountKey,
  entityAccountId,
  type IdempotencyRecord,
  idempotencyScope,
  type Moment,
  type State,
  type StoredAnswer,
  type UserState,
} from "./state.ts";

/** The business day and the writer's slot, which say which of an entity's accounts are entered. */
type BooksMoment = Pick<Moment, "day" | "slot">;

/** Which rows a batch of commands may touch. */
export interface Touched {
  readonly userIds: readonly string[];
  readonly nits: readonly string[];
  readonly phones: readonly string[];
  readonly qrReferences: readonly string[];
  readonly entityAccounts: ReadonlyMap<string, AccountKey>;
  readonly keys: readonly { readonly client_id: string; readonly operation: string; readonly key: string }[];
}

/** The users that a command names. */
export function usersOf({ action }: Command): string[] {
  if (action.type === "payment") return [action.fromUserId, action.toUserId];
  if (action.type === "transfer") return [action.fromUserId, action.toUserId];
  if (action.type === "batch") return [action.fromUserId, ...action.items.map((item) => item.toUserId)];
  if (action.type === "grant") return [action.userId];
  if (action.type === "reserve-qr") return action.fromUserId ? [action.toUserId, action.fromUserId] : [action.toUserId];
  return [];
}

function qrOf({ action }: Command): string[] {
  if (action.type === "payment") return action.qr?.reference === undefined ? [] : [action.qr.reference];
  return action.type === "cancel-qr" ? [action.reference] : [];
}

/** The accounts of entities' books that a command may enter, given who created the users. */
function booksOf({ action, origin }: Command, creators: ReadonlyMap<string, string>, books: BooksMoment): AccountKey[] {
  const crossing = (debtor: string | undefined, creditor: string | undefined): AccountKey[] =>
    debtor === undefined || creditor === undefined || debtor === creditor ? [] : dueAccounts(debtor, creditor, books);
  if (action.type === "payment" || action.type === "transfer") {
    return crossing(creators.get(action.fromUserId), creators.get(action.toUserId));
  }
  if (action.type === "batch") {
    const payer = creators.get(action.fromUserId);
    const payees = new Set(action.items.map((item) => creators.get(item.toUserId)));
    return [...payees].flatMap((payee) => crossing(payer, payee));
  }
  if (action.type === "register-user") return [entityAccount("credits_receivable", origin.entityId, books.slot)];
  if (action.type !== "grant") return [];
  const kind = action.loanType === DEPOSIT ? "cash_clearing" : "credits_receivable";
  return [entityAccount(kind, origin.entityId, books.slot), ...crossing(origin.entityId, creators.get(action.userId))];
}

/** Gathers the rows that a batch may touch, each once and in one order, so that processes never deadlock. */
export function touchedBy(
  commands: readonly Command[],
  creators: ReadonlyMap<string, string>,
  books: BooksMoment,
): Touched {
  const registered = commands.flatMap(({ action }) => (action.type === "register-user" ? [action.user] : []));
  const keys = commands.flatMap((command) => booksOf(command, creators, books));
  return {
    userIds: [...new Set(commands.flatMap(usersOf))],
    nits: registered.map((user) => user.nit),
    phones: registered.map((user) => user.phone),
    qrReferences: [...new Set(commands.flatMap(qrOf))],
    entityAccounts: new Map(keys.map((key) => [entityAccountId(key), key])),
    keys: commands.flatMap(({ origin: { clientId, operation, idempotency } }) =>
      idempotency === undefined ? [] : [{ client_id: clientId, operation, key: idempotency.key }],
    ),
  };
}

async function lockQrs(tx: Tx, references: readonly string[]): Promise<Map<string, QrRecord>> {
  if (references.length === 0) return new Map();
  const rows = await tx<QrRecord[]>`
    select reference, payload, check_code as "checkCode", to_user_id as "toUserId", to_user as "toUser",
      from_user_id as "fromUserId", amount, details, made_by as "madeBy", created_at as "createdAt",
      expires_at as "expiresAt", cancelled_at as "cancelledAt", transaction_id as "transactionId"
    from service.qr_reservations where reference = any(${references as string[]}) order by reference for update`;
  return new Map(rows.map((row) => [row.reference, row]));
}

async function lockAccounts(tx: Tx, ids: readonly string[]): Promise<Map<string, Account>> {
  if (ids.length === 0) return new Map();
  const rows = await tx<Account[]>`
    select id, kind, entity_id as "entityId", counterparty_id as "counterpartyId", day::text, slot, posted, held,
      entry_count as "entryCount"
    from service.accounts where id = any(${ids as string[]}) order by id for update`;
  return new Map(rows.map((row) => [row.id, row]));
}

/**
 * Users by id; only a registration looks by nit and phone as well. All three in one condition would make PostgreSQL
 * read every user.
 */
async function readUsers(tx: Tx, { userIds, nits, phones }: Touched): Promise<UserState[]> {
  const columns = tx`id, creator_id as "creatorId", name, business_name as "businessName", nit, phone`;
  const reads: Promise<UserState[]>[] = [];
  if (userIds.length > 0) {
    reads.push(tx`select ${columns} from service.users where id = any(${userIds as string[]})`);
  }
  if (nits.length > 0) {
    reads.push(tx`select ${columns} from service.users
      where nit = any(${nits as string[]}) or phone = any(${phones as string[]})`);
  }
  return (await Promise.all(reads)).flat();
}

/** The limit keeps PostgreSQL to one look into the index per key: a join may be planned as reading the whole table. */
async function readIdempotency(tx: Tx, keys: Touched["keys"]): Promise<Map<string, IdempotencyRecord>> {
  if (keys.length === 0) return new Map();
  const rows = await tx<{ client_id: string; operation: string; key: string; fingerprint: string; answer: string }[]>`
    select r.client_id, r.operation, r.key, r.fingerprint, r.answer
    from json_to_recordset(${JSON.stringify(keys)}::text::json) as k(client_id text, operation text, key text)
    cross join lateral (
      select * from service.idempotency_records
      where client_id = k.client_id and operation = k.operation and key = k.key limit 1) as r`;
  return new Map(
    rows.map((row) => [
      idempotencyScope({ clientId: row.client_id, operation: row.operation }, row.key),
      { fingerprint: row.fingerprint, answer: JSON.parse(row.answer) as StoredAnswer },
    ]),
  );
}

/**
 * Locks and reads every row of a batch, in one order (QRs, then accounts by id): processes wait for one another and
 * never deadlock. The statements go out together; users are read after the locks, so that they are current.
 */
export async function loadState(tx: Tx, touched: Touched): Promise<State> {
  const accountIds = [...new Set([...touched.userIds, ...touched.entityAccounts.keys()])].sort();
  const [qrs, accounts, users, idempotency] = await Promise.all([
    lockQrs(tx, touched.qrReferences),
    lockAccounts(tx, accountIds),
    readUsers(tx, touched),
    readIdempotency(tx, touched.keys),
  ]);
  return {
    qrs,
    accounts,
    idempotency,
    users: new Map(users.map((user) => [user.id, user])),
    identities: new Map(
      users.flatMap((user) => [
        [`nit:${user.nit}`, user.id],
        [`phone:${user.phone}`, user.id],
      ]),
    ),
  };
}
