import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Payment, TransactionRecord } from "../../server/ledger/model/command.ts";
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
import { aCommand, aLapse, anOrigin, aPayment, aQrPayment, aReversal, aSettlement } from "../support/ledger.ts";

const COPIES = 50;
const HOUR_MS = 3_600_000;

let ledger: TestLedger;
/** Two processes, in effect, whose clock stands where a test puts it. */
let writers: readonly [Writer, Writer];
let now: Date;
let payer: TestUser;
let payee: TestUser;

beforeAll(async () => {
  ledger = await aLedger();
  const clock = (): Date => now;
  writers = [ledger.aWriter({ slot: 1, clock }), ledger.aWriter({ slot: 2, clock })];
});
beforeEach(async () => {
  now = new Date();
  const [ours, theirs] = [await ledger.anEntity(), await ledger.anEntity()];
  [payer, payee] = [await ledger.aUser(ours, 1_000n), await ledger.aUser(theirs)];
});
afterAll(() => ledger.drop());

function copies<T>(make: (index: number, writer: Writer) => T): T[] {
  return Array.from({ length: COPIES }, (_, index) => make(index, writers[index % 2 === 0 ? 0 : 1]));
}

async function paid(amount: bigint, more: Partial<Payment> = {}): Promise<AnsweredPayment> {
  return (await ledger.post(payer.entity, aPayment(payer.id, payee.id, amount, more))) as AnsweredPayment;
}

function held(amount: bigint, more: Partial<Payment> = {}): Promise<AnsweredPayment> {
  const holdExpiresAt = new Date(now.getTime() + HOUR_MS);
  return paid(amount, { requestedStatus: "pending", holdExpiresAt, ...more });
}

async function row(id: string | null): Promise<Partial<TransactionRecord>> {
  const [found] = await ledger.sql<Partial<TransactionRecord>[]>`
    select status, reason, amount, reversed_amount as "reversedAmount" from service.transactions where id = ${id}`;
  return { ...found };
}

async function heldOf({ id }: TestUser): Promise<bigint | undefined> {
  return (await ledger.sql<{ held: bigint }[]>`select held from service.accounts where id = ${id}`)[0]?.held;
}

describe("50 partial refunds of one payment, by two writers", () => {
  it("never come to more than the payment: as many as fit, and the rest are refused", async () => {
    const payment = await paid(100n);
    const refunds = copies((_, writer) => writer.post(aCommand(anOrigin(payee.entity), aReversal(payment, 7n))));
    expect(await countOutcomes(refunds)).toEqual({ approved: 14, refund_too_large: 36 });
    expect(await row(payment.id)).toEqual({ status: "approved", reason: null, amount: 100n, reversedAmount: 98n });
    expect([await ledger.balanceOf(payer), await ledger.balanceOf(payee)]).toEqual([998n, 2n]);
    const rest = copies((_, writer) => writer.post(aCommand(anOrigin(payee.entity), aReversal(payment))));
    expect(await countOutcomes(rest)).toEqual({ approved: 1, transaction_not_reversible: 49 });
    expect(await row(payment.id)).toMatchObject({ status: "reversed", reversedAmount: 100n });
    expect(await ledger.balanceOf(payer)).toBe(1_000n);
  });

  it("come to what the payee still has, while the payee spends", async () => {
    const payment = await paid(100n);
    const other = await ledger.aUser(payee.entity);
    const postings = copies((index, writer) =>
      index % 3 === 0
        ? writer.post(aCommand(anOrigin(payee.entity), aPayment(payee.id, other.id, 10n)))
        : writer.post(aCommand(anOrigin(payee.entity), aReversal(payment, 5n))),
    );
    const outcomes = await countOutcomes(postings);
    const refunded = (await row(payment.id)).reversedAmount ?? 0n;
    expect([await ledger.balanceOf(payer), await ledger.balanceOf(payee)]).toEqual([900n + refunded, 0n]);
    expect(await ledger.balanceOf(other)).toBe(100n - refunded);
    expect(outcomes.insufficient_balance).toBeGreaterThan(0);
  });

  it("are one for 50 copies under one key", async () => {
    const payment = await paid(100n);
    const command = aCommand(anOrigin(payee.entity, "refund-once"), aReversal(payment, 30n));
    const posted = await Promise.all(copies((_, writer) => writer.post(command)));
    expect(new Set(posted.map(({ body }) => JSON.stringify(body))).size).toBe(1);
    expect((await row(payment.id)).reversedAmount).toBe(30n);
  });
});

