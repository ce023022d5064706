import { dueAccounts, entityAccount } from "../../server/ledger/decide/books.ts";
import { columnsIn, type Table } from "../../server/ledger/model/columns.ts";
import type { RegisteredUser, TransactionRecord } from "../../server/ledger/model/command.ts";
import { type Direction, directionKey, type Exposure, wholeExposure } from "../../server/ledger/model/exposure.ts";
import type { QrRecord } from "../../server/ledger/model/qr-commands.ts";
import type { EntityState, IdempotencyRecord, PostingTime, State, UserState } from "../../server/ledger/model/state.ts";
import {
  type AccountKey,
  type Changes,
  entityAccountId,
  type LedgerAccount,
  openAccount,
} from "../../server/ledger/model/state.ts";
import { ACCOUNTS, CREDITS, QR_RESERVATIONS, TRANSACTIONS, USERS } from "../../server/ledger/model/tables.ts";
import type { WholeUser } from "../../server/ledger/model/user-commands.ts";
import { DAY, NOW, type TestEntity } from "./ledger.ts";

/** The tables of a small ledger in memory: what `decide` is given, and where its changes go. */
export interface LedgerFixture {
  readonly state: State;
  readonly entities: readonly TestEntity[];
  readonly users: readonly UserState[];
}

/** The moment of every decision in a fixture. */
export const MOMENT: PostingTime = { now: NOW, day: DAY, slot: 3 };

const entity = (index: number): TestEntity => ({
  id: `00000000-0000-7000-8000-00000000e00${index}`,
  clientId: `client-${index}`,
});

const user = (index: number, creator: TestEntity): UserState => ({
  id: `00000000-0000-7000-8000-00000000a00${index}`,
  creatorId: creator.id,
  name: `Uña ${index}`,
  businessName: index % 2 === 0 ? `Café ${index} S.A.S.` : null,
  nit: `nit-${index}`,
  phone: `+5730000000${index}`,
  status: "active",
  blockedAt: null,
});

function booksOf(entities: readonly TestEntity[]): LedgerAccount[] {
  const keys: AccountKey[] = entities.flatMap(({ id }) => [
    entityAccount("credits_receivable", id, MOMENT.slot),
    entityAccount("interest_receivable", id, MOMENT.slot),
    entityAccount("cash_clearing", id, MOMENT.slot),
    entityAccount("losses", id, MOMENT.slot),
    entityAccount("recoveries", id, MOMENT.slot),
    entityAccount("interest_income", id, MOMENT.slot),
    ...entities.flatMap((other) => (other.id === id ? [] : dueAccounts(id, other.id, MOMENT))),
  ]);
  return keys.map((key) => openAccount(entityAccountId(key), key));
}

/** A fixture of as many users as balances; the entities are their creators in turn. */
export function ledgerFixture(entityCount: number, balances: readonly bigint[]): LedgerFixture {
  const entities = Array.from({ length: entityCount }, (_, index) => entity(index));
  const users = balances.map((_, index) => user(index, entities[index % entityCount] as TestEntity));
  const accounts = users.map(({ id, creatorId }, index): LedgerAccount => {
    const key = { kind: "user_quota", entityId: creatorId, counterpartyId: null, day: null, slot: null } as const;
    return { ...openAccount(id, key), posted: balances[index] as bigint };
  });
  const state: State = {
    users: new Map(users.map((each) => [each.id, each])),
    identities: new Map(
      users.flatMap(({ id, nit, phone }) => [
        [`nit:${nit}`, id],
        [`phone:${phone}`, id],
      ]),
    ),
    accounts: new Map([...accounts, ...booksOf(entities)].map((account) => [account.id, account])),
    wholeUsers: new Map(),
    entities: new Map(entities.map(({ id }) => [id, entityState(id)])),
    transactions: new Map(),
    credits: new Map(),
    qrs: new Map(),
    exposures: new Map(
      entities.flatMap(({ id: creditorId }) =>
        entities.flatMap(({ id: debtorId }): [string, Exposure][] => {
          const direction = { creditorId, debtorId };
          return creditorId === debtorId ? [] : [[directionKey(direction), anExposure(direction, 10n ** 18n)]];
        }),
      ),
    ),
    idempotency: new Map(),
  };
  return { state, entities, users };
}

