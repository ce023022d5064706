import type { TransactionRecord } from "../../server/ledger/model/command.ts";
import type { Exposure } from "../../server/ledger/model/exposure.ts";
import type { LedgerAccount } from "../../server/ledger/model/state.ts";
import { sumAmounts } from "../../src/money.ts";
import { aReservation, NOW } from "../support/ledger.ts";
import { entityState, type LedgerFixture, wholeUserOf } from "../support/ledger-fixture.ts";

/** A payment that a fixture begins with; its parties are given by their places among the users. */
export interface RecordedPlan {
  readonly id: string;
  readonly from: number;
  readonly to: number;
  readonly amount: bigint;
  readonly status: "pending" | "approved";
  readonly expiresAt?: Date;
  readonly qrReference?: string;
}

/** A QR that one of the payments holds. */
export const HELD_QR = "QR-held";

const idOf = (index: number): string => `00000000-0000-7000-8000-00000000b00${index}`;
const live = { status: "pending", expiresAt: new Date(NOW.getTime() + 1) } as const;

/** Holds that last and one that is over, a payee who is full, one who is poor, and a payer who is full. */
export const RECORDED: readonly RecordedPlan[] = [
  { id: idOf(0), from: 0, to: 1, amount: 200n, ...live },
  { id: idOf(1), from: 3, to: 0, amount: 100n, status: "pending", expiresAt: NOW },
  { id: idOf(2), from: 3, to: 4, amount: 350n, ...live },
  { id: idOf(3), from: 0, to: 3, amount: 60n, ...live, qrReference: HELD_QR },
  { id: idOf(4), from: 0, to: 3, amount: 150n, status: "approved" },
  { id: idOf(5), from: 0, to: 1, amount: 50n, status: "approved" },
  { id: idOf(6), from: 2, to: 3, amount: 100n, status: "approved" },
];

/** The limits of the entity that has some. */
export const LIMITS = Object.freeze({ paymentLimit: 350n, dailyLimit: 600n });

/** The status whose users may not pay. */
export const BLOCKING_STATUS = "default";

function recordOf({ users }: LedgerFixture, plan: RecordedPlan): TransactionRecord {
  const [payer, payee] = [users[plan.from], users[plan.to]];
  if (payer === undefined || payee === undefined) throw new Error("the fixture has not so many users");
  return {
    id: plan.id,
    reference: plan.qrReference ?? `recorded ${plan.id}`,
    kind: "payment",
    status: plan.status,
    reason: null,
    exceededLimit: null,
    amount: plan.amount,
    heldAmount: plan.expiresAt === undefined ? null : plan.amount,
    holdExpiresAt: plan.expiresAt ?? null,
    reversedAmount: 0n,
    reverses: null,
    statusCount: 1,
    date: NOW,
    details: "{}",
    qrDetails: null,
    fromUserId: payer.id,
    fromUser: payer.name,
    fromBusinessName: payer.businessName,
    fromCreatorId: payer.creatorId,
    toUserId: payee.id,
    toUser: payee.name,
    toBusinessName: payee.businessName,
    toCreatorId: payee.creatorId,
    fromBalanceAfter: null,
    toBalanceAfter: null,
    madeBy: payer.creatorId,
    postingId: null,
    createdAt: NOW,
  };
}

function holdingAccounts({ state }: LedgerFixture, records: readonly TransactionRecord[]): Map<string, LedgerAccount> {
  const accounts = new Map(state.accounts);
  for (const { status, fromUserId, amount } of records) {
    const account = accounts.get(fromUserId);
    if (status !== "pending" || account === undefined) continue;
    accounts.set(fromUserId, { ...account, held: account.held + amount });
  }
  return accounts;
}

/** The limit of one entity's exposure to another, where that is little. */
const OWABLE = 900n;

/** The exposures that holds make; the first two entities may owe one another little. */
function exposuresOf({ state, entities }: LedgerFixture, records: readonly TransactionRecord[]): Map<string, Exposure> {
  const few = new Set(entities.slice(0, 2).map(({ id }) => id));
  return new Map(
    [...state.exposures].map(([key, exposure]) => {
      const holds = records.filter(
        ({ status, fromCreatorId, toCreatorId }) =>
          status === "pending" && fromCreatorId === exposure.debtorId && toCreatorId === exposure.creditorId,
      );
      const held = sumAmounts(holds.map(({ amount }) => amount));
      const isTight = few.has(exposure.creditorId) && few.has(exposure.debtorId);
      const limit = isTight ? OWABLE : exposure.limit;
      return [key, { ...exposure, limit, setLimit: limit, granted: limit, used: held, held }];
    }),
  );
}

/** The fixture with payments that were recorded before, and with entities that block and limit. */
export function withRecordedPayments(fixture: LedgerFixture): LedgerFixture {
  const { state, entities, users } = fixture;
  const records = RECORDED.map((plan) => recordOf(fixture, plan));
  const held = RECORDED.find(({ qrReference }) => qrReference === HELD_QR);
  const payee = users[held?.to ?? 0];
  if (held === undefined || payee === undefined) throw new Error("no payment holds the QR");
  const { type: _, ...reserved } = aReservation(payee, held.amount, { reference: HELD_QR, createdAt: NOW });
  const qr = {
    ...reserved,
    fromUserId: null,
    madeBy: payee.creatorId,
    cancelledAt: null,
    version: 0n,
    transactionId: held.id,
  };
  const blocking = { blockingStatuses: [BLOCKING_STATUS] };
  const settings = entities.map(({ id }, index) =>
    entityState(
      id,
      index === entities.length - 1 ? { ...blocking, ...LIMITS, lenders: [entities[0]?.id ?? ""] } : blocking,
    ),
  );
  return {
    ...fixture,
    state: {
      ...state,
      entities: new Map(settings.map((each) => [each.id, each])),
      wholeUsers: new Map(users.map((user) => [user.id, wholeUserOf(user)])),
      accounts: holdingAccounts(fixture, records),
      exposures: exposuresOf(fixture, records),
      transactions: new Map(records.map((record) => [record.id, record])),
      qrs: new Map([[HELD_QR, qr]]),
    },
  };
}
