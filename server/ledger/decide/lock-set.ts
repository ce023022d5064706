import type { Action, Command } from "../model/command.ts";
import { type Direction, directionKey } from "../model/exposure.ts";
import { type AccountKey, entityAccountId, type PostingTime } from "../model/state.ts";
import type { UserChanges } from "../model/user-commands.ts";
import { dueAccounts, entityAccount } from "./books.ts";
import { DEPOSIT } from "./decide-users.ts";

/** The business day and the writer's slot, which determine the accounts of an entity that are posted to. */
type BooksMoment = Pick<PostingTime, "day" | "slot">;

/** A user, and the entity at which the user's credits are meant. */
interface Debtor {
  readonly user_id: string;
  readonly entity_id: string;
}

/** The rows that a batch of commands may touch. */
export interface LockSet {
  readonly userIds: readonly string[];
  /** Users whose whole record is needed. */
  readonly wholeUserIds: readonly string[];
  readonly entityIds: readonly string[];
  readonly nits: readonly string[];
  readonly phones: readonly string[];
  readonly transactionIds: readonly string[];
  readonly qrReferences: readonly string[];
  readonly debtors: readonly Debtor[];
  /** Credits that are named: only these are read even when they are closed or cancelled. */
  readonly creditIds: readonly string[];
  /** Credits whose interest is reversed, each from a day on. */
  readonly reversals: readonly { readonly credit_id: string; readonly since: string }[];
  readonly entityAccounts: ReadonlyMap<string, AccountKey>;
  /** The pairs of entities between which money may move or be held, both ways, in one order. */
  readonly directions: readonly Direction[];
  readonly keys: readonly {
    readonly entity_id: string;
    readonly client_id: string;
    readonly operation: string;
    readonly key: string;
  }[];
}

type EntityAccountKind = Parameters<typeof entityAccount>[0];

/** Accounts of the caller's entity that an action may post to. */
const CREDIT_BOOKS: Partial<Record<Action["type"], readonly EntityAccountKind[]>> = Object.freeze({
  "register-user": ["credits_receivable"],
  discharge: ["credits_receivable", "interest_receivable", "interest_income", "cash_clearing", "recoveries"],
  "repay-credit": ["credits_receivable", "interest_receivable", "interest_income", "cash_clearing", "recoveries"],
  "write-off-credit": ["credits_receivable", "interest_receivable", "interest_income", "losses"],
  "cancel-credit": ["credits_receivable", "interest_receivable", "interest_income", "cash_clearing"],
  "import-credit": ["credits_receivable", "interest_receivable", "interest_income", "cash_clearing"],
  accrue: ["interest_receivable", "interest_income"],
  "record-settlement": ["cash_clearing"],
  "reverse-accruals": ["interest_receivable", "interest_income"],
});

/** The users that a command names. A user's credits change only while the account of the user is locked. */
export function usersOf({ action }: Command): string[] {
  if (action.type === "batch") return [action.fromUserId, ...action.items.map((item) => item.toUserId)];
  if ("credits" in action) return action.credits.map(({ userId }) => userId);
  if (action.type === "reserve-qr") return action.fromUserId ? [action.toUserId, action.fromUserId] : [action.toUserId];
  if ("fromUserId" in action) return [action.fromUserId, action.toUserId];
  return "userId" in action ? [action.userId] : [];
}

function qrOf({ action }: Command): string[] {
  if (action.type === "payment") return action.qr?.reference === undefined ? [] : [action.qr.reference];
  if (action.type === "cancel-qr") return [action.reference];
  return "qrReference" in action && action.qrReference !== undefined ? [action.qrReference] : [];
}

function transactionOf({ action }: Command): string[] {
  return "transactionId" in action ? [action.transactionId] : [];
}

function wholeUserOf({ action }: Command): string[] {
  return action.type === "update-user" || action.type === "block-user" ? [action.userId] : [];
}

/** The users whose credits are changed, or may be reached by a repayment; a grant opens a credit and reads none. */
function debtorsOf({ action, origin }: Command): Debtor[] {
  const entity_id = origin.entityId;
  if ("credits" in action) return action.credits.map(({ userId }) => ({ user_id: userId, entity_id }));
  if (!(action.type in CREDIT_BOOKS) || !("userId" in action)) return [];
  return [{ user_id: action.userId, entity_id }];
}

function creditOf({ action }: Command): string[] {
  return "creditId" in action && action.creditId !== undefined ? [action.creditId] : [];
}

function reversalsOf({ action }: Command): LockSet["reversals"] {
  if (action.type !== "reverse-accruals") return [];
  return action.credits.map(({ creditId }) => ({ credit_id: creditId, since: action.from }));
}

type InterEntityMovement = readonly [debtor: string | undefined, creditor: string | undefined];

