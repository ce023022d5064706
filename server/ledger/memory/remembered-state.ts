import { type LockSet, namesOnly } from "../decide/lock-set.ts";
import type { Command } from "../model/command.ts";
import { directionKey, type Exposure } from "../model/exposure.ts";
import type { QrRecord } from "../model/qr-commands.ts";
import {
  type Changes,
  type EntityState,
  type IdempotencyRecord,
  idempotencyScope,
  type LedgerAccount,
  type State,
  type UserState,
} from "../model/state.ts";
import { type Expected, RememberedRows, type Versioned } from "./remembered-rows.ts";

/** An exposure; its version is the sum of those of its limit and its slices, that of this writer's slice among them. */
export interface VersionedExposure extends Exposure {
  readonly version: bigint;
  /** Null until the slice is opened. */
  readonly sliceVersion: bigint | null;
}

/** The kinds of rows that are remembered, as they were read. */
export interface VersionedState {
  readonly users: ReadonlyMap<string, UserState & Versioned>;
  readonly entities: ReadonlyMap<string, EntityState & Versioned>;
  readonly accounts: ReadonlyMap<string, LedgerAccount>;
  readonly qrs: ReadonlyMap<string, QrRecord>;
  readonly exposures: ReadonlyMap<string, VersionedExposure>;
}

/** The kinds of rows that are remembered. */
type RememberedKind = keyof VersionedState;

/** For each kind, the rows that a decision read, and the versions that its commit must find. */
export type Expectations = Readonly<Record<RememberedKind, Expected>>;

type NamedKey = LockSet["keys"][number];

function scopeOf({ entity_id: entityId, operation, key }: NamedKey): string {
  return idempotencyScope({ entityId, operation }, key);
}

/** Most rows, and most answers, that are remembered. */
const MOST_ROWS = 400_000;
const MOST_ANSWERS = 20_000;

const KINDS = ["users", "entities", "accounts", "qrs", "exposures"] as const satisfies RememberedKind[];
/** The kinds of rows that actions may name: users and their accounts, entities and their books, QRs, exposures. */
const REMEMBERED: ReadonlySet<string> = new Set([
  "userIds",
  "entityIds",
  "qrReferences",
  "books",
  "movements",
  "exposures",
]);
const NONE: ReadonlyMap<string, never> = new Map<string, never>();

/**
 * The rows that a writer read or wrote, by which it decides without asking PostgreSQL: users, their entities, accounts,
 * QRs, exposures, and the answers of recent idempotency keys. Nothing here is taken for true: a commit checks the
 * version of each row that its decision read. Rows that are not there may only be missing in the memory.
 */
export class RememberedState implements State {
  readonly users = new RememberedRows<UserState & Versioned>();
  readonly entities = new RememberedRows<EntityState & Versioned>();
  readonly accounts = new RememberedRows<LedgerAccount>();
  readonly qrs = new RememberedRows<QrRecord>();
  readonly exposures = new RememberedRows<VersionedExposure>();
  readonly idempotency = new Map<string, IdempotencyRecord>();
  readonly identities = NONE;
  readonly wholeUsers = NONE;
  readonly transactions = NONE;
  readonly credits = NONE;
  #forgotten = 0;
  #sinceMs = 0;

  /** True if a batch needs rows of no other kinds than are remembered. */
  static suffices(commands: readonly Command[]): boolean {
    return commands.every((command) => namesOnly(command, REMEMBERED));
  }

  /**
   * Milliseconds of this process since when it remembers. A connection that was opened later may be to another server,
   * which has not all that was committed.
   */
  get sinceMs(): number {
    return this.#sinceMs;
  }

  /** How often rows were forgotten. */
  get forgotten(): number {
    return this.#forgotten;
  }

  /** The rows of a batch that are not remembered, if any; a QR is told to the entity that made it, too. */
  missingOf(touched: LockSet): LockSet | undefined {
    const makers = touched.qrReferences.flatMap((reference) => this.qrs.peek(reference)?.madeBy ?? []);
    const missing = {
      ...touched,
      userIds: touched.userIds.filter((id) => !this.users.has(id) || !this.accounts.has(id)),
      entityIds: [...new Set([...touched.entityIds, ...makers])].filter((id) => !this.entities.has(id)),
      qrReferences: touched.qrReferences.filter((reference) => !this.qrs.has(reference)),
      entityAccounts: new Map([...touched.entityAccounts].filter(([id]) => !this.accounts.has(id))),
      directions: touched.directions.filter((direction) => !this.exposures.has(directionKey(direction))),
      keys: [],
    };
    const { userIds, entityIds, qrReferences, entityAccounts, directions } = missing;
    const count = entityAccounts.size + [userIds, entityIds, qrReferences, directions].flat().length;
    return count === 0 ? undefined : missing;
  }

