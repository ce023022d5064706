import { addDays } from "../../../src/calendar-day.ts";
import { MAX_AMOUNT_MINOR, sumAmounts } from "../../../src/money.ts";
import type { RecordOf } from "../model/columns.ts";
import type { RegisteredUser, TransactionRecord, TransferRecord } from "../model/command.ts";
import type { CreditAccrual, CreditMovement, CreditRecord } from "../model/credit-commands.ts";
import type { DomainEvent, LedgerEvent } from "../model/events.ts";
import type { ExposureChange } from "../model/exposure.ts";
import type { QrRecord } from "../model/qr-commands.ts";
import type {
  AccrualsSince,
  Changes,
  CreditDay,
  CreditDayOf,
  EntityState,
  IdempotencyRecord,
  LedgerAccount,
  LedgerDay,
  LedgerEntry,
  NewIdempotencyRecord,
  PaymentEvent,
  PaymentEventName,
  Posting,
  PostingTime,
  State,
  TransactionChange,
  UserState,
} from "../model/state.ts";
import type { ACCOUNT_DAYS } from "../model/tables.ts";
import type { WholeUser } from "../model/user-commands.ts";
import type { Line } from "./books.ts";
import { CREDIT_FIGURES } from "./credit-figures.ts";
import { Exposures } from "./exposures.ts";

function debtorKey({ userId, entityId }: Pick<CreditRecord, "userId" | "entityId">): string {
  return `${userId}|${entityId}`;
}

/** The payer whose money is held, and the entities between which it may move. */
type HeldParties = Pick<TransactionRecord, "fromUserId" | "fromCreatorId" | "toCreatorId">;

/**
 * The state while a batch is decided, over the rows that were locked: reads see what earlier commands of the batch did,
 * and all that they did is recorded as the changes to write.
 */
export class BatchState implements Changes {
  readonly moment: PostingTime;
  readonly accounts = new Map<string, LedgerAccount>();
  readonly postings: Posting[] = [];
  readonly entries: LedgerEntry[] = [];
  readonly transactions: TransactionRecord[] = [];
  readonly changedTransactions = new Map<string, TransactionChange>();
  readonly paymentEvents: PaymentEvent[] = [];
  readonly transfers: TransferRecord[] = [];
  readonly newCredits = new Map<string, CreditRecord>();
  readonly changedCredits = new Map<string, CreditRecord>();
  readonly creditMovements: CreditMovement[] = [];
  readonly creditAccruals: CreditAccrual[] = [];
  readonly creditDays = new Map<string, CreditDayOf>();
  readonly ledgerDays = new Map<string, LedgerDay>();
  readonly accountDays: RecordOf<typeof ACCOUNT_DAYS>[] = [];
  readonly events: LedgerEvent[] = [];
  readonly users: RegisteredUser[] = [];
  readonly changedUsers = new Map<string, WholeUser>();
  readonly newQrs: QrRecord[] = [];
  readonly changedQrs = new Map<string, QrRecord>();
  readonly idempotency = new Map<string, NewIdempotencyRecord>();
  readonly exposures: Exposures;
  readonly #state: State;
  readonly #nextId: () => string;
  readonly #newUsers = new Map<string, UserState>();
  readonly #newIdentities = new Map<string, string>();
  readonly #reserved = new Map<string, QrRecord>();
  /** Credit ids by user and entity: a batch may have the credits of hundreds of users, too many to scan for each. */
  readonly #creditIds = new Map<string, string[]>();

  constructor(state: State, moment: PostingTime, nextId: () => string) {
    this.#state = state;
    this.moment = moment;
    this.exposures = new Exposures(state.exposures);
    this.#nextId = nextId;
    for (const credit of state.credits.values()) this.#indexCredit(credit);
  }

  get exposureChanges(): readonly ExposureChange[] {
    return this.exposures.changes();
  }

  /** A fresh id, greater than the one before. */
  nextId(): string {
    return this.#nextId();
  }

  user(id: string): UserState | undefined {
    const changed = this.changedUsers.get(id);
    return changed ?? this.#newUsers.get(id) ?? this.#state.users.get(id);
  }

  /** The whole record of a user that the batch changes; a missing one is a user that does not exist. */
  wholeUser(id: string): WholeUser | undefined {
    return this.changedUsers.get(id) ?? this.#state.wholeUsers.get(id);
  }

  identity(key: string): string | undefined {
    return this.#newIdentities.get(key) ?? this.#state.identities.get(key);
  }

  /** An entity that is a caller or created a user of the batch; a missing one is a bug of the loader. */
  entity(id: string): EntityState {
    const entity = this.#state.entities.get(id);
    if (entity === undefined) throw new Error(`entity ${id} was not locked for this batch`);
    return entity;
  }