/** The pairs of entities between which a command may move liabilities. */
function interEntityMovementsOf(
  { action, origin }: Command,
  creators: ReadonlyMap<string, string>,
): InterEntityMovement[] {
  const own = origin.entityId;
  if (action.type === "batch") {
    const payer = creators.get(action.fromUserId);
    return [...new Set(action.items.map((item) => creators.get(item.toUserId)))].map((payee) => [payer, payee]);
  }
  if (action.type === "reverse") return [[creators.get(action.toUserId), creators.get(action.fromUserId)]];
  if (action.type === "payment" || action.type === "transfer" || action.type === "settle") {
    return [[creators.get(action.fromUserId), creators.get(action.toUserId)]];
  }
  if (action.type === "grant") return [[own, creators.get(action.userId)]];
  if (action.type === "record-settlement") return [[action.debtorId, own]];
  const takesQuota = action.type === "discharge" || action.type === "repay-credit" || action.type === "cancel-credit";
  return takesQuota ? [[creators.get(action.userId), own]] : [];
}

/** The pairs of entities of which a command changes exposure, holds or limit: a lapse and a limit move no money. */
function exposuresOf(command: Command, creators: ReadonlyMap<string, string>): readonly InterEntityMovement[] {
  const { action, origin } = command;
  if (action.type === "lapse") return [[creators.get(action.fromUserId), creators.get(action.toUserId)]];
  return action.type === "limit-counterparty"
    ? [[action.debtorId, origin.entityId]]
    : interEntityMovementsOf(command, creators);
}

/** Those entities in both directions: what goes one way counts against the other. */
function directionsOf(command: Command, creators: ReadonlyMap<string, string>): Direction[] {
  return exposuresOf(command, creators).flatMap(([debtorId, creditorId]) =>
    debtorId === undefined || creditorId === undefined || debtorId === creditorId
      ? []
      : [
          { creditorId, debtorId },
          { creditorId: debtorId, debtorId: creditorId },
        ],
  );
}

/** The accounts of entities' books that a command may post to, given the users' creators. */
function booksOf(command: Command, creators: ReadonlyMap<string, string>, books: BooksMoment): AccountKey[] {
  const { action } = command;
  const kinds =
    action.type === "grant"
      ? [action.loanType === DEPOSIT ? ("cash_clearing" as const) : ("credits_receivable" as const)]
      : (CREDIT_BOOKS[action.type] ?? []);
  const crossings = interEntityMovementsOf(command, creators).flatMap(([debtor, creditor]) =>
    debtor === undefined || creditor === undefined || debtor === creditor ? [] : dueAccounts(debtor, creditor, books),
  );
  const own = entitiesOf(command).flatMap((owner) => kinds.map((kind) => entityAccount(kind, owner, books.slot)));
  return [...own, ...crossings];
}

/** The caller's entity, and the debtor that an action names. */
function entitiesOf({ action, origin }: Command): string[] {
  return "debtorId" in action ? [origin.entityId, action.debtorId] : [origin.entityId];
}

function identitiesOf({ action }: Command): UserChanges[] {
  if (action.type === "register-user") return [action.user];
  return action.type === "update-user" ? [action.changes] : [];
}

/** Gathers the rows that a batch may touch, each once and in one order, so that processes never deadlock. */
export function lockSetOf(
  commands: readonly Command[],
  creators: ReadonlyMap<string, string>,
  books: BooksMoment,
): LockSet {
  const identities = commands.flatMap(identitiesOf);
  const userIds = [...new Set(commands.flatMap(usersOf))];
  const keys = commands.flatMap((command) => booksOf(command, creators, books));
  const debtors = commands.flatMap(debtorsOf);
  const directions = new Map(
    commands.flatMap((command) => directionsOf(command, creators).map((each) => [directionKey(each), each])),
  );
  return {
    userIds,
    wholeUserIds: [...new Set(commands.flatMap(wholeUserOf))],
    entityIds: [
      ...new Set([...commands.flatMap(entitiesOf), ...userIds.flatMap((id) => creators.get(id) ?? [])]),
    ].sort(),
    nits: identities.flatMap(({ nit }) => nit ?? []),
    phones: identities.flatMap(({ phone }) => phone ?? []),
    transactionIds: [...new Set(commands.flatMap(transactionOf))],
    qrReferences: [...new Set(commands.flatMap(qrOf))],
    debtors: [...new Map(debtors.map((each) => [`${each.user_id}|${each.entity_id}`, each])).values()],
    creditIds: commands.flatMap(creditOf),
    directions: [...directions.keys()].sort().flatMap((key) => directions.get(key) ?? []),
    reversals: commands.flatMap(reversalsOf),
    entityAccounts: new Map(keys.map((key) => [entityAccountId(key), key])),
    keys: commands.flatMap(({ origin: { entityId, clientId, operation, idempotency } }) =>
      idempotency === undefined ? [] : [{ entity_id: entityId, client_id: clientId, operation, key: idempotency.key }],
    ),
  };
}
