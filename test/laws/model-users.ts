import type { NewUser, Payment } from "../../server/ledger/model/command.ts";
import type { BlockUser, UpdateUser } from "../../server/ledger/model/user-commands.ts";
import { MAX_AMOUNT_MINOR } from "../../src/money.ts";
import type { LedgerFixture } from "../support/ledger-fixture.ts";
import { BLOCKING_STATUS, LIMITS } from "./recorded-payments.ts";

type Movement = Pick<Payment, "fromUserId" | "toUserId" | "amount">;

/**
 * The most that another entity may assign at once, and the highest balance of an account that it assigns to, in minor
 * units.
 */
const FOREIGN_GRANT = 1_000_000_000_000n;
const FOREIGN_BALANCE = 100_000_000_000_000n;

/** The users of the model: who has, holds and spent how much, and who may not pay. */
export class ModelUsers {
  readonly balances: Map<string, bigint>;
  readonly held: Map<string, bigint>;
  readonly #spent = new Map<string, bigint>();
  readonly #creators: Map<string, string>;
  /** The entity with settings, and the one other that its users may borrow from. */
  readonly #limited: string;
  readonly #lender: string;
  readonly #nits: Map<string, string>;
  readonly #taken: Set<string>;
  readonly #kept = new Set<string>();
  readonly #statuses = new Map<string, string>();
  /** The debt of a debtor to a creditor, and its limit, by both ids. */
  readonly owed: Map<string, bigint>;
  readonly #owable: Map<string, bigint>;

  constructor({ users, state, entities }: LedgerFixture) {
    this.balances = new Map(users.map(({ id }) => [id, state.accounts.get(id)?.posted ?? 0n]));
    this.held = new Map(users.map(({ id }) => [id, state.accounts.get(id)?.held ?? 0n]));
    this.#creators = new Map(users.map(({ id, creatorId }) => [id, creatorId]));
    this.#limited = entities.at(-1)?.id ?? "";
    this.#lender = entities[0]?.id ?? "";
    this.#nits = new Map(users.map(({ id, nit }) => [nit, id]));
    this.owed = new Map([...state.exposures].map(([key, { used }]) => [key, used]));
    this.#owable = new Map([...state.exposures].map(([key, { limit }]) => [key, limit]));
    this.#taken = new Set(users.flatMap(({ nit, phone }) => [nit, phone]));
  }

  isOf(user: string, entity: string): boolean {
    return this.#creators.get(user) === entity;
  }

  isFull(user: string, amount: bigint): boolean {
    return this.#of(user) + amount > MAX_AMOUNT_MINOR;
  }

