import { describe, expect, it } from "vitest";
import { decide } from "../../server/ledger/decide/decide.ts";
import type { Action } from "../../server/ledger/model/command.ts";
import type { LedgerEvent } from "../../server/ledger/model/events.ts";
import {
  aCommand,
  aLapse,
  anOrigin,
  aQrPayment,
  aReservation,
  aSettlement,
  countingIds,
  NOW,
} from "../support/ledger.ts";
import { applyChanges, entityState, ledgerFixture, MOMENT } from "../support/ledger-fixture.ts";

const SECOND_MS = 1_000;

/** A fixture of three entities that are notified of events: the payer's, the payee's, and one that made the code. */
function aHeldCode() {
  const { state, entities, users } = ledgerFixture(3, [500n, 0n]);
  const [payers, , makers] = entities;
  const [payer, payee] = users;
  if (payers === undefined || makers === undefined || payer === undefined || payee === undefined)
    throw new Error("the fixture has too few of them");
  const listening = new Map(entities.map(({ id }) => [id, entityState(id, { sendsEvents: true })]));
  const nextId = countingIds();
  const qr = aReservation(payee, 60n, { expiresAt: new Date(NOW.getTime() + 60 * SECOND_MS) });
  let current = { ...state, entities: listening };
  const tell = (entity: typeof payers, action: Action, atMs = 0): readonly LedgerEvent[] => {
    const moment = { ...MOMENT, now: new Date(NOW.getTime() + atMs) };
    const { changes } = decide(current, [aCommand(anOrigin(entity), action)], moment, nextId);
    current = { ...applyChanges(current, changes), entities: listening };
    return changes.events;
  };
  tell(makers, qr);
  const holdExpiresAt = new Date(NOW.getTime() + 3_600 * SECOND_MS);
  const events = tell(payers, aQrPayment(qr, payer.id, { requestedStatus: "pending", holdExpiresAt }));
  const [record] = current.transactions.values();
  const hold = { id: record?.id ?? "", fromUserId: payer.id, toUserId: payee.id };
  return { tell, payers, hold, qr, events };
}

function told(events: readonly LedgerEvent[]): string[] {
  return events.map(({ entityId, event }) => `${event.type} ${entityId.at(-1)}`).sort();
}

describe("what a hold of a payment code tells", () => {
  it("is that it was made, to the creators of payer and payee; the code is not paid yet", () => {
    expect(told(aHeldCode().events)).toEqual(["transaction.created 0", "transaction.created 1"]);
  });

  it("is, when it is settled for no less, that the code is paid, also to the entity that made the code", () => {
    const { tell, payers, hold, qr } = aHeldCode();
    expect(tell(payers, aSettlement(hold, "approved", 50n, qr.reference))).toEqual([]);
    const events = tell(payers, aSettlement(hold, "approved", 60n, qr.reference));
    expect(told(events)).toEqual([
      ...["qr.paid 0", "qr.paid 1", "qr.paid 2", "transaction.settled 0", "transaction.settled 1"],
    ]);
    const paid = events.flatMap(({ event }) => ("qr" in event ? [event.qr.transactionId] : []));
    expect(new Set(paid)).toEqual(new Set([hold.id]));
  });

  const rejected = ["transaction.rejected 0", "transaction.rejected 1"];
  const releases: readonly (readonly [string, number, readonly string[]])[] = [
    ["in time: the code is payable again", 59, rejected],
    ["just after its expiry: whoever watches codes tells of that", 61, rejected],
    ["after it should have been told of", 75, ["qr.expired 2", ...rejected]],
  ];
  it.each(releases)("is, when it is released %s", (_, seconds, expected) => {
    const { tell, payers, hold, qr } = aHeldCode();
    const events = tell(payers, aSettlement(hold, "rejected", undefined, qr.reference), seconds * SECOND_MS);
    expect(told(events)).toEqual(expected);
  });

  it("is nothing more, when its time is over and it was settled before", () => {
    const { tell, payers, hold, qr } = aHeldCode();
    tell(payers, aSettlement(hold, "approved", undefined, qr.reference));
    expect(tell(payers, aLapse(hold, qr.reference), 3_600 * SECOND_MS)).toEqual([]);
  });

  it("is, when its time is over, that payment and code came to nothing, once", () => {
    const { tell, payers, hold, qr } = aHeldCode();
    const lapse = () => told(tell(payers, aLapse(hold, qr.reference), 3_600 * SECOND_MS));
    expect(lapse()).toEqual(["qr.expired 2", ...rejected]);
    expect(lapse()).toEqual([]);
  });
});
