import { describe, expect, it } from "vitest";
import {
  aBatch,
  aBlock,
  aCancellation,
  aCommand,
  aGrant,
  aLapse,
  anOrigin,
  anUpdate,
  aPayment,
  aQrPayment,
  aRefusal,
  aRegistration,
  aRemember,
  aReservation,
  aReversal,
  aSettlement,
  aTransfer,
} from "../../../test/support/ledger.ts";
import type { Action } from "../model/command.ts";
import { DEFAULT_TERMS } from "../model/credit-commands.ts";
import { entityAccountId } from "../model/state.ts";
import { lockSetOf, usersOf } from "./lock-set.ts";

/** The caller's entity is `A`; each user is named by its creator. */
const CREATORS = new Map(["A1", "A2", "B1", "C1"].map((id) => [id, id.charAt(0)]));
const MOMENT = { day: "2026-03-31", slot: 3 };

const command = (action: Action, entityId = "A", key?: string) =>
  aCommand(anOrigin({ id: entityId, clientId: `client of ${entityId}` }, key), action);

/** All that is locked, without the kinds of which nothing is; accounts and pairs of entities as texts. */
function locksOf(...commands: ReturnType<typeof command>[]): object {
  const { entityAccounts, directions, ...rows } = lockSetOf(commands, CREATORS, MOMENT);
  expect([...entityAccounts].filter(([id, account]) => id !== entityAccountId(account))).toEqual([]);
  const accounts = [...entityAccounts.values()].map(({ kind, entityId, counterpartyId, day, slot }) => {
    expect([day, slot]).toEqual([counterpartyId === null ? null : MOMENT.day, MOMENT.slot]);
    return [kind, entityId, counterpartyId ?? []].flat().join(" ");
  });
  const owing = directions.map(({ debtorId, creditorId }) => `${debtorId} to ${creditorId}`);
  return Object.fromEntries(Object.entries({ ...rows, accounts, owing }).filter(([, names]) => names.length > 0));
}

const BOTH_WAYS = ["B to A", "A to B"];
const INTEREST = ["interest_receivable A", "interest_income A"];
const CREDIT = ["credits_receivable A", ...INTEREST];
const REFERENCE = "R";
const named = { id: "T", fromUserId: "A1", toUserId: "B1" };
const theirs = { debtors: [{ user_id: "B1", entity_id: "A" }] };
const someCredits = ["B1", "A1", "B1"].map((userId, index) => ({ creditId: `credit ${index}`, userId }));
const ofSome = {
  userIds: ["B1", "A1"],
  entityIds: ["A", "B"],
  debtors: [theirs.debtors[0], { user_id: "A1", entity_id: "A" }],
  accounts: INTEREST,
};
const aDebt = { type: "import-credit", userId: "B1", principal: 2n, outstanding: 1n, unpaidInterest: 0n } as const;

