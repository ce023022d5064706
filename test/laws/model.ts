import type { Action, Batch, Command, Payment, Transfer } from "../../server/ledger/model/command.ts";
import type { ReserveQr } from "../../server/ledger/model/qr-commands.ts";
import { idempotencyScope } from "../../server/ledger/model/state.ts";
import { errorCodes } from "../../src/contract/shared/errors.ts";
import { NOW } from "../support/ledger.ts";
import type { LedgerFixture } from "../support/ledger-fixture.ts";
import { WRONG_NAME } from "./history.ts";
import { ModelUsers } from "./model-users.ts";
import { HELD_QR, RECORDED } from "./recorded-payments.ts";

type Movement = Pick<Payment | Transfer, "fromUserId" | "toUserId" | "amount">;

/** A payment that can be settled, released or given back. */
interface Kept extends Movement {
  status: string;
  reversed: bigint;
  isOver: boolean;
  readonly qr: string | undefined;
}

/** The ledger in the plainest terms: who has and holds how much, and one word for what becomes of each command. */
export class Model {
  readonly users: ModelUsers;
  readonly #kept: Map<string, Kept>;
  readonly #qrs = new Map<string, { qr: ReserveQr | undefined; maker: string; state: "open" | "paid" | "cancelled" }>();
  readonly #keys = new Map<string, string>();

