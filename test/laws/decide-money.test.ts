import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { available } from "../../server/ledger/decide/books.ts";
import type { Command, TransactionRecord } from "../../server/ledger/model/command.ts";
import { exposureOf } from "../../server/ledger/model/exposure.ts";
import type { LedgerAccount, LedgerEntry } from "../../server/ledger/model/state.ts";
import { MAX_AMOUNT_MINOR, sumAmounts } from "../../src/money.ts";
import { type Decided, decideAll, outcomeOf } from "./decided.ts";
import { aHistory } from "./history.ts";
import { Model } from "./model.ts";

const RUNS = { numRuns: 300 };

function sum(entries: Iterable<LedgerEntry>): bigint {
  return sumAmounts([...entries].map(({ amount }) => amount));
}

function accountOf({ state }: Decided, id: string): LedgerAccount {
  const account = state.accounts.get(id);
  if (account === undefined) throw new Error(`no account ${id}`);
  return account;
}

function balanceOfDues(decided: Decided, kind: string, entityId: string, counterpartyId: string): bigint {
  const dues = [...decided.state.accounts.values()].filter(
    (account) => account.kind === kind && account.entityId === entityId && account.counterpartyId === counterpartyId,
  );
  return sumAmounts(dues.map(({ posted }) => posted));
}

