import type { Action, Command, Payment } from "../model/command.ts";
import type { Accrue } from "../model/credit-commands.ts";
import { type Direction, directionKey } from "../model/exposure.ts";
import { type AccountKey, entityAccountId, type PostingTime } from "../model/state.ts";
import { dueAccounts, entityAccount } from "./books.ts";
import { DEPOSIT } from "./decide-users.ts";

/** The business day and the writer's slot, which determine the accounts of an entity that are posted to. */
type BooksMoment = Pick<PostingTime, "day" | "slot">;

/** The rows that an action names, by kind. */
interface NamedRows {
  /** Users, whose accounts are locked: a user's credits change only under that lock. */
  readonly userIds: string;
  /** Users whose whole record is needed. */
  readonly wholeUserIds: string;
  /** Entities; of every action also the caller's own and those of the users. */
  readonly entityIds: string;
  readonly nits: string;
  readonly phones: string;
  readonly transactionIds: string;
  readonly qrReferences: string;
  /** Users whose credits at an entity change, or may be reached by a repayment. */
  readonly debtors: { readonly user_id: string; readonly entity_id: string };
  /** Credits that are named: only these are read even when they are closed or cancelled. */
  readonly creditIds: string;
  /** Credits whose interest is reversed, each from a day on. */
  readonly reversals: { readonly credit_id: string; readonly since: string };
}

/**
 * The keys of the rows that a batch of commands needs, by kind. All are read before it is decided; a commit, unlike a
 * preview, also locks the payments, QRs, accounts, entities and exposures.
 */
export type LockSet = { readonly [K in keyof NamedRows]: readonly NamedRows[K][] } & {
  readonly entityAccounts: ReadonlyMap<string, AccountKey>;
  /** The pairs of entities between which money may move or be held, both ways, in one order. */
  readonly directions: readonly Direction[];
  readonly keys: readonly {
    readonly entity_id: string;
    readonly client_id: string;
    readonly operation: string;
    readonly key: string;
  }[];
};

type EntityAccountKind = Parameters<typeof entityAccount>[0];
type Creators = ReadonlyMap<string, string>;
/** Two entities, of which the first may come to owe the second; undefined stands for the creator of an unknown user. */
type Pair = readonly [debtor: string | undefined, creditor: string | undefined];

interface Rows extends NamedRows {
  /** Accounts of the caller's entity, and of those in `entityIds`. */
  readonly books: EntityAccountKind;
  /** Pairs between which money may move: their due-to and due-from accounts, and their exposures. */
  readonly movements: Pair;
  /** Pairs whose exposures, holds or limits change while no money moves. */
  readonly exposures: Pair;
}

type Locks<A> = {
  readonly [K in keyof Rows]?: (action: A, own: string, creators: Creators) => readonly Rows[K][];
};

type Having<F extends string> = { readonly [N in F]: string | undefined };

/** The kinds of rows that an action names in fields of its own, and therefore must lock. */
type NamedBy<A> =
  | (A extends Having<"userId"> | Having<"fromUserId"> ? "userIds" : never)
  | (A extends Having<"transactionId"> ? "transactionIds" | "qrReferences" : never)
  | (A extends Having<"creditId"> ? "creditIds" : never)
  | (A extends Having<"debtorId"> ? "entityIds" : never);

type LockTable = { readonly [A in Action as A["type"]]: Locks<A> & Required<Pick<Locks<A>, NamedBy<A>>> };

/** The rows that these fields of an action name. */
function named<F extends string>(...fields: readonly F[]) {
  return (action: Having<F>) => fields.flatMap((field) => action[field] ?? []);
}

const parties = named("fromUserId", "toUserId");
const user = named("userId");
const payment = named("transactionId");
const takenQr = named("qrReference");
const credit = named("creditId");
const debtor = ({ userId }: { readonly userId: string }, own: string) => [{ user_id: userId, entity_id: own }];
const usersOfCredits = ({ credits }: Pick<Accrue, "credits">) => credits.map(({ userId }) => userId);
const debtorsOfCredits = ({ credits }: Pick<Accrue, "credits">, own: string) =>
  credits.flatMap((each) => debtor(each, own));

