import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Writer } from "../../server/ledger/writer.ts";
import { aLedger, countOutcomes, ledgerFaults, type TestLedger, type TestUser } from "../support/a-ledger.ts";
import { aBatch, aCommand, anOrigin, aPayment } from "../support/ledger.ts";

let ledger: TestLedger;
/** Two processes, in effect. */
let writers: readonly [Writer, Writer];

beforeAll(async () => {
  ledger = await aLedger();
  writers = [ledger.aWriter({ slot: 1 }), ledger.aWriter({ slot: 2 })];
});
afterAll(() => ledger.drop());

function times<T>(count: number, make: (index: number) => T): T[] {
  return Array.from({ length: count }, (_, index) => make(index));
}

function payAll(writer: Writer, payer: TestUser, payees: readonly TestUser[], amount: bigint): Promise<unknown> {
  const items = payees.map(({ id }) => ({ toUserId: id, amount }));
  return writer.post(aCommand(anOrigin(payer.entity), aBatch(payer.id, items)));
}

/** How many payments of each batch were approved: all or none of them, so one of two numbers. */
async function approvedPerBatch(payer: TestUser, size: number): Promise<number[]> {
  const rows = await ledger.sql<{ status: string }[]>`
    select status from service.transactions where from_user_id = ${payer.id} and kind = 'batch' order by id`;
  return times(rows.length / size, (batch) => {
    return rows.slice(batch * size, (batch + 1) * size).filter(({ status }) => status === "approved").length;
  });
}

describe("batches and single payments of one payer, by two processes at once", () => {
  it("approve one of two batches that each take all there is", async () => {
    const entity = await ledger.anEntity();
    for (let round = 0; round < 10; round++) {
      const [payer, payee] = [await ledger.aUser(entity, 100n), await ledger.aUser(entity)];
      const postings = writers.map((writer) =>
        payAll(
          writer,
          payer,
          times(10, () => payee),
          10n,
        ),
      );
      expect(await countOutcomes(postings)).toEqual({ approved: 1, insufficient_balance: 1 });
      expect([await ledger.balanceOf(payer), await ledger.balanceOf(payee)]).toEqual([0n, 100n]);
    }
  });

  it("never spend more than there is, and no batch in part", async () => {
    const entity = await ledger.anEntity();
    const elsewhere = await ledger.anEntity();
    const payer = await ledger.aUser(entity, 1_000n);
    const payees = [await ledger.aUser(entity), await ledger.aUser(elsewhere), await ledger.aUser(entity)];
    const [payee] = payees as [TestUser, TestUser, TestUser];
    const batches = times(40, (index) => payAll(writers[(index % 2) as 0 | 1], payer, payees, 11n));
    const singles = times(40, (index) =>
      writers[(index % 2) as 0 | 1].post(aCommand(anOrigin(entity), aPayment(payer.id, payee.id, 7n))),
    );
    const [whole, single] = [await countOutcomes(batches), await countOutcomes(singles)];
    const spent = 33n * BigInt(whole.approved ?? 0) + 7n * BigInt(single.approved ?? 0);
    expect(await ledger.balanceOf(payer)).toBe(1_000n - spent);
    expect(1_000n - spent).toBeGreaterThanOrEqual(0n);
    expect(whole.insufficient_balance).toBeGreaterThan(0);
    const approved = await approvedPerBatch(payer, payees.length);
    expect(approved.filter((count) => count !== 0 && count !== payees.length)).toEqual([]);
    expect(approved.filter((count) => count > 0)).toHaveLength(whole.approved ?? 0);
  });

  it("pay each other's payers in opposite orders without a deadlock", async () => {
    const entity = await ledger.anEntity();
    const users: TestUser[] = [];
    for (let index = 0; index < 20; index++) users.push(await ledger.aUser(entity, 1_000n));
    const others = (payer: TestUser): TestUser[] => users.filter((user) => user !== payer);
    const postings = users.flatMap((payer) => [
      payAll(writers[0], payer, others(payer), 1n),
      payAll(writers[1], payer, others(payer).reverse(), 1n),
    ]);
    expect(await countOutcomes(postings)).toEqual({ approved: 40 });
    expect(await Promise.all(users.map((user) => ledger.balanceOf(user)))).toEqual(users.map(() => 1_000n));
    expect(writers.map((writer) => writer.figures.retries)).toEqual([0, 0]);
  });
});

it("shares one commit among few of the largest batches, so that none outlasts its time", async () => {
  const entity = await ledger.anEntity();
  const [payer, payee] = [await ledger.aUser(entity, 5_000n), await ledger.aUser(entity)];
  const writer = ledger.aWriter({ slot: 3 });
  const largest = times(4, () => payAll(writer, payer, Array(500).fill(payee), 1n));
  const small = times(50, () => payAll(writer, payer, [payee], 1n));
  expect(await countOutcomes([...largest, ...small])).toEqual({ approved: 54 });
  expect(writer.figures).toMatchObject({ commands: 54, waiting: 0 });
  expect(writer.figures.commits).toBeGreaterThanOrEqual(5);
  expect(writer.figures.commits).toBeLessThan(8);
  expect(await ledger.balanceOf(payee)).toBe(2_050n);
});

it("leaves a sound ledger behind", async () => {
  expect(await ledgerFaults(ledger.sql)).toEqual([]);
});