  constructor(fixture: LedgerFixture) {
    this.users = new ModelUsers(fixture);
    this.#kept = new Map(
      RECORDED.map(({ id, from, to, amount, status, expiresAt, qrReference }) => {
        const [fromUserId, toUserId] = [fixture.users[from]?.id ?? "", fixture.users[to]?.id ?? ""];
        const isOver = expiresAt !== undefined && expiresAt <= NOW;
        return [id, { fromUserId, toUserId, amount, status, reversed: 0n, isOver, qr: qrReference }];
      }),
    );
    const holding = RECORDED.find(({ qrReference }) => qrReference === HELD_QR);
    const maker = fixture.users[holding?.to ?? 0]?.creatorId ?? "";
    this.#qrs.set(HELD_QR, { qr: undefined, maker, state: "paid" });
  }

  tell({ origin, action }: Command): string {
    const used = origin.idempotency;
    if (used === undefined) return this.#act(action, origin.entityId);
    const scope = idempotencyScope(origin, used.key);
    const earlier = this.#keys.get(scope);
    if (earlier !== undefined) return earlier === used.fingerprint ? "replayed" : "idempotency_key_reused";
    const outcome = this.#act(action, origin.entityId);
    const status = outcome in errorCodes ? errorCodes[outcome as keyof typeof errorCodes].status : 200;
    if (![400, 401, 403].includes(status)) this.#keys.set(scope, used.fingerprint);
    return outcome;
  }

  #act(action: Action, asker: string): string {
    const { users } = this;
    if (action.type === "payment") return this.#pay(action, asker);
    if (action.type === "batch") return this.#payAll(action, asker);
    if (action.type === "transfer")
      return users.isOf(action.fromUserId, asker) ? users.send(action) : "payer_not_yours";
    if (action.type === "settle") return this.#settle(action, asker);
    if (action.type === "lapse") return this.#lapse(action.transactionId);
    if (action.type === "reverse") return this.#reverse(action, asker);
    if (action.type === "remember") return "done";
    if (action.type === "refuse") return action.refusal.code;
    if (action.type === "assign-quota") return users.grant(action.userId, action.amount, asker);
    if (action.type === "register-user") return users.register(action.user);
    if (action.type === "update-user") return users.update(action, asker);
    if (action.type === "block-user") return users.block(action, asker);
    if (action.type === "reserve-qr") {
      this.#qrs.set(action.reference, { qr: action, maker: asker, state: "open" });
      return "done";
    }
    if (action.type !== "cancel-qr") throw new Error(`the model does not know ${action.type}`);
    return this.#cancel(action.reference, asker);
  }

  #cancel(reference: string, asker: string): string {
    const found = this.#qrs.get(reference);
    if (found === undefined) return "qr_not_found";
    if (found.maker !== asker) return "not_allowed";
    if (found.state === "paid") return "qr_already_paid";
    if (found.state === "open" && found.qr !== undefined && found.qr.expiresAt <= NOW) return "qr_expired";
    found.state = "cancelled";
    return "done";
  }

  #pay(payment: Payment, asker: string): string {
    const { fromUserId, amount, fromName, toName, qr } = payment;
    if (!this.users.isOf(fromUserId, asker)) return "payer_not_yours";
    if (fromName === WRONG_NAME || toName === WRONG_NAME) return "name_mismatch";
    if (qr?.amount !== undefined && qr.amount !== amount) return "qr_mismatch";
    const found = qr?.reference === undefined ? undefined : this.#qrs.get(qr.reference);
    if (qr?.reference !== undefined) {
      if (found === undefined) return "qr_not_authentic";
      if (found.qr?.fromUserId !== undefined && found.qr.fromUserId !== fromUserId) return "qr_other_payer";
      if (found.state !== "open") return found.state === "paid" ? "qr_already_paid" : "qr_cancelled";
      if (found.qr !== undefined && found.qr.expiresAt <= NOW) return "qr_expired";
    }
    if (payment.requestedStatus === "rejected") return "rejected";
    const outcome = this.users.pay(payment, payment.requestedStatus === "pending");
    if (found !== undefined && (outcome === "approved" || outcome === "pending")) found.state = "paid";
    return outcome;
  }

  /** Pays one after the other; at the first that fails everything is restored. */
  #payAll({ fromUserId, fromName, items }: Batch, asker: string): string {
    if (!this.users.isOf(fromUserId, asker)) return "payer_not_yours";
    if ([fromName, ...items.map(({ toName }) => toName)].includes(WRONG_NAME)) return "name_mismatch";
    const undo = this.users.remember();
    for (const [index, { toUserId, amount }] of items.entries()) {
      const outcome = this.users.pay({ fromUserId, toUserId, amount }, false);
      if (outcome === "approved") continue;
      undo();
      return `batch ${outcome} at ${index}`;
    }
    return "batch approved";
  }

  #settle({ transactionId, status, amount }: Extract<Action, { type: "settle" }>, asker: string): string {
    const kept = this.#kept.get(transactionId);
    if (kept === undefined) return "transaction_not_found";
    const isPayees = status === "rejected" && this.users.isOf(kept.toUserId, asker);
    if (!this.users.isOf(kept.fromUserId, asker) && !isPayees) return "not_allowed";
    if (kept.status !== "pending") return "transaction_not_pending";
    if (status === "approved" && this.users.isBlocked(kept.fromUserId)) return "payer_blocked";
    if (kept.isOver && !this.users.isBlocked(kept.fromUserId)) return "hold_expired";
    if (status === "rejected") return this.#release(kept, "released");
    const wanted = amount ?? kept.amount;
    if (wanted > kept.amount) return "invalid_request";
    if (wanted < kept.amount && kept.qr !== undefined) return "qr_mismatch";
    if (this.users.isFull(kept.toUserId, wanted)) return "balance_limit";
    this.users.unhold(kept, kept.amount);
    this.users.move({ ...kept, amount: wanted }, { isForced: true });
    this.#kept.set(transactionId, { ...kept, amount: wanted, status: "approved" });
    return "approved";
  }

  #lapse(transactionId: string): string {
    const kept = this.#kept.get(transactionId);
    if (kept === undefined) return "transaction_not_found";
    if (kept.status !== "pending" || !kept.isOver) return kept.status;
    if (!this.users.isBlocked(kept.fromUserId)) return this.#release(kept, "hold_expired");
    kept.isOver = false;
    return kept.status;
  }

  /** Releases a hold, whose status is the reason from then on. */
  #release(kept: Kept, reason: string): string {
    this.users.unhold(kept, kept.amount);
    kept.status = reason;
    const qr = kept.qr === undefined ? undefined : this.#qrs.get(kept.qr);
    if (qr !== undefined) qr.state = "open";
    return reason;
  }

  #reverse({ transactionId, amount }: Extract<Action, { type: "reverse" }>, asker: string): string {
    const kept = this.#kept.get(transactionId);
    if (kept === undefined) return "transaction_not_found";
    if (!this.users.isOf(kept.toUserId, asker)) return "not_allowed";
    if (kept.status !== "approved") return "transaction_not_reversible";
    const left = kept.amount - kept.reversed;
    const wanted = amount ?? left;
    if (wanted > left) return "refund_too_large";
    const refund = { fromUserId: kept.toUserId, toUserId: kept.fromUserId, amount: wanted };
    const outcome = this.users.move(refund, { isForced: true });
    if (outcome !== "approved") return outcome;
    kept.reversed += wanted;
    if (kept.reversed === kept.amount) kept.status = "reversed";
    return outcome;
  }
}