describe("deciding on money", () => {
  it("comes to the same outcomes and balances as a model that anybody can check", () => {
    fc.assert(
      fc.property(aHistory(), (history) => {
        const model = new Model(history.fixture);
        const decided = decideAll(history);
        expect(decided.verdicts.map(outcomeOf)).toEqual(history.commands.map((command) => model.tell(command)));
        const accounts = history.fixture.users.map(({ id }) => accountOf(decided, id));
        expect(accounts.map(({ id, posted }) => [id, posted])).toEqual([...model.users.balances]);
        expect(accounts.map(({ id, held }) => [id, held])).toEqual([...model.users.held]);
        const owed = [...decided.state.exposures].map(([key, exposure]) => [key, exposureOf(exposure)]);
        expect(new Map(owed as [string, bigint][])).toEqual(model.users.owed);
      }),
      { numRuns: 1_000 },
    );
  });

  it("enters postings that sum to zero, in all and for each entity", () => {
    fc.assert(
      fc.property(aHistory(), (history) => {
        const decided = decideAll(history);
        const byPosting = Map.groupBy(decided.entries, ({ postingId }) => postingId);
        expect([...byPosting.keys()]).toEqual(decided.postings.map(({ id }) => id));
        for (const entries of byPosting.values()) {
          expect(sum(entries)).toBe(0n);
          const byEntity = Map.groupBy(entries, ({ accountId }) => accountOf(decided, accountId).entityId);
          for (const own of byEntity.values()) expect(sum(own)).toBe(0n);
        }
      }),
      RUNS,
    );
  });

  it("holds what pending payments hold, and never more than there is", () => {
    fc.assert(
      fc.property(aHistory({ maxLength: 60 }), (history) => {
        const decided = decideAll(history);
        const pending = [...decided.state.transactions.values()].filter(({ status }) => status === "pending");
        for (const { id, kind, held, posted } of decided.state.accounts.values()) {
          const own = pending.filter(({ fromUserId }) => fromUserId === id);
          expect(held).toBe(sumAmounts(own.map(({ amount }) => amount)));
          if (kind === "user_quota") expect(held).toBeLessThanOrEqual(posted);
        }
        for (const { amount, heldAmount } of pending) expect(amount).toBe(heldAmount);
      }),
      RUNS,
    );
  });

  it("gives back what refunds say, never more than was paid, and calls what came back whole reversed", () => {
    fc.assert(
      fc.property(aHistory({ maxLength: 60 }), (history) => {
        const all = [...decideAll(history).state.transactions.values()];
        for (const { id, status, amount, reversedAmount, fromUserId, toUserId, statusCount } of all) {
          const refunds = all.filter(({ reverses }) => reverses === id);
          expect(sumAmounts(refunds.map((refund) => refund.amount))).toBe(reversedAmount);
          expect(reversedAmount).toBeLessThanOrEqual(amount);
          expect(status === "reversed").toBe(reversedAmount === amount);
          expect(statusCount).toBeLessThanOrEqual(3);
          for (const refund of refunds) {
            expect(refund).toMatchObject({
              kind: "refund",
              status: "approved",
              fromUserId: toUserId,
              toUserId: fromUserId,
            });
          }
        }
      }),
      RUNS,
    );
  });

  it("leaves no user below zero and none above the largest balance, at no entry on the way", () => {
    fc.assert(
      fc.property(aHistory({ maxLength: 60 }), (history) => {
        const decided = decideAll(history);
        const isUser = (id: string): boolean => accountOf(decided, id).kind === "user_quota";
        for (const { accountId, balanceAfter } of decided.entries.filter((entry) => isUser(entry.accountId))) {
          expect(balanceAfter).toBeGreaterThanOrEqual(0n);
          expect(balanceAfter).toBeLessThanOrEqual(MAX_AMOUNT_MINOR);
          expect(available(accountOf(decided, accountId))).toBeGreaterThanOrEqual(0n);
        }
      }),
      RUNS,
    );
  });

  it("can be replayed: the entries in order give every balance, every balance after and every sequence number", () => {
    fc.assert(
      fc.property(aHistory(), (history) => {
        const decided = decideAll(history);
        const replayed = new Map(
          [...history.fixture.state.accounts].map(([id, { posted }]) => [id, { posted, count: 0n }]),
        );
        for (const { accountId, amount, balanceAfter, sequenceNumber } of decided.entries) {
          const { posted, count } = replayed.get(accountId) ?? { posted: 0n, count: 0n };
          replayed.set(accountId, { posted: posted + amount, count: count + 1n });
          expect({ balanceAfter, sequenceNumber }).toEqual({
            balanceAfter: posted + amount,
            sequenceNumber: count + 1n,
          });
        }
        for (const [id, { posted, entryCount }] of decided.state.accounts) {
          expect([id, replayed.get(id) ?? { posted: 0n, count: 0n }]).toEqual([id, { posted, count: entryCount }]);
        }
      }),
      RUNS,
    );
  });

  it("keeps what one entity owes another the mirror of what that one is owed", () => {
    fc.assert(
      fc.property(aHistory(), (history) => {
        const decided = decideAll(history);
        for (const { id: debtor } of history.fixture.entities) {
          for (const { id: creditor } of history.fixture.entities) {
            const dueTo = balanceOfDues(decided, "due_to", debtor, creditor);
            expect(dueTo).toBe(-balanceOfDues(decided, "due_from", creditor, debtor));
            expect(dueTo).toBeGreaterThanOrEqual(0n);
          }
        }
      }),
      RUNS,
    );
  });

  it("counts as exposure what entries and holds make an entity owe, and lets only refunds pass its limit", () => {
    fc.assert(
      fc.property(aHistory({ maxLength: 60 }), (history) => {
        const decided = decideAll(history);
        const all = [...decided.state.transactions.values()];
        for (const exposure of decided.state.exposures.values()) {
          const { creditorId, debtorId, limit, held } = exposure;
          const between = ({ fromCreatorId, toCreatorId }: TransactionRecord): boolean =>
            fromCreatorId === debtorId && toCreatorId === creditorId;
          const amountOf = (records: readonly TransactionRecord[]): bigint =>
            sumAmounts(records.filter(between).map(({ amount }) => amount));
          expect(held).toBe(amountOf(all.filter(({ status }) => status === "pending")));
          const due = (kind: string): bigint => balanceOfDues(decided, kind, creditorId, debtorId);
          expect(exposureOf(exposure)).toBe(held - due("due_from") - due("due_to"));
          const refunded = amountOf(all.filter(({ kind }) => kind === "refund"));
          expect(exposureOf(exposure)).toBeLessThanOrEqual(limit + refunded);
        }
      }),
      RUNS,
    );
  });

  it("tells each party of an approved payment the balance that its entry left, and of a rejected one nothing", () => {
    fc.assert(
      fc.property(aHistory(), (history) => {
        const decided = decideAll(history);
        for (const record of decided.transactions) {
          const entries = decided.entries.filter(({ postingId }) => postingId === record.postingId);
          const balanceLeft = (id: string): bigint | null =>
            entries.find(({ accountId }) => accountId === id)?.balanceAfter ?? null;
          expect(record.fromBalanceAfter).toBe(balanceLeft(record.fromUserId));
          expect(record.toBalanceAfter).toBe(balanceLeft(record.toUserId));
          expect(record.postingId !== null).toBe(record.status === "approved");
          expect(entries.length > 0).toBe(record.status === "approved");
        }
      }),
      RUNS,
    );
  });

  it("keeps every transfer that was not refused, and moves its amount if and only if it is approved", () => {
    fc.assert(
      fc.property(aHistory(), (history) => {
        const decided = decideAll(history);
        const transfers = history.commands.filter(({ action }) => action.type === "transfer");
        const outcomes = decided.verdicts.filter((_, index) => transfers.includes(history.commands[index] as Command));
        expect(decided.transfers).toHaveLength(outcomes.filter(({ type }) => type === "done").length);
        for (const { postingId, status, reason, amount, fromUserId, toUserId } of decided.transfers) {
          const entries = decided.entries.filter((entry) => entry.postingId === postingId);
          const moved = (id: string) => entries.find(({ accountId }) => accountId === id)?.amount;
          const isApproved = status === "approved";
          expect([postingId !== null, reason === null, entries.length > 0]).toEqual(Array(3).fill(isApproved));
          expect([moved(fromUserId), moved(toUserId)]).toEqual(isApproved ? [-amount, amount] : [undefined, undefined]);
        }
      }),
      RUNS,
    );
  });

  it("is tried by histories that reach every outcome", () => {
    const histories = fc.sample(aHistory(), { numRuns: 3_000, seed: 1 });
    const outcomes = histories.flatMap((history) => decideAll(history).verdicts.map(outcomeOf));
    const reached = new Set(outcomes.map((outcome) => outcome.replace(/ at [1-4]$/, " later")));
    expect([...reached].sort()).toEqual(
      [
        ...["approved", "rejected", "insufficient_balance", "balance_limit", "done", "replayed"],
        ...["idempotency_key_reused", "payer_not_yours", "name_mismatch", "duplicate_user", "not_allowed"],
        ...["qr_mismatch", "qr_not_authentic", "qr_other_payer", "qr_cancelled", "qr_already_paid", "qr_expired"],
        ...["qr_not_found", "invalid_request", "user_not_found", "batch approved"],
        ...["pending", "released", "hold_expired", "payer_blocked", "limit_exceeded", "user_not_yours"],
        ...["transaction_not_found", "transaction_not_pending", "transaction_not_reversible", "refund_too_large"],
        ...["reversed", "batch payer_blocked at 0", "batch limit_exceeded at 0", "batch limit_exceeded later"],
        ...["batch insufficient_balance at 0", "batch insufficient_balance later"],
        ...["batch balance_limit at 0", "batch balance_limit later"],
        ...["counterparty_limit", "batch counterparty_limit at 0", "batch counterparty_limit later"],
      ].sort(),
    );
  });
});