describe("a hold, at two writers", () => {
  it("is settled, released or expired by exactly one of 50 who try at the instant of its end", async () => {
    for (const instant of [-1, 0]) {
      const hold = await held(60n);
      const before = await ledger.balanceOf(payee);
      now = new Date(now.getTime() + HOUR_MS + instant);
      const postings = copies((index, writer) => {
        const settlement = aSettlement(hold, index % 4 === 1 ? "rejected" : "approved");
        const action = index % 2 === 0 ? aLapse(hold) : settlement;
        return writer.post(aCommand(anOrigin(payer.entity), action));
      });
      await countOutcomes(postings);
      const { status, reason } = await row(hold.id);
      const moved = (await ledger.balanceOf(payee)) - before;
      const [count] = await ledger.sql<{ count: bigint }[]>`
        select count(*) from service.transaction_statuses where transaction_id = ${hold.id}`;
      expect([await heldOf(payer), count?.count]).toEqual([0n, 2n]);
      if (instant === 0) expect([status, reason, moved]).toEqual(["rejected", "hold_expired", 0n]);
      else expect([status, moved]).toEqual(reason === "released" ? ["rejected", 0n] : ["approved", 60n]);
    }
  });

  it("comes to one end for writers whose clocks differ about its last instant", async () => {
    const end = now.getTime() + HOUR_MS;
    const early = ledger.aWriter({ slot: 3, clock: () => new Date(end - 1) });
    const late = ledger.aWriter({ slot: 4, clock: () => new Date(end) });
    for (let round = 0; round < 10; round += 1) {
      const hold = await held(10n);
      const [before, isFirst] = [await ledger.balanceOf(payee), round % 2 === 0];
      const settling = () => outcomeOf(early.post(aCommand(anOrigin(payer.entity), aSettlement(hold, "approved"))));
      const lapsing = () => outcomeOf(late.post(aCommand(anOrigin(payer.entity), aLapse(hold))));
      const told = isFirst
        ? await Promise.all([settling(), lapsing()])
        : (await Promise.all([lapsing(), settling()])).reverse();
      const { status, reason } = await row(hold.id);
      const moved = (await ledger.balanceOf(payee)) - before;
      expect([status, reason, moved, await heldOf(payer)]).toEqual(
        status === "approved" ? ["approved", null, 10n, 0n] : ["rejected", "hold_expired", 0n, 0n],
      );
      const lost = ["transaction_not_pending", "hold_expired"];
      expect(told).toEqual(status === "approved" ? ["approved", "approved"] : lost);
    }
  });

  it("is settled once, for one amount, whoever asks for how much", async () => {
    const hold = await held(60n);
    const postings = copies((index, writer) =>
      writer.post(aCommand(anOrigin(payer.entity), aSettlement(hold, "approved", BigInt(index + 1)))),
    );
    expect(await countOutcomes(postings)).toEqual({ approved: 1, transaction_not_pending: COPIES - 1 });
    const { amount = 0n } = await row(hold.id);
    expect([await ledger.balanceOf(payer), await ledger.balanceOf(payee)]).toEqual([1_000n - amount, amount]);
  });

  it("never lets 50 holds and payments take more than there is", async () => {
    const postings = copies((index, writer) => {
      const more: Partial<Payment> =
        index % 4 < 2 ? { requestedStatus: "pending", holdExpiresAt: new Date(now.getTime() + HOUR_MS) } : {};
      return writer.post(aCommand(anOrigin(payer.entity), aPayment(payer.id, payee.id, 30n, more)));
    });
    const { approved = 0, pending = 0, ...others } = await countOutcomes(postings);
    expect([approved + pending, others]).toEqual([33, { insufficient_balance: COPIES - 33 }]);
    expect([await ledger.balanceOf(payer), await heldOf(payer)]).toEqual([
      1_000n - 30n * BigInt(approved),
      30n * BigInt(pending),
    ]);
  });
});

describe("a QR whose hold is released while others want to pay it", () => {
  it("is taken by one of them at most, in the same commit or in another process", async () => {
    const qr = await ledger.aQr(payee, 60n);
    const action = aQrPayment(qr, payer.id, {
      requestedStatus: "pending",
      holdExpiresAt: new Date(now.getTime() + HOUR_MS),
    });
    const hold = (await ledger.post(payer.entity, action)) as AnsweredPayment;
    const postings = copies((index, writer) => {
      const wanted = index === 10 ? aSettlement(hold, "rejected", undefined, qr.reference) : aQrPayment(qr, payer.id);
      return writer.post(aCommand(anOrigin(payer.entity), wanted));
    });
    const { approved = 0, released, qr_already_paid } = await countOutcomes(postings);
    expect([approved + (qr_already_paid ?? 0), released, approved <= 1]).toEqual([COPIES - 1, 1, true]);
    const kept = await ledger.sql`
      select q.transaction_id is null as is_free, t.status from service.qr_reservations q
      left join service.transactions t on t.id = q.transaction_id where q.reference = ${qr.reference}`;
    expect({ ...kept[0] }).toEqual(
      approved === 0 ? { is_free: true, status: null } : { is_free: false, status: "approved" },
    );
    const [own] = await ledger.sql`select reference from service.transactions where id = ${hold.id}`;
    expect(own?.reference).not.toBe(qr.reference);
  });

  it("is payable in the very commit that releases it", async () => {
    const qr = await ledger.aQr(payee, 60n);
    const action = aQrPayment(qr, payer.id, {
      requestedStatus: "pending",
      holdExpiresAt: new Date(now.getTime() + HOUR_MS),
    });
    const hold = (await ledger.post(payer.entity, action)) as AnsweredPayment;
    const before = writers[0].figures;
    const together = [aSettlement(hold, "rejected", undefined, qr.reference), aQrPayment(qr, payer.id)].map((each) =>
      writers[0].post(aCommand(anOrigin(payer.entity), each)),
    );
    expect(await countOutcomes(together)).toEqual({ released: 1, approved: 1 });
    const { commits, retries } = writers[0].figures;
    expect([commits - before.commits, retries - before.retries]).toEqual([1, 0]);
  });
});

it("leaves a sound ledger behind", async () => {
  expect(await ledgerFaults(ledger.sql)).toEqual([]);
});