const books = (...kinds: readonly EntityAccountKind[]) => Object.freeze(() => kinds);
const interestBooks = books("interest_receivable", "interest_income");
const creditBooks = ["credits_receivable", ...interestBooks()] as const;
const loanBooks = books(...creditBooks, "cash_clearing");
const repaymentBooks = books(...creditBooks, "cash_clearing", "recoveries");

type Parties = Pick<Payment, "fromUserId" | "toUserId">;
const payerToPayee = ({ fromUserId, toUserId }: Parties, _own: string, creators: Creators): Pair[] => [
  [creators.get(fromUserId), creators.get(toUserId)],
];
const payeeToPayer = ({ fromUserId, toUserId }: Parties, _own: string, creators: Creators): Pair[] => [
  [creators.get(toUserId), creators.get(fromUserId)],
];
const userToOwn = ({ userId }: { readonly userId: string }, own: string, creators: Creators): Pair[] => [
  [creators.get(userId), own],
];
const debtorToOwn = ({ debtorId }: { readonly debtorId: string }, own: string): Pair[] => [[debtorId, own]];

/** The rows that each action locks besides its caller's entity; of a kind that an action leaves out it locks none. */
const LOCKS = Object.freeze<LockTable>({
  payment: { userIds: parties, qrReferences: ({ qr }) => (qr ? named("reference")(qr) : []), movements: payerToPayee },
  batch: {
    userIds: ({ fromUserId, items }) => [fromUserId, ...items.map(({ toUserId }) => toUserId)],
    movements: ({ fromUserId, items }, _own, creators) => {
      const payees = new Set(items.map(({ toUserId }) => creators.get(toUserId)));
      return [...payees].map((payee) => [creators.get(fromUserId), payee]);
    },
  },
  transfer: { userIds: parties, movements: payerToPayee },
  settle: { userIds: parties, transactionIds: payment, qrReferences: takenQr, movements: payerToPayee },
  lapse: { userIds: parties, transactionIds: payment, qrReferences: takenQr, exposures: payerToPayee },
  reverse: { userIds: parties, transactionIds: payment, qrReferences: takenQr, movements: payeeToPayer },
  "assign-quota": {
    userIds: user,
    books: ({ loanType }) => [loanType === DEPOSIT ? "cash_clearing" : "credits_receivable"],
    movements: ({ userId }, own, creators) => [[own, creators.get(userId)]],
  },
  discharge: { userIds: user, debtors: debtor, books: repaymentBooks, movements: userToOwn },
  "repay-credit": { userIds: user, debtors: debtor, creditIds: credit, books: repaymentBooks, movements: userToOwn },
  "write-off-credit": { userIds: user, debtors: debtor, creditIds: credit, books: books(...creditBooks, "losses") },
  "cancel-credit": { userIds: user, debtors: debtor, creditIds: credit, books: loanBooks, movements: userToOwn },
  "import-credit": { userIds: user, debtors: debtor, books: loanBooks },
  accrue: { userIds: usersOfCredits, debtors: debtorsOfCredits, books: interestBooks },
  "reverse-accruals": {
    userIds: usersOfCredits,
    debtors: debtorsOfCredits,
    reversals: ({ credits, from }) => credits.map(({ creditId }) => ({ credit_id: creditId, since: from })),
    books: interestBooks,
  },
  "limit-counterparty": { entityIds: named("debtorId"), exposures: debtorToOwn },
  "record-settlement": { entityIds: named("debtorId"), books: books("cash_clearing"), movements: debtorToOwn },
  "register-user": {
    nits: ({ user: { nit } }) => [nit],
    phones: ({ user: { phone } }) => [phone],
    books: books("credits_receivable"),
  },
  "update-user": {
    userIds: user,
    wholeUserIds: user,
    nits: ({ changes: { nit } }) => named("nit")({ nit }),
    phones: ({ changes: { phone } }) => named("phone")({ phone }),
  },
  "block-user": { userIds: user, wholeUserIds: user },
  "reserve-qr": { userIds: named("toUserId", "fromUserId") },
  "cancel-qr": { qrReferences: named("reference") },
  remember: {},
  refuse: {},
  "void-key": {},
});