/** An action of entity A for each type, and what it locks. */
const EXAMPLES: { readonly [A in Action as A["type"]]: readonly [A, object] } = {
  payment: [
    aPayment("A1", "B1", 1n),
    {
      userIds: ["A1", "B1"],
      entityIds: ["A", "B"],
      accounts: ["due_to A B", "due_from B A"],
      owing: BOTH_WAYS,
    },
  ],
  batch: [
    aBatch("A1", [{ toUserId: "B1" }, { toUserId: "A2" }, { toUserId: "C1" }, { toUserId: "B1" }]),
    {
      userIds: ["A1", "B1", "A2", "C1"],
      entityIds: ["A", "B", "C"],
      accounts: ["due_to A B", "due_from B A", "due_to A C", "due_from C A"],
      owing: ["B to A", "C to A", "A to B", "A to C"],
    },
  ],
  transfer: [
    aTransfer("A1", "B1", 1n),
    { userIds: ["A1", "B1"], entityIds: ["A", "B"], accounts: ["due_to A B", "due_from B A"], owing: BOTH_WAYS },
  ],
  settle: [
    aSettlement(named, "approved", undefined, "Q"),
    {
      ...{ userIds: ["A1", "B1"], entityIds: ["A", "B"], transactionIds: ["T"], qrReferences: ["Q"] },
      ...{ accounts: ["due_to A B", "due_from B A"], owing: BOTH_WAYS },
    },
  ],
  lapse: [
    aLapse(named, "Q"),
    {
      ...{ userIds: ["A1", "B1"], entityIds: ["A", "B"], transactionIds: ["T"], qrReferences: ["Q"] },
      owing: BOTH_WAYS,
    },
  ],
  reverse: [
    { ...aReversal(named), qrReference: "Q" },
    {
      ...{ userIds: ["A1", "B1"], entityIds: ["A", "B"], transactionIds: ["T"], qrReferences: ["Q"] },
      ...{ accounts: ["due_to B A", "due_from A B"], owing: BOTH_WAYS },
    },
  ],
  "assign-quota": [
    aGrant("B1", 1n),
    {
      ...{ userIds: ["B1"], entityIds: ["A", "B"] },
      ...{ accounts: ["credits_receivable A", "due_to A B", "due_from B A"], owing: BOTH_WAYS },
    },
  ],
  discharge: [
    { type: "discharge", userId: "B1", amount: 1n, reference: REFERENCE },
    {
      ...{ userIds: ["B1"], entityIds: ["A", "B"], ...theirs, owing: BOTH_WAYS },
      accounts: [...CREDIT, "cash_clearing A", "recoveries A", "due_to B A", "due_from A B"],
    },
  ],
  "repay-credit": [
    { type: "repay-credit", userId: "B1", creditId: "D", amount: 1n, source: "cash", reference: REFERENCE },
    {
      ...{ userIds: ["B1"], entityIds: ["A", "B"], ...theirs, creditIds: ["D"], owing: BOTH_WAYS },
      accounts: [...CREDIT, "cash_clearing A", "recoveries A", "due_to B A", "due_from A B"],
    },
  ],
  "write-off-credit": [
    { type: "write-off-credit", userId: "B1", creditId: "D", reference: REFERENCE },
    { userIds: ["B1"], entityIds: ["A", "B"], ...theirs, creditIds: ["D"], accounts: [...CREDIT, "losses A"] },
  ],
  "cancel-credit": [
    { type: "cancel-credit", userId: "B1", creditId: "D", reference: REFERENCE },
    {
      ...{ userIds: ["B1"], entityIds: ["A", "B"], ...theirs, creditIds: ["D"], owing: BOTH_WAYS },
      accounts: [...CREDIT, "cash_clearing A", "due_to B A", "due_from A B"],
    },
  ],
  "import-credit": [
    {
      ...{ ...aDebt, loanType: "default", terms: DEFAULT_TERMS, openedOn: MOMENT.day, dueDate: undefined },
      ...{ accruedThrough: MOMENT.day, reference: REFERENCE },
    },
    { userIds: ["B1"], entityIds: ["A", "B"], ...theirs, accounts: [...CREDIT, "cash_clearing A"] },
  ],
  accrue: [{ type: "accrue", through: MOMENT.day, credits: someCredits }, ofSome],
  "reverse-accruals": [
    { type: "reverse-accruals", from: "2026-03-01", credits: someCredits },
    { ...ofSome, reversals: someCredits.map(({ creditId }) => ({ credit_id: creditId, since: "2026-03-01" })) },
  ],
  "limit-counterparty": [
    { type: "limit-counterparty", debtorId: "B", limit: 1n },
    { entityIds: ["A", "B"], owing: BOTH_WAYS },
  ],
  "record-settlement": [
    { type: "record-settlement", debtorId: "B", amount: 1n, reference: REFERENCE },
    {
      ...{ entityIds: ["A", "B"], owing: BOTH_WAYS },
      accounts: ["cash_clearing A", "cash_clearing B", "due_to B A", "due_from A B"],
    },
  ],
  "register-user": [
    aRegistration(1n, { nit: "N", phone: "P" }),
    { entityIds: ["A"], nits: ["N"], phones: ["P"], accounts: ["credits_receivable A"] },
  ],
  "update-user": [
    anUpdate("B1", { nit: "N", phone: "P" }),
    { userIds: ["B1"], wholeUserIds: ["B1"], entityIds: ["A", "B"], nits: ["N"], phones: ["P"] },
  ],
  "block-user": [aBlock("B1"), { userIds: ["B1"], wholeUserIds: ["B1"], entityIds: ["A", "B"] }],
  "reserve-qr": [
    aReservation({ id: "A1", name: "Ana" }, 1n, { fromUserId: "B1" }),
    { userIds: ["A1", "B1"], entityIds: ["A", "B"] },
  ],
  "cancel-qr": [aCancellation({ reference: "Q" }), { entityIds: ["A"], qrReferences: ["Q"] }],
  remember: [aRemember, { entityIds: ["A"] }],
  refuse: [aRefusal("user_not_found"), { entityIds: ["A"] }],
  "void-key": [{ type: "void-key" }, { entityIds: ["A"] }],
};

