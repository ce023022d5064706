import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Posted } from "../../server/ledger/queued-command.ts";
import type { Writer } from "../../server/ledger/writer.ts";
import { aLedger, countOutcomes, ledgerFaults, type TestLedger, type TestUser } from "../support/a-ledger.ts";
import { aCommand, aNewUser, anOrigin, aPayment, aQrPayment, aRegistration, aRemember } from "../support/ledger.ts";

let ledger: TestLedger;
let pairs: Record<"one writer" | "two writers in different slots" | "two writers in one slot", Writer[]>;

const PAIRS = ["one writer", "two writers in different slots", "two writers in one slot"] as const;
const COPIES = 50;

beforeAll(async () => {
  ledger = await aLedger();
  pairs = {
    "one writer": [ledger.writer],
    "two writers in different slots": [ledger.aWriter({ slot: 7 }), ledger.aWriter({ slot: 8 })],
    "two writers in one slot": [ledger.aWriter({ slot: 9 }), ledger.aWriter({ slot: 9 })],
  };
});
afterAll(() => ledger.drop());

function copies<T>(make: (index: number) => T): T[] {
  return Array.from({ length: COPIES }, (_, index) => make(index));
}

function turn(writers: readonly Writer[], index: number): Writer {
  return writers[index % writers.length] ?? ledger.writer;
}

async function payersOf(count: number): Promise<TestUser[]> {
  const entity = await ledger.anEntity();
  return Promise.all(Array.from({ length: count }, () => ledger.aUser(entity, 1_000n)));
}

async function postedOnce(user: TestUser): Promise<bigint> {
  const [row] = await ledger.sql<{ count: bigint }[]>`
    select count(*) from service.entries where account_id = ${user.id} and amount < 0`;
  return row?.count ?? 0n;
}

describe.each(PAIRS)("%s", (name) => {
  it("lets one of 50 payers take a QR and tells 49 that it is paid", async () => {
    const [merchant, ...payers] = (await payersOf(COPIES + 1)) as [TestUser, ...TestUser[]];
    const qr = await ledger.aQr(merchant, 300n);
    const postings = payers.map((payer, index) =>
      turn(pairs[name], index).post(aCommand(anOrigin(payer.entity), aQrPayment(qr, payer.id))),
    );
    expect(await countOutcomes(postings)).toEqual({ approved: 1, qr_already_paid: COPIES - 1 });
    expect(await ledger.balanceOf(merchant)).toBe(1_300n);
    const [kept] = await ledger.sql`
      select q.transaction_id = t.id as is_its from service.qr_reservations q join service.transactions t
        using (reference) where q.reference = ${qr.reference}`;
    expect(kept).toEqual({ is_its: true });
  });

  it("leaves a QR payable when the first payer is short, and lets the next one take it", async () => {
    const [merchant, rich] = (await payersOf(2)) as [TestUser, TestUser];
    const poor = await ledger.aUser(rich.entity, 10n);
    const qr = await ledger.aQr(merchant, 300n);
    const postings = [poor, poor, rich].map((payer, index) =>
      turn(pairs[name], index).post(aCommand(anOrigin(payer.entity), aQrPayment(qr, payer.id))),
    );
    const { approved, insufficient_balance = 0, qr_already_paid = 0, ...others } = await countOutcomes(postings);
    expect({ approved, others }).toEqual({ approved: 1, others: {} });
    expect(insufficient_balance + qr_already_paid).toBe(2);
  });

  it("posts 50 copies of one request once and gives each the same answer", async () => {
    const [payer, payee] = (await payersOf(2)) as [TestUser, TestUser];
    const action = aPayment(payer.id, payee.id, 10n, { details: '{"n":1.10,"big":12345678901234567890}' });
    const command = aCommand(anOrigin(payer.entity, "copied"), action);
    const posted = await Promise.all(copies((index) => turn(pairs[name], index).post(command)));
    const bodies = new Set(posted.map(({ body }) => JSON.stringify(body)));
    expect([...bodies]).toHaveLength(1);
    expect(posted.filter(({ replayed }) => !replayed)).toHaveLength(1);
    expect(await postedOnce(payer)).toBe(1n);
    expect(await ledger.balanceOf(payer)).toBe(990n);
  });

  it("gives one answer to 50 copies of a request that locks nothing", async () => {
    const entity = await ledger.anEntity();
    let made = 0;
    const command = aCommand(anOrigin(entity, "remembered"), aRemember, () => ({ made: ++made }));
    const posted: Posted[] = await Promise.all(copies((index) => turn(pairs[name], index).post(command)));
    expect(new Set(posted.map(({ body }) => JSON.stringify(body))).size).toBe(1);
    expect(posted.filter(({ replayed }) => !replayed)).toHaveLength(1);
  });

  it("refuses, of two bodies under one key, the one that came second", async () => {
    const [payer, payee] = (await payersOf(2)) as [TestUser, TestUser];
    const postings = copies((index) => {
      const origin = anOrigin(payer.entity, "reused", `body ${index % 2}`);
      return turn(pairs[name], index).post(aCommand(origin, aPayment(payer.id, payee.id, 10n)));
    });
    expect(await countOutcomes(postings)).toEqual({ approved: COPIES / 2, idempotency_key_reused: COPIES / 2 });
    expect(await postedOnce(payer)).toBe(1n);
  });

  it("registers a nit once, whoever asks, and a phone once", async () => {
    const entity = await ledger.anEntity();
    const { nit, phone } = aNewUser();
    const sameNit = copies((index) =>
      turn(pairs[name], index).post(aCommand(anOrigin(entity), aRegistration(100n, { nit }))),
    );
    expect(await countOutcomes(sameNit)).toEqual({ done: 1, duplicate_user: COPIES - 1 });
    const samePhone = copies((index) =>
      turn(pairs[name], index).post(aCommand(anOrigin(entity), aRegistration(100n, { phone }))),
    );
    expect(await countOutcomes(samePhone)).toEqual({ done: 1, duplicate_user: COPIES - 1 });
  });

  it("registers people whom writers bring in opposite orders, each once", async () => {
    const entity = await ledger.anEntity();
    const people = copies(() => aNewUser());
    const postings = [people, people.toReversed()].flatMap((order, index) =>
      order.map((user) => turn(pairs[name], index).post(aCommand(anOrigin(entity), { ...aRegistration(), user }))),
    );
    expect(await countOutcomes(postings)).toEqual({ done: COPIES, duplicate_user: COPIES });
  });
});

it("leaves a sound ledger behind", async () => {
  expect(await ledgerFaults(ledger.sql)).toEqual([]);
});
