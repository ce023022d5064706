import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { aLedger, countOutcomes, ledgerFaults, type TestLedger } from "../support/a-ledger.ts";
import { aCommand, anOrigin, aPayment, aTransfer } from "../support/ledger.ts";

let ledger: TestLedger;

beforeAll(async () => {
  ledger = await aLedger();
});
afterAll(() => ledger.drop());

describe("transfers and payments from one sender at once", () => {
  it("spend its balance once between them: of 400 that each take a hundredth of it, 100 are approved", async () => {
    const [entity, other] = [await ledger.anEntity(), await ledger.anEntity()];
    const sender = await ledger.aUser(entity, 1_000n);
    const receivers = [await ledger.aUser(entity), await ledger.aUser(other)];
    const writers = [ledger.aWriter({ slot: 1 }), ledger.aWriter({ slot: 2 }), ledger.aWriter({ slot: 2 })];
    const postings = Array.from({ length: 400 }, (_, index) => {
      const [writer, receiver] = [writers[index % 3], receivers[Math.floor(index / 2) % 2]];
      if (writer === undefined || receiver === undefined) throw new Error("there are three writers, two receivers");
      const action = (index % 2 === 0 ? aPayment : aTransfer)(sender.id, receiver.id, 10n);
      return writer.post(aCommand(anOrigin(entity), action));
    });
    expect(await countOutcomes(postings)).toEqual({ approved: 100, insufficient_balance: 300 });
    expect(await ledger.balanceOf(sender)).toBe(0n);
    const received = await Promise.all(receivers.map((receiver) => ledger.balanceOf(receiver)));
    expect(received.reduce((total, balance) => total + balance)).toBe(1_000n);
    const [kept] = await ledger.sql`
      select (select count(*) from service.transfers) as transfers,
        (select count(*) from service.transactions) as payments`;
    expect(kept).toEqual({ transfers: 200n, payments: 200n });
    expect(await ledgerFaults(ledger.sql)).toEqual([]);
    // A deadlock would have been tried again.
    expect(writers.map((writer) => writer.figures.retries)).toEqual([0, 0, 0]);
  });

  it("move one balance back and forth, each way by both, and end where they began", async () => {
    const entity = await ledger.anEntity();
    const [one, two] = [await ledger.aUser(entity, 3_000n), await ledger.aUser(entity, 3_000n)];
    const second = ledger.aWriter({ slot: 1 });
    const postings = Array.from({ length: 200 }, () => [
      ledger.writer.post(aCommand(anOrigin(entity), aTransfer(one.id, two.id, 7n))),
      second.post(aCommand(anOrigin(entity), aPayment(two.id, one.id, 7n))),
      second.post(aCommand(anOrigin(entity), aTransfer(two.id, one.id, 3n))),
      ledger.writer.post(aCommand(anOrigin(entity), aPayment(one.id, two.id, 3n))),
    ]).flat();
    expect(await countOutcomes(postings)).toEqual({ approved: 800 });
    expect([await ledger.balanceOf(one), await ledger.balanceOf(two)]).toEqual([3_000n, 3_000n]);
  });
});