describe("the rows that a batch locks", () => {
  it.each(Object.entries(EXAMPLES))("of the action %s: the rows that it names, and no other", (_type, example) => {
    const [action, locks] = example;
    expect(locksOf(command(action))).toEqual(locks);
    const { userIds = [] }: { readonly userIds?: readonly string[] } = locks;
    expect([...new Set(usersOf(command(action)))]).toEqual(userIds);
  });

  it("of a payment within one entity: no account of the entity's books, and no limit", () => {
    expect(locksOf(command(aPayment("A1", "A2", 1n)))).toEqual({ userIds: ["A1", "A2"], entityIds: ["A"] });
  });

  it("of a payment by or to an unknown user: nothing between entities", () => {
    expect(locksOf(command(aPayment("A1", "X", 1n)))).toEqual({ userIds: ["A1", "X"], entityIds: ["A"] });
  });

  it("of the payment of a QR: its reservation, unless it is a static one", () => {
    const qr = aReservation({ id: "A2", name: "Ana" }, 1n, { reference: "Q" });
    expect(locksOf(command(aQrPayment(qr, "A1")))).toMatchObject({ qrReferences: ["Q"] });
    const fixed = { reference: undefined, payeeId: "A2", amount: undefined };
    expect(locksOf(command(aPayment("A1", "A2", 1n, { kind: "qr", qr: fixed })))).not.toHaveProperty("qrReferences");
  });

  it("of a deposit: the entity's cash", () => {
    const accounts = { accounts: ["cash_clearing A"] };
    expect(locksOf(command(aGrant("A1", 1n, { loanType: "deposit" })))).toMatchObject(accounts);
  });

  it("of several commands: each once, entities and their limits in one order, and the keys of all", () => {
    const commands = [
      command(aPayment("C1", "A1", 1n), "C", "first"),
      command(aPayment("A1", "C1", 1n), "A", "second"),
      command(aPayment("A1", "C1", 1n), "A"),
    ];
    const origin = { client_id: "client of C", operation: "operation" };
    expect(locksOf(...commands)).toEqual({
      userIds: ["C1", "A1"],
      entityIds: ["A", "C"],
      accounts: ["due_to C A", "due_from A C", "due_to A C", "due_from C A"],
      owing: ["C to A", "A to C"],
      keys: [
        { ...origin, entity_id: "C", key: "first" },
        { ...origin, entity_id: "A", client_id: "client of A", key: "second" },
      ],
    });
    expect(lockSetOf(commands.toReversed(), CREATORS, MOMENT)).toMatchObject({
      entityIds: ["A", "C"],
      directions: lockSetOf(commands, CREATORS, MOMENT).directions,
    });
  });
});
