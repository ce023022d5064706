import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { aLedger, countOutcomes, ledgerFaults, type TestLedger, type TestUser } from "../support/a-ledger.ts";
import { aCommand, anOrigin, aPayment } from "../support/ledger.ts";

let ledger: TestLedger;

beforeAll(async () => {
  ledger = await aLedger();
});
afterAll(() => ledger.drop());

function times<T>(count: number, make: (index: number) => T): T[] {
  return Array.from({ length: count }, (_, index) => make(index));
}

describe("transfers at once", () => {
  it("ends at the same balances after 500 each way between two accounts", async () => {
    const entity = await ledger.anEntity();
    const [one, other] = [await ledger.aUser(entity, 5_000n), await ledger.aUser(entity, 5_000n)];
    const postings = times(500, () => [
      ledger.post(entity, aPayment(one.id, other.id, 7n)),
      ledger.post(entity, aPayment(other.id, one.id, 7n)),
    ]).flat();
    expect(await countOutcomes(postings)).toEqual({ approved: 1_000 });
    expect([await ledger.balanceOf(one), await ledger.balanceOf(other)]).toEqual([5_000n, 5_000n]);
    expect(await ledgerFaults(ledger.sql)).toEqual([]);
  });

  it("spends a balance once: of 300 payments that each take a hundredth of it, 100 are approved", async () => {
    const entity = await ledger.anEntity();
    const [payer, payee] = [await ledger.aUser(entity, 1_000n), await ledger.aUser(entity)];
    const second = ledger.aWriter({ slot: 1 });
    const postings = times(300, (index) => {
      const writer = index % 2 === 0 ? ledger.writer : second;
      return writer.post(aCommand(anOrigin(entity), aPayment(payer.id, payee.id, 10n)));
    });
    expect(await countOutcomes(postings)).toEqual({ approved: 100, insufficient_balance: 200 });
    expect([await ledger.balanceOf(payer), await ledger.balanceOf(payee)]).toEqual([0n, 1_000n]);
  });

  it("conserves the money that three writers move about between 20 accounts, and never deadlocks", async () => {
    const entities = [await ledger.anEntity(), await ledger.anEntity(), await ledger.anEntity()];
    const users: TestUser[] = [];
    for (let index = 0; index < 20; index++) {
      const entity = entities[index % 3];
      if (entity !== undefined) users.push(await ledger.aUser(entity, 1_000n));
    }
    const writers = [ledger.aWriter({ slot: 4 }), ledger.aWriter({ slot: 4 }), ledger.aWriter({ slot: 5 })];
    for (let round = 0; round < 20; round++) {
      const postings = times(90, (index) => {
        const from = users[(index * 7 + round * 3) % 20] as TestUser;
        const to = users[(index * 7 + round * 3 + 1 + ((index + round) % 19)) % 20] as TestUser;
        const command = aCommand(anOrigin(from.entity), aPayment(from.id, to.id, BigInt(1 + (index % 50))));
        return (writers[index % 3] as (typeof writers)[0]).post(command);
      });
      const { approved = 0, insufficient_balance = 0, ...others } = await countOutcomes(postings);
      expect(others).toEqual({});
      expect(approved + insufficient_balance).toBe(90);
    }
    const balances = await Promise.all(users.map((user) => ledger.balanceOf(user)));
    expect(balances.reduce((total, balance) => total + balance)).toBe(20_000n);
    expect(await ledgerFaults(ledger.sql)).toEqual([]);
    // A deadlock would have been tried again.
    expect(writers.map((writer) => writer.figures.retries)).toEqual([0, 0, 0]);
  });

  it("puts concurrent commands into few commits", async () => {
    const entity = await ledger.anEntity();
    const [payer, payee] = [await ledger.aUser(entity, 2_000n), await ledger.aUser(entity)];
    const writer = ledger.aWriter();
    const postings = times(2_000, () => writer.post(aCommand(anOrigin(entity), aPayment(payer.id, payee.id, 1n))));
    expect(await countOutcomes(postings)).toEqual({ approved: 2_000 });
    expect(writer.figures).toMatchObject({ waiting: 0, commands: 2_000 });
    expect(writer.figures.commits).toBeLessThan(10);
  });
});
