import type { Action, Batch, Command, Payment, Transfer } from "../../server/ledger/command.ts";
import type { ReserveQr } from "../../server/ledger/qr-commands.ts";
import { idempotencyScope } from "../../server/ledger/state.ts";
import { errorCodes } from "../../src/contract/errors.ts";
import { MAX_AMOUNT_MINOR } from "../../src/money.ts";
import { NOW } from "../support/ledger.ts";
import type { World } from "../support/ledger-world.ts";
import { WRONG_NAME } from "./history.ts";

/** The ledger in the plainest terms: who has how much, and one word for what becomes of each command. */
export class Model {
  readonly balances: Map<string, bigint>;
  readonly #creators: Map<string, string>;
  readonly #identities: Set<string>;
  readonly #qrs = new Map<string, { qr: ReserveQr; maker: string; state: "open" | "paid" | "cancelled" }>();
  readonly #keys = new Map<string, string>();

  constructor({ users, state }: World) {
    this.balances = new Map(users.map(({ id }) => [id, state.accounts.get(id)?.posted ?? 0n]));
    this.#creators = new Map(users.map(({ id, creatorId }) => [id, creatorId]));
    this.#identities = new Set(users.flatMap(({ nit, phone }) => [nit, phone]));
  }

  tell({ origin, action }: Command): string {
    const used = origin.idempotency;
    if (used === undefined) return this.#act(action, origin.entityId);
    const scope = idempotencyScope(origin, used.key);
    const earlier = this.#keys.get(scope);
    if (earlier !== undefined) return earlier === used.fingerprint ? "replayed" : "idempotency_key_reused";
    const outcome = this.#act(action, origin.entityId);
    const status = outcome in errorCodes ? errorCodes[outcome as keyof typeof errorCodes].status : 200;
    const isMovement = ["payment", "transfer"].includes(action.type);
    const isRejected = isMovement && ["insufficient_balance", "balance_limit"].includes(outcome);
    if (isRejected || ![400, 401, 403].includes(status)) this.#keys.set(scope, used.fingerprint);
    return outcome;
  }

  #act(action: Action, asker: string): string {
    if (action.type === "payment") return this.#pay(action, asker);
    if (action.type === "batch") return this.#payAll(action, asker);
    if (action.type === "transfer")
      return this.#creators.get(action.fromUserId) === asker ? this.#move(action) : "payer_not_yours";
    if (action.type === "remember") return "done";
    if (action.type === "refuse") return action.refusal.code;
    if (action.type === "grant") {
      if (this.#of(action.userId) + action.amount > MAX_AMOUNT_MINOR) return "balance_limit";
      this.#add(action.userId, action.amount);
      return "done";
    }
    if (action.type === "register-user") {
      const taken = [action.user.nit, action.user.phone].filter((text) => this.#identities.has(text));
      if (taken.length > 0) return "duplicate_user";
      this.#identities.add(action.user.nit).add(action.user.phone);
      return "done";
    }
    if (action.type === "reserve-qr") {
      this.#qrs.set(action.reference, { qr: action, maker: asker, state: "open" });
      return "done";
    }
    if (action.type !== "cancel-qr") throw new Error(`the model does not know ${action.type}`);
    const found = this.#qrs.get(action.reference);
    if (found === undefined) return "qr_not_found";
    if (found.maker !== asker) return "not_allowed";
    if (found.state === "paid") return "qr_already_paid";
    if (found.state === "open" && found.qr.expiresAt <= NOW) return "qr_expired";
    found.state = "cancelled";
    return "done";
  }

  #pay(payment: Payment, asker: string): string {
    const { fromUserId, amount, fromName, toName, qr } = payment;
    if (this.#creators.get(fromUserId) !== asker) return "payer_not_yours";
    if (fromName === WRONG_NAME || toName === WRONG_NAME) return "name_mismatch";
    if (qr?.amount !== undefined && qr.amount !== amount) return "qr_mismatch";
    const found = qr?.reference === undefined ? undefined : this.#qrs.get(qr.reference);
    if (qr?.reference !== undefined) {
      if (found === undefined) return "qr_not_authentic";
      if (found.qr.fromUserId !== undefined && found.qr.fromUserId !== fromUserId) return "qr_other_payer";
      if (found.state !== "open") return found.state === "paid" ? "qr_already_paid" : "qr_cancelled";
      if (found.qr.expiresAt <= NOW) return "qr_expired";
    }
    if (payment.requestedStatus === "rejected") return "rejected";
    const outcome = this.#move(payment);
    if (found !== undefined && outcome === "approved") found.state = "paid";
    return outcome;
  }

  /** One after the other; at the first that fails everything is as it was. */
  #payAll({ fromUserId, fromName, items }: Batch, asker: string): string {
    if (this.#creators.get(fromUserId) !== asker) return "payer_not_yours";
    if ([fromName, ...items.map(({ toName }) => toName)].includes(WRONG_NAME)) return "name_mismatch";
    const before = [...this.balances];
    for (const [index, { toUserId, amount }] of items.entries()) {
      const outcome = this.#move({ fromUserId, toUserId, amount });
      if (outcome === "approved") continue;
      for (const [user, balance] of before) this.balances.set(user, balance);
      return `batch ${outcome} at ${index}`;
    }
    return "batch approved";
  }

  #move({ fromUserId, toUserId, amount }: Pick<Payment | Transfer, "fromUserId" | "toUserId" | "amount">): string {
    if (this.#of(fromUserId) < amount) return "insufficient_balance";
    if (this.#of(toUserId) + amount > MAX_AMOUNT_MINOR) return "balance_limit";
    this.#add(fromUserId, -amount);
    this.#add(toUserId, amount);
    return "approved";
  }

  #of(user: string): bigint {
    return this.balances.get(user) ?? 0n;
  }

  #add(user: string, amount: bigint): void {
    this.balances.set(user, this.#of(user) + amount);
  }
}