const NO_CREATORS: Creators = new Map();

function rowsOf<K extends keyof Rows>(kind: K, { action, origin }: Command, creators = NO_CREATORS) {
  const { [kind]: rows } = LOCKS[action.type] as unknown as Locks<Action>;
  return rows?.(action, origin.entityId, creators) ?? [];
}

/** True if a command names rows of no other kinds. */
export function namesOnly({ action }: Command, kinds: ReadonlySet<string>): boolean {
  return Object.keys(LOCKS[action.type]).every((kind) => kinds.has(kind));
}

/** Returns the ids of the users that a command names, whose accounts it locks. */
export function usersOf(command: Command): readonly string[] {
  return rowsOf("userIds", command);
}

/** The pairs of two entities that are known and differ. */
function directionsOf(pairs: readonly Pair[]): Direction[] {
  return pairs.flatMap(([debtorId, creditorId]) =>
    debtorId === undefined || creditorId === undefined || debtorId === creditorId ? [] : [{ creditorId, debtorId }],
  );
}

/** The accounts of entities' books that a command may post to. */
function booksOf(command: Command, creators: Creators, moment: BooksMoment): AccountKey[] {
  const owners = [command.origin.entityId, ...rowsOf("entityIds", command)];
  const kinds = rowsOf("books", command);
  const crossings = directionsOf(rowsOf("movements", command, creators));
  return [
    ...owners.flatMap((owner) => kinds.map((kind) => entityAccount(kind, owner, moment.slot))),
    ...crossings.flatMap(({ debtorId, creditorId }) => dueAccounts(debtorId, creditorId, moment)),
  ];
}

/**
 * Gathers the keys of the rows that a batch needs. A user, entity, payment, QR or direction that several commands name
 * is listed once; the loader locks the rows of each kind in the order of their keys, so that processes never deadlock.
 */
export function lockSetOf(commands: readonly Command[], creators: Creators, moment: BooksMoment): LockSet {
  const all = <K extends keyof Rows>(kind: K) => commands.flatMap((command) => rowsOf(kind, command, creators));
  const userIds = [...new Set(all("userIds"))];
  const callers = commands.map(({ origin }) => origin.entityId);
  const creatorsOfUsers = userIds.flatMap((id) => creators.get(id) ?? []);
  const debtors = new Map(all("debtors").map((each) => [`${each.user_id}|${each.entity_id}`, each]));
  // The two ways between a pair count against each other.
  const bothWays = directionsOf([...all("movements"), ...all("exposures")]).flatMap(({ creditorId, debtorId }) => [
    { creditorId, debtorId },
    { creditorId: debtorId, debtorId: creditorId },
  ]);
  const directions = new Map(bothWays.map((each) => [directionKey(each), each]));
  const accounts = commands.flatMap((command) => booksOf(command, creators, moment));
  return {
    userIds,
    wholeUserIds: [...new Set(all("wholeUserIds"))],
    entityIds: [...new Set([...callers, ...all("entityIds"), ...creatorsOfUsers])].sort(),
    nits: all("nits"),
    phones: all("phones"),
    transactionIds: [...new Set(all("transactionIds"))],
    qrReferences: [...new Set(all("qrReferences"))],
    debtors: [...debtors.values()],
    creditIds: all("creditIds"),
    reversals: all("reversals"),
    entityAccounts: new Map(accounts.map((key) => [entityAccountId(key), key])),
    directions: [...directions.keys()].sort().flatMap((key) => directions.get(key) ?? []),
    keys: commands.flatMap(({ origin: { entityId, clientId, operation, idempotency } }) =>
      idempotency === undefined ? [] : [{ entity_id: entityId, client_id: clientId, operation, key: idempotency.key }],
    ),
  };
}
