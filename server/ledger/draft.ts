import { MAX_AMOUNT_MINOR, sumAmounts } from "../../src/money.ts";
import type { Line } from "./books.ts";
import type { QrRecord, RegisteredUser, TransactionRecord, TransferRecord } from "./command.ts";
import type {
  Account,
  Changes,
  Credit,
  Entry,
  IdempotencyRecord,
  Moment,
  NewIdempotencyRecord,
  Posting,
  State,
  UserState,
} from "./state.ts";

/** The state while a batch is decided: reads see what earlier commands of the batch did, and all of it is recorded. */
export class Draft implements Changes {
  readonly moment: Moment;
  readonly accounts = new Map<string, Account>();
  readonly postings: Posting[] = [];
  readonly entries: Entry[] = [];
  readonly transactions: TransactionRecord[] = [];
  readonly transfers: TransferRecord[] = [];
  readonly credits: Credit[] = [];
  readonly users: RegisteredUser[] = [];
  readonly newQrs: QrRecord[] = [];
  readonly changedQrs = new Map<string, QrRecord>();
  readonly idempotency = new Map<string, NewIdempotencyRecord>();
  readonly #state: State;
  readonly #newUsers = new Map<string, UserState>();
  readonly #newIdentities = new Map<string, string>();
  readonly #reserved = new Map<string, QrRecord>();

  constructor(state: State, moment: Moment) {
    this.#state = state;
    this.moment = moment;
  }

  user(id: string): UserState | undefined {
    return this.#newUsers.get(id) ?? this.#state.users.get(id);
  }

  identity(key: string): string | undefined {
    return this.#newIdentities.get(key) ?? this.#state.identities.get(key);
  }

  qr(reference: string): QrRecord | undefined {
    return this.changedQrs.get(reference) ?? this.#reserved.get(reference) ?? this.#state.qrs.get(reference);
  }

  idempotent(scope: string): IdempotencyRecord | undefined {
    return this.idempotency.get(scope) ?? this.#state.idempotency.get(scope);
  }

  /** An account that was locked or opened for this batch; a missing one is a bug of the loader. */
  account(id: string): Account {
    const account = this.accounts.get(id) ?? this.#state.accounts.get(id);
    if (account === undefined) throw new Error(`account ${id} was not locked for this batch`);
    return account;
  }

  register(user: RegisteredUser, account: Account): void {
    this.users.push(user);
    this.#newUsers.set(user.id, user);
    this.#newIdentities.set(`nit:${user.nit}`, user.id).set(`phone:${user.phone}`, user.id);
    this.accounts.set(account.id, account);
  }

  reserve(qr: QrRecord): void {
    this.newQrs.push(qr);
    this.#reserved.set(qr.reference, qr);
  }

  changeQr(qr: QrRecord): void {
    this.changedQrs.set(qr.reference, qr);
  }

  /** Whether crediting the account would take it past the largest balance. */
  wouldExceed(accountId: string, amount: bigint): boolean {
    return this.account(accountId).posted + amount > MAX_AMOUNT_MINOR;
  }

  /** Enters a posting: its lines must sum to zero, and each entry remembers the balance that it left. */
  post(posting: Omit<Posting, "day" | "createdAt">, lines: readonly Line[]): void {
    if (sumAmounts(lines.map((line) => line.amount)) !== 0n)
      throw new Error(`posting ${posting.id} does not sum to zero`);
    this.postings.push({ ...posting, day: this.moment.day, createdAt: this.moment.now });
    for (const { accountId, amount } of lines) this.#enter(posting.id, accountId, amount);
  }

  #enter(postingId: string, accountId: string, amount: bigint): void {
    const before = this.account(accountId);
    const after = { ...before, posted: before.posted + amount, entryCount: before.entryCount + 1n };
    this.accounts.set(accountId, after);
    this.entries.push({
      accountId,
      sequenceNumber: after.entryCount,
      postingId,
      amount,
      balanceAfter: after.posted,
    });
  }
}