  qr(reference: string): QrRecord | undefined {
    return this.changedQrs.get(reference) ?? this.#reserved.get(reference) ?? this.#state.qrs.get(reference);
  }

  /** A recorded payment that the batch changes. */
  transaction(id: string): TransactionRecord | undefined {
    return this.changedTransactions.get(id)?.after ?? this.#state.transactions.get(id);
  }

  credit(id: string): CreditRecord | undefined {
    return this.changedCredits.get(id) ?? this.newCredits.get(id) ?? this.#state.credits.get(id);
  }

  /** The credits of a user at an entity: all that may be owed, and others that the batch names. */
  creditsOf(userId: string, entityId: string): readonly CreditRecord[] {
    const ids = this.#creditIds.get(debtorKey({ userId, entityId })) ?? [];
    return ids.flatMap((id) => this.credit(id) ?? []);
  }

  /** The interest of a credit since the day that the batch asks for; a missing one is a bug of the loader. */
  accrualsSince(creditId: string): AccrualsSince {
    const accruals = this.#state.accruals?.get(creditId);
    if (accruals === undefined) throw new Error(`the accruals of credit ${creditId} were not read for this batch`);
    return accruals;
  }

  idempotent(scope: string): IdempotencyRecord | undefined {
    return this.idempotency.get(scope) ?? this.#state.idempotency.get(scope);
  }

  /** An account that was locked or opened for this batch; a missing one is a bug of the loader. */
  account(id: string): LedgerAccount {
    const account = this.accounts.get(id) ?? this.#state.accounts.get(id);
    if (account === undefined) throw new Error(`account ${id} was not locked for this batch`);
    return account;
  }

  register(user: RegisteredUser, account: LedgerAccount): void {
    this.users.push(user);
    this.#newUsers.set(user.id, { ...user, blockedAt: null });
    this.#newIdentities.set(`nit:${user.nit}`, user.id).set(`phone:${user.phone}`, user.id);
    this.accounts.set(account.id, account);
  }