  /** True if all that a batch may post to is opened: accounts and slices. */
  hasOpened({ entityAccounts, directions }: LockSet): boolean {
    const isOpen = (key: string): boolean => this.exposures.peek(key)?.sliceVersion !== null;
    return (
      [...entityAccounts.keys()].every((id) => this.accounts.has(id)) && directions.map(directionKey).every(isOpen)
    );
  }

  /** Keeps rows that were read, but for those that a batch on its way has changed meanwhile. */
  learn(read: VersionedState): void {
    for (const kind of KINDS) {
      const rows: Map<string, unknown> = this[kind];
      for (const [key, row] of read[kind]) if (!rows.has(key)) rows.set(key, row);
    }
  }

  /** Prepares for the next decision. */
  reread(): void {
    for (const kind of KINDS) this[kind].reread();
  }

  /** The rows that the decision read, with their versions. */
  expected(): Expectations {
    return {
      users: this.users.expected(),
      entities: this.entities.expected(),
      accounts: this.accounts.expected(),
      qrs: this.qrs.expected(),
      exposures: this.exposures.expected(),
    };
  }

  /** Keeps what a batch changes, whose rows get the version. */
  change({ accounts, newQrs, changedQrs, exposureChanges }: Changes, version: bigint): void {
    for (const [id, account] of accounts) this.accounts.set(id, { ...account, version });
    for (const qr of [...newQrs, ...changedQrs.values()]) this.qrs.set(qr.reference, { ...qr, version });
    for (const { reclaims: _, ...exposure } of exposureChanges) {
      const key = directionKey(exposure);
      const before = this.exposures.peek(key);
      if (before === undefined) continue;
      const sum = before.version - (before.sliceVersion ?? 0n) + version;
      this.exposures.set(key, { ...exposure, sliceVersion: version, version: sum });
    }
  }

  /** Keeps the answers of a batch that is committed. */
  answer(idempotency: ReadonlyMap<string, IdempotencyRecord>): void {
    for (const [scope, { fingerprint, answer }] of idempotency) this.idempotency.set(scope, { fingerprint, answer });
    for (const scope of this.idempotency.keys()) {
      if (this.idempotency.size <= MOST_ANSWERS) break;
      this.idempotency.delete(scope);
    }
  }

  /** The fingerprint of the request that was answered under a key, as far as it is remembered. */
  fingerprintOf(key: NamedKey): string | undefined {
    return this.idempotency.get(scopeOf(key))?.fingerprint;
  }

  /**
   * Forgets the rows of a batch, which may be other than they are remembered; those of one that was decided here, with
   * all that its decision read and made.
   */
  forget(
    { userIds, entityIds, entityAccounts, qrReferences, directions, keys }: LockSet,
    decided?: { readonly expected: Expectations; readonly changes: Changes },
  ): void {
    this.#forgotten += 1;
    if (decided !== undefined) {
      for (const kind of KINDS) this[kind].forget(decided.expected[kind].keys);
      this.qrs.forget(decided.changes.newQrs.map(({ reference }) => reference));
    }
    for (const key of keys) this.idempotency.delete(scopeOf(key));
    this.users.forget(userIds);
    this.accounts.forget(userIds);
    this.accounts.forget(entityAccounts.keys());
    this.entities.forget(entityIds);
    this.qrs.forget(qrReferences);
    this.exposures.forget(directions.map(directionKey));
  }

  /** True once it is to forget all, when no batch is on its way, whose changes nobody else can tell. */
  get isFull(): boolean {
    return KINDS.reduce((sum, kind) => sum + this[kind].size, 0) > MOST_ROWS;
  }

  /** Forgets all, the answers too. */
  clear(): void {
    this.#forgotten += 1;
    this.#sinceMs = performance.now();
    this.idempotency.clear();
    for (const kind of KINDS) this[kind].clear();
  }
}