  /** Checks a payment for a block, the limits and the balances, and then settles or holds it. */
  pay(payment: Movement, isHold: boolean): string {
    const { fromUserId, amount } = payment;
    if (this.isBlocked(fromUserId)) return "payer_blocked";
    const spent = (this.#spent.get(fromUserId) ?? 0n) + amount;
    const isLimited = this.isOf(fromUserId, this.#limited);
    if (isLimited && (amount > LIMITS.paymentLimit || spent > LIMITS.dailyLimit)) return "limit_exceeded";
    const outcome = isHold ? this.#hold(payment) : this.move(payment);
    if (outcome === "approved" || outcome === "pending") this.#spent.set(fromUserId, spent);
    return outcome;
  }

  /** A transfer has no limit. */
  send(transfer: Movement): string {
    return this.isBlocked(transfer.fromUserId) ? "payer_blocked" : this.move(transfer);
  }

  /** Moves a sum; a settled hold and a refund pass however large the debt is. */
  move(movement: Movement, { isForced = false } = {}): string {
    const { fromUserId, toUserId, amount } = movement;
    if (this.#available(fromUserId) < amount) return "insufficient_balance";
    const [debtor, creditor] = this.#creatorsOf(movement);
    if (!isForced && !this.#mayOwe(creditor, debtor, amount)) return "counterparty_limit";
    if (this.isFull(toUserId, amount)) return "balance_limit";
    this.#owe(creditor, debtor, amount);
    this.#owe(debtor, creditor, -amount);
    this.#add(fromUserId, -amount);
    this.#add(toUserId, amount);
    return "approved";
  }

  unhold({ fromUserId, toUserId }: Movement, amount: bigint): void {
    this.held.set(fromUserId, (this.held.get(fromUserId) ?? 0n) - amount);
    const [debtor, creditor] = this.#creatorsOf({ fromUserId, toUserId });
    this.#owe(creditor, debtor, -amount);
  }

  grant(user: string, amount: bigint, asker: string): string {
    if (!this.#creators.has(user)) return "user_not_found";
    if (!this.isOf(user, asker)) {
      const isClosed = this.isOf(user, this.#limited) && asker !== this.#lender;
      if (isClosed) return "user_not_yours";
      if (amount > FOREIGN_GRANT || this.#of(user) > FOREIGN_BALANCE) return "balance_limit";
    }
    if (this.isFull(user, amount)) return "balance_limit";
    const creditor = this.#creators.get(user) ?? "";
    if (!this.#mayOwe(creditor, asker, amount)) return "counterparty_limit";
    this.#owe(creditor, asker, amount);
    this.#owe(asker, creditor, -amount);
    this.#add(user, amount);
    return "done";
  }

  register({ nit, phone }: Pick<NewUser, "nit" | "phone">): string {
    if (this.#taken.has(nit) || this.#taken.has(phone)) return "duplicate_user";
    this.#taken.add(nit).add(phone);
    return "done";
  }

  update({ userId, changes }: UpdateUser, asker: string): string {
    const refusal = this.#refuseChange(userId, asker);
    if (refusal !== undefined) return refusal;
    if (changes.nit !== undefined && this.#nits.get(changes.nit) !== userId) return "duplicate_user";
    if (changes.status !== undefined) this.#statuses.set(userId, changes.status);
    return "done";
  }

  block({ userId, isBlocked }: BlockUser, asker: string): string {
    const refusal = this.#refuseChange(userId, asker);
    if (refusal !== undefined) return refusal;
    isBlocked ? this.#kept.add(userId) : this.#kept.delete(userId);
    return "done";
  }

  /** Takes a snapshot of the money, and returns the function that restores it. */
  remember(): () => void {
    const pairs = [this.balances, this.held, this.#spent, this.owed].map((each) => [each, [...each]] as const);
    return () => {
      for (const [map, entries] of pairs) {
        map.clear();
        for (const [user, amount] of entries) map.set(user, amount);
      }
    };
  }

  #refuseChange(user: string, asker: string): string | undefined {
    if (!this.#creators.has(user)) return "user_not_found";
    return this.isOf(user, asker) ? undefined : "user_not_yours";
  }

  isBlocked(user: string): boolean {
    return this.#kept.has(user) || this.#statuses.get(user) === BLOCKING_STATUS;
  }

  #creatorsOf({ fromUserId, toUserId }: Pick<Movement, "fromUserId" | "toUserId">): [string, string] {
    return [this.#creators.get(fromUserId) ?? "", this.#creators.get(toUserId) ?? ""];
  }

  #mayOwe(creditor: string, debtor: string, amount: bigint): boolean {
    const key = `${creditor}|${debtor}`;
    return creditor === debtor || (this.owed.get(key) ?? 0n) + amount <= (this.#owable.get(key) ?? 0n);
  }

  #owe(creditor: string, debtor: string, amount: bigint): void {
    const key = `${creditor}|${debtor}`;
    if (creditor !== debtor) this.owed.set(key, (this.owed.get(key) ?? 0n) + amount);
  }

  #hold(movement: Movement): string {
    const { fromUserId, toUserId, amount } = movement;
    if (this.#available(fromUserId) < amount) return "insufficient_balance";
    const [debtor, creditor] = this.#creatorsOf(movement);
    if (!this.#mayOwe(creditor, debtor, amount)) return "counterparty_limit";
    if (this.isFull(toUserId, amount)) return "balance_limit";
    this.#owe(creditor, debtor, amount);
    this.held.set(fromUserId, (this.held.get(fromUserId) ?? 0n) + amount);
    return "pending";
  }

  #available(user: string): bigint {
    return this.#of(user) - (this.held.get(user) ?? 0n);
  }

  #of(user: string): bigint {
    return this.balances.get(user) ?? 0n;
  }

  #add(user: string, amount: bigint): void {
    this.balances.set(user, this.#of(user) + amount);
  }
}