/** An exposure with nothing owed yet, whose whole limit the writer holds. */
function anExposure(direction: Direction, limit: bigint): Exposure {
  const nobody = { used: 0n, held: 0n, unused: 0n };
  const own = { used: 0n, held: 0n, granted: limit };
  return {
    ...direction,
    limit,
    setLimit: limit,
    limitWhereUnset: limit,
    ...own,
    others: nobody,
    isNear: false,
    isWhole: true,
  };
}

type Rows = ReadonlyMap<string, object>;

/** Throws where a batch changed a column of a row that no update writes. */
function refuseUnwritten({ name, fixed }: Table, rows: Rows, changed: Rows) {
  for (const { property } of columnsIn(fixed ?? {})) {
    for (const [id, after] of changed) {
      const before = rows.get(id) ?? after;
      const isKept = before[property as keyof object] === after[property as keyof object];
      if (!isKept) throw new Error(`${name}.${property} of ${id} was changed, and is written only once`);
    }
  }
}

/** Returns the tables after a batch: the writer's saving and the next loading in one step. */
export function applyChanges(state: State, changes: Changes): State {
  const transactions = new Map([...changes.changedTransactions].map(([id, { after }]) => [id, after]));
  refuseUnwritten(TRANSACTIONS, state.transactions, transactions);
  refuseUnwritten(ACCOUNTS, state.accounts, changes.accounts);
  refuseUnwritten(CREDITS, state.credits, changes.changedCredits);
  refuseUnwritten(QR_RESERVATIONS, state.qrs, changes.changedQrs);
  refuseUnwritten(USERS, state.wholeUsers, changes.changedUsers);
  const saved = changes.newQrs.map((qr): [string, QrRecord] => [qr.reference, qr]);
  const kept = [...changes.idempotency].map(([scope, { fingerprint, answer }]): [string, IdempotencyRecord] => [
    scope,
    { fingerprint, answer },
  ]);
  const changed = [...changes.changedUsers.values()];
  return {
    users: new Map([
      ...state.users,
      ...changes.users.map((each): [string, UserState] => [each.id, userState({ ...each, blockedAt: null })]),
      ...changed.map((each): [string, UserState] => [each.id, userState(each)]),
    ]),
    identities: new Map([
      ...[...state.identities].filter(([, id]) => !changes.changedUsers.has(id)),
      ...[...changes.users, ...changed].flatMap(({ id, nit, phone }): [string, string][] => [
        [`nit:${nit}`, id],
        [`phone:${phone}`, id],
      ]),
    ]),
    wholeUsers: new Map([...state.wholeUsers, ...changes.changedUsers]),
    entities: state.entities,
    accounts: new Map([...state.accounts, ...changes.accounts]),
    transactions: new Map([
      ...state.transactions,
      ...changes.transactions.map((each): [string, TransactionRecord] => [each.id, each]),
      ...transactions,
    ]),
    credits: new Map([...state.credits, ...changes.newCredits, ...changes.changedCredits]),
    qrs: new Map([...state.qrs, ...saved, ...changes.changedQrs]),
    exposures: new Map([
      ...state.exposures,
      ...changes.exposureChanges.map(({ reclaims: _, ...each }): [string, Exposure] => [
        directionKey(each),
        wholeExposure(each),
      ]),
    ]),
    idempotency: new Map([...state.idempotency, ...kept]),
  };
}

/** An entity without settings, whose books are all open. */
export function entityState(id: string, more: Partial<EntityState> = {}): EntityState {
  const limits = { blockingStatuses: [], paymentLimit: null, dailyLimit: null, transferLimit: null };
  const lending = { lenders: null, foreignLenders: "principal" as const };
  return { id, closedThrough: null, sendsEvents: false, ...limits, ...lending, ...more };
}

type UserFields = Omit<RegisteredUser, "posted"> & Pick<UserState, "blockedAt">;

function userState({ id, creatorId, name, businessName, nit, phone, status, blockedAt }: UserFields): UserState {
  return { id, creatorId, name, businessName, nit, phone, status, blockedAt };
}

/** The whole record of a user of a fixture. */
export function wholeUserOf(user: UserState): WholeUser {
  const nothing = { email: null, address: null, image: null, score: null, paymentData: "{}", importedHistory: "[]" };
  return { ...user, ...nothing, apnTokenHash: new Uint8Array([1]), createdAt: NOW, changedId: user.id };
}
