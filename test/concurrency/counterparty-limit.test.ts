import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Writer } from "../../server/ledger/writer.ts";
import {
  type AnsweredPayment,
  aLedger,
  countOutcomes,
  ledgerFaults,
  outcomeOf,
  type TestLedger,
  type TestUser,
} from "../support/a-ledger.ts";
import { aCommand, anOrigin, aPayment, aReversal, aSettlement, type TestEntity } from "../support/ledger.ts";

const LIMIT = 1_000n;
const WRITERS = 4;

let ledger: TestLedger;
let writers: readonly Writer[];
let ours: TestEntity;
let theirs: TestEntity;
let payer: TestUser;
let payee: TestUser;

beforeAll(async () => {
  ledger = await aLedger();
  writers = Array.from({ length: WRITERS }, (_, slot) => ledger.aWriter({ slot, counterpartyLimit: LIMIT }));
});
beforeEach(async () => {
  [ours, theirs] = [await ledger.anEntity(), await ledger.anEntity()];
  [payer, payee] = [await ledger.aUser(ours, 100_000n), await ledger.aUser(theirs, 100_000n)];
});
afterAll(() => ledger.drop());

const writerOf = (index: number): Writer => writers[index % WRITERS] as Writer;

async function pay(index: number, amount: bigint, more: object = {}): Promise<AnsweredPayment> {
  const command = aCommand(anOrigin(ours), aPayment(payer.id, payee.id, amount, more));
  return (await writerOf(index).post(command)).body as AnsweredPayment;
}

function payBack(index: number, amount: bigint): Promise<unknown> {
  return writerOf(index).post(aCommand(anOrigin(theirs), aPayment(payee.id, payer.id, amount)));
}

async function exposure(): Promise<number> {
  const [row] = await ledger.sql<{ used: string }[]>`
    select sum(used)::text as used from service.counterparty_slices
    where creditor_id = ${theirs.id} and debtor_id = ${ours.id}`;
  return Number(row?.used);
}

describe("four writers on one limit", () => {
  it("use all of it and never more, at once", async () => {
    const outcomes = await countOutcomes(Array.from({ length: 600 }, (_, index) => pay(index, 2n)));
    expect(outcomes).toEqual({ approved: 500, counterparty_limit: 100 });
    expect(await exposure()).toBe(Number(LIMIT));
    expect(await ledgerFaults(ledger.sql)).toEqual([]);
  });

  it("get back what a writer that is gone had drawn", async () => {
    const gone = ledger.aWriter({ slot: 9, counterpartyLimit: LIMIT });
    await gone.post(aCommand(anOrigin(ours), aPayment(payer.id, payee.id, 1n)));
    await gone.close();
    const [slice] = await ledger.sql`
      select granted > used as is_left from service.counterparty_slices
      where creditor_id = ${theirs.id} and debtor_id = ${ours.id} and slot = 9`;
    expect(slice).toMatchObject({ is_left: true });
    expect((await pay(0, LIMIT - 1n)).status).toBe("approved");
    expect((await pay(1, 1n)).reason).toBe("counterparty_limit");
    expect(await ledgerFaults(ledger.sql)).toEqual([]);
  });

  it("pay again what the other direction gives back, whichever of them sees it", async () => {
    await Promise.all(Array.from({ length: 100 }, (_, index) => pay(index, 10n)));
    const outcomes = await countOutcomes([
      ...Array.from({ length: 200 }, (_, index) => payBack(index, 5n)),
      ...Array.from({ length: 200 }, (_, index) => pay(index, 5n)),
    ]);
    expect(await exposure()).toBe(1_000 - 5 * 200 + 5 * ((outcomes.approved ?? 0) - 200));
    for (let left = 1_000 - (await exposure()); left > 0; left -= 5)
      expect((await pay(left, 5n)).status).toBe("approved");
    expect((await pay(0, 1n)).reason).toBe("counterparty_limit");
    expect(await ledgerFaults(ledger.sql)).toEqual([]);
  });

  it("count a hold when it is made, settle it whatever is owed then, and give back what is released", async () => {
    const holding = { requestedStatus: "pending", holdExpiresAt: new Date(Date.now() + 3_600_000) };
    const holds = await Promise.all(Array.from({ length: 12 }, (_, index) => pay(index, 100n, holding)));
    const kept = holds.filter(({ status }) => status === "pending");
    expect([kept.length, await exposure()]).toEqual([10, 1_000]);
    const settle = (status: "approved" | "rejected") => async (hold: AnsweredPayment, index: number) =>
      (await writerOf(index).post(aCommand(anOrigin(ours), aSettlement(hold, status)))).body;
    const settled = await countOutcomes(kept.slice(0, 5).map(settle("approved")));
    expect(settled).toEqual({ approved: 5 });
    await Promise.all(kept.slice(5).map(settle("rejected")));
    expect(await exposure()).toBe(500);
    expect(await countOutcomes(Array.from({ length: 7 }, (_, index) => pay(index, 100n)))).toEqual({
      approved: 5,
      counterparty_limit: 2,
    });
    expect(await ledgerFaults(ledger.sql)).toEqual([]);
  });

  it("let refunds pass the limit, count them, and let nothing else pass it until it is less", async () => {
    const paid = (await writers[0]?.post(aCommand(anOrigin(theirs), aPayment(payee.id, payer.id, 900n))))?.body;
    await Promise.all(Array.from({ length: 190 }, (_, index) => pay(index, 10n)));
    expect(await exposure()).toBe(1_000);
    const refund = aCommand(anOrigin(ours), aReversal(paid as AnsweredPayment));
    expect(await outcomeOf(writerOf(3).post(refund))).toBe("approved");
    expect(await exposure()).toBe(1_900);
    await Promise.all(Array.from({ length: 4 }, (_, index) => payBack(index, 230n)));
    const outcomes = await countOutcomes(Array.from({ length: 40 }, (_, index) => pay(index, 10n)));
    expect(outcomes).toEqual({ approved: 2, counterparty_limit: 38 });
    expect(await ledgerFaults(ledger.sql)).toEqual([]);
  });
});