  /** Changes a user's record; the identities that it had stay taken within this batch. */
  changeUser(user: Omit<WholeUser, "changedId">): WholeUser {
    const changed = { ...user, changedId: this.#nextId() };
    this.changedUsers.set(user.id, changed);
    this.#newIdentities.set(`nit:${user.nit}`, user.id).set(`phone:${user.phone}`, user.id);
    return changed;
  }

  reserve(qr: QrRecord): void {
    this.newQrs.push(qr);
    this.#reserved.set(qr.reference, qr);
  }

  changeQr(qr: QrRecord): void {
    this.changedQrs.set(qr.reference, qr);
  }

  /** Changes a recorded payment; the totals of its payee follow from its states before and after. */
  changeTransaction(after: TransactionRecord): void {
    const latest = this.transaction(after.id);
    if (latest === undefined) throw new Error(`transaction ${after.id} was not locked for this batch`);
    const { before, statuses } = this.changedTransactions.get(after.id) ?? { before: latest, statuses: [] };
    const taken = after.statusCount > latest.statusCount ? [...statuses, after] : statuses;
    this.changedTransactions.set(after.id, { before, after, statuses: taken, changeId: this.#nextId() });
  }

  /** Counts an event of a payment on the day on which its posting is booked, or would be if it had one. */
  countEvent(record: TransactionRecord, event: PaymentEventName, amount = record.amount): void {
    const { fromCreatorId, kind, madeBy: entityId, postingId, reason, toCreatorId } = record;
    const day = this.bookingDay(postingId === null ? [entityId] : [fromCreatorId, toCreatorId]);
    this.paymentEvents.push({ entityId, day, kind, event, amount, reason });
  }

  openCredit(credit: CreditRecord): void {
    this.newCredits.set(credit.id, credit);
    this.#indexCredit(credit);
  }

  #indexCredit(credit: CreditRecord): void {
    const key = debtorKey(credit);
    const ids = this.#creditIds.get(key);
    if (ids === undefined) this.#creditIds.set(key, [credit.id]);
    else ids.push(credit.id);
  }

  /** Keeps a credit as it stands now, whether it was opened in this batch or before. */
  changeCredit(credit: Omit<CreditRecord, "changedId">): void {
    const changed = { ...credit, changedId: this.#nextId() };
    (this.newCredits.has(credit.id) ? this.newCredits : this.changedCredits).set(credit.id, changed);
  }

  /** Adds to the figures of an entity's credits of a loan type on a booking day. */
  addCreditDay(entityId: string, day: string, loanType: string, figures: CreditDay): void {
    const key = `${entityId}|${day}|${loanType}`;
    const before = this.creditDays.get(key)?.figures ?? {};
    const sums = CREDIT_FIGURES.map((name) => [name, (before[name] ?? 0n) + (figures[name] ?? 0n)]);
    this.creditDays.set(key, { entityId, day, loanType, figures: Object.fromEntries(sums) as CreditDay });
  }

  /** Emits an event once to each of these entities that receives its type. */
  emit(event: DomainEvent, entityIds: readonly string[]): void {
    for (const entityId of new Set(entityIds)) {
      const { sendsEvents, eventTypes } = this.entity(entityId);
      if (!sendsEvents || eventTypes?.includes(event.type) === false) continue;
      this.events.push({ id: this.#nextId(), entityId, event, createdAt: this.moment.now });
    }
  }

  /** True if crediting the account would take it past the largest balance. */
  wouldExceed(accountId: string, amount: bigint): boolean {
    return this.account(accountId).posted + amount > MAX_AMOUNT_MINOR;
  }

  /** Takes a payment's money out of what is available, or gives it back (a negative amount), without moving it. */
  hold({ fromUserId, fromCreatorId, toCreatorId }: HeldParties, amount: bigint): void {
    const account = this.account(fromUserId);
    this.accounts.set(fromUserId, { ...account, held: account.held + amount });
    this.exposures.hold({ creditorId: toCreatorId, debtorId: fromCreatorId }, amount);
  }

  /** The sum that the user sent in payments today, holds included; tomorrow's where another clock is past midnight. */
  spentToday(accountId: string): bigint {
    const { spent, spentOn } = this.account(accountId);
    return spentOn !== null && spentOn >= this.moment.day ? spent : 0n;
  }

  /** Counts a payment against the payer's limit of the day. */
  spend(accountId: string, amount: bigint): void {
    const account = this.account(accountId);
    const { day } = this.moment;
    const spentOn = account.spentOn !== null && account.spentOn > day ? account.spentOn : day;
    this.accounts.set(accountId, { ...account, spent: this.spentToday(accountId) + amount, spentOn });
  }

  /** The day on which a posting is booked: not before the first day that all of the entities have open. */
  bookingDay(entityIds: readonly string[], day = this.moment.day): string {
    const opened = entityIds.flatMap((id) => {
      const closed = this.entity(id).closedThrough;
      return closed === null ? [] : [addDays(closed, 1)];
    });
    return [day, ...opened].reduce((latest, each) => (each > latest ? each : latest));
  }

  /**
   * Enters a posting: its lines must sum to zero, and each entry records the balance that it left. It is booked on
   * `day` (today, unless an accrual of an earlier day), or the first open day after it; gives the booking day.
   */
  post(posting: Omit<Posting, "day" | "createdAt">, lines: readonly Line[], day?: string): string {
    if (sumAmounts(lines.map((line) => line.amount)) !== 0n)
      throw new Error(`posting ${posting.id} does not sum to zero`);
    const entityIds = [...new Set(lines.map((line) => this.account(line.accountId).entityId))];
    const bookedOn = this.bookingDay(entityIds, day);
    this.postings.push({ ...posting, day: bookedOn, createdAt: this.moment.now });
    for (const { accountId, amount } of lines) this.#enter(posting.id, accountId, amount, bookedOn);
    return bookedOn;
  }

  #enter(postingId: string, accountId: string, amount: bigint, day: string): void {
    const before = this.account(accountId);
    const posted = before.posted + amount;
    const after = { ...before, posted, entryCount: before.entryCount + 1n, activeOn: day };
    this.accounts.set(accountId, after);
    this.entries.push({ accountId, sequenceNumber: after.entryCount, postingId, amount, balanceAfter: posted });
    if (before.kind === "user_quota" && before.activeOn !== day) {
      this.accountDays.push({ accountId, day, firstEntry: after.entryCount });
    }
    if (before.kind === "due_from") this.#addExposure(before, -amount);
    this.#addLedgerDay(before, amount, day);
  }

  /** Due-from mirrors due-to: its entry alone gives the change of what two entities owe one another. */
  #addExposure({ entityId, counterpartyId }: LedgerAccount, amount: bigint): void {
    if (counterpartyId === null) throw new Error("a due-from account without a counterparty");
    this.exposures.post({ creditorId: entityId, debtorId: counterpartyId }, amount);
  }

  #addLedgerDay({ entityId, kind, counterpartyId }: LedgerAccount, amount: bigint, day: string): void {
    const key = `${entityId}|${kind}|${counterpartyId}|${day}`;
    const { debit, credit } = this.ledgerDays.get(key) ?? { debit: 0n, credit: 0n };
    const sums = amount < 0n ? { debit: debit - amount, credit } : { debit, credit: credit + amount };
    this.ledgerDays.set(key, { entityId, kind, counterpartyId, day, ...sums });
  }
}
