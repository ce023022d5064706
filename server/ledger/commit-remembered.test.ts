import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  aLedger,
  countOutcomes,
  ledgerFaults,
  outcomeOf,
  type TestLedger,
  type TestUser,
} from "../../test/support/a-ledger.ts";
import { holdTransaction } from "../../test/support/held-transaction.ts";
import { aCommand, anOrigin, aPayment, aQrPayment, aReservation, type TestEntity } from "../../test/support/ledger.ts";
import { aRelay } from "../../test/support/relay.ts";
import type { Writer, WriterOptions } from "./writer.ts";

let ledger: TestLedger;

beforeAll(async () => {
  ledger = await aLedger();
});
afterAll(() => ledger.drop());

const trusting = (more: Partial<WriterOptions> & { readonly url?: string } = {}): Writer =>
  ledger.aWriter({ isDoubted: () => false, ...more });

function pay(from: TestUser, to: TestUser, amount: bigint, key?: string) {
  return aCommand(anOrigin(from.entity, key), aPayment(from.id, to.id, amount));
}

async function usersOf(entity: TestEntity, count: number, quota: bigint): Promise<TestUser[]> {
  return Promise.all(Array.from({ length: count }, () => ledger.aUser(entity, quota)));
}

/** Posts so many payments between users at random, a few at a time. */
async function payAround(writers: readonly Writer[], users: readonly TestUser[], count: number): Promise<unknown[]> {
  const posted: Promise<unknown>[] = [];
  for (let index = 0; index < count; index += 1) {
    const [from, to] = [users[index % users.length], users[(index * 7 + 1) % users.length]] as [TestUser, TestUser];
    const command = pay(from, from === to ? (users[(index + 1) % users.length] as TestUser) : to, 1n, randomUUID());
    posted.push((writers[index % writers.length] as Writer).post(command));
    if (index % 5 === 0) await pause(1);
  }
  return Promise.all(posted);
}

describe("commits on remembered rows", () => {
  it("are nearly all commits of a writer that is alone, and several are under way", async () => {
    const [one, other] = [await ledger.anEntity(), await ledger.anEntity()];
    const users = [...(await usersOf(one, 10, 1_000n)), ...(await usersOf(other, 10, 1_000n))];
    const writer = trusting();
    await payAround([writer], users, 40);
    const before = writer.figures;
    await payAround([writer], users, 600);
    const { commits, remembered, refused } = writer.figures;
    expect([(remembered - before.remembered) / (commits - before.commits), refused - before.refused]).toEqual([1, 0]);
    expect(await ledgerFaults(ledger.sql)).toEqual([]);
  });

  it("are those of codes, of what webhooks tell and between entities, too", async () => {
    const [mine, theirs] = [await ledger.anEntity(), await ledger.anEntity()];
    await ledger.sql`update service.entities set sends_events = true where id in (${mine.id}, ${theirs.id})`;
    await ledger.sql`insert into service.webhook_endpoints
      (id, entity_id, name, url, event_types, sealed_secrets, created_at)
      select gen_random_uuid(), id, 'hook', 'https://shop.example/', '{transaction.created}', '{a}', now()
      from service.entities where id in (${mine.id}, ${theirs.id})`;
    const [payer, payee] = [await ledger.aUser(mine, 1_000n), await ledger.aUser(theirs)];
    const writer = trusting();
    const sell = async (): Promise<void> => {
      const qr = aReservation(payee, 1n, { expiresAt: new Date(Date.now() + 60_000) });
      await writer.post(aCommand(anOrigin(theirs), qr));
      expect(await outcomeOf(writer.post(aCommand(anOrigin(mine), aQrPayment(qr, payer.id))))).toBe("approved");
    };
    await sell();
    const before = writer.figures;
    for (let sales = 0; sales < 10; sales += 1) await sell();
    const { commits, remembered, refused } = writer.figures;
    expect([commits - before.commits, remembered - before.remembered, refused - before.refused]).toEqual([20, 20, 0]);
    const [told] = await ledger.sql<{ events: bigint }[]>`
      select count(*) as events from service.events where entity_id in (${mine.id}, ${theirs.id})`;
    expect(Number(told?.events)).toBe(22);
  });

  it("share the work evenly with the batch under way, unless it is little", async () => {
    const [payer, payee] = (await usersOf(await ledger.anEntity(), 2, 1_000n)) as [TestUser, TestUser];
    // Behind a commit that seems slow the next one waits, so that it takes all: no time passes here.
    const writer = trusting({ now: () => 0 });
    const payAtOnce = (count: number) =>
      Promise.all(Array.from({ length: count }, () => writer.post(pay(payer, payee, 1n))));
    await payAtOnce(1);
    const commitsOf = async (first: number, second: number): Promise<number> => {
      const before = writer.figures.commits;
      const paid = payAtOnce(first);
      while (writer.figures.waiting > 0) await undefined;
      await Promise.all([paid, payAtOnce(second)]);
      return writer.figures.commits - before;
    };
    expect(await commitsOf(100, 60)).toBe(2);
    expect(await commitsOf(100, 300)).toBe(3);
  });

  it("are refused where two processes write to the same accounts, and not a cent is lost", async () => {
    const users = await usersOf(await ledger.anEntity(), 3, 1_000n);
    const writers = [trusting(), trusting({ slot: 1 })];
    const outcomes = await countOutcomes(
      (await payAround(writers, users, 400)).map((posted) => Promise.resolve(posted)),
    );
    expect(outcomes).toEqual({ approved: 400 });
    expect(writers.reduce((sum, { figures }) => sum + figures.refused, 0)).toBeGreaterThan(0);
    const balances = await Promise.all(users.map((user) => ledger.balanceOf(user)));
    expect(balances.reduce((sum, each) => sum + each)).toBe(3_000n);
    expect(await ledgerFaults(ledger.sql)).toEqual([]);
  });

  it("are refused when they arrive long after they were decided", async () => {
    const [payer, payee] = (await usersOf(await ledger.anEntity(), 2, 100n)) as [TestUser, TestUser];
    const writer = trusting();
    await writer.post(pay(payer, payee, 1n));
    const letGo = await holdTransaction(
      ledger.sql,
      (tx) => tx`select from service.accounts where id = ${payer.id} for update`,
    );
    const posted = writer.post(pay(payer, payee, 2n));
    await pause(2_500);
    await letGo();
    expect(await outcomeOf(posted)).toBe("approved");
    expect(writer.figures.refused).toBe(1);
    expect(await ledger.balanceOf(payee)).toBe(103n);
  });

  it("answer a copy of a request as the first, from memory and while the first is on its way", async () => {
    const [payer, payee] = (await usersOf(await ledger.anEntity(), 2, 100n)) as [TestUser, TestUser];
    const writer = trusting();
    const command = pay(payer, payee, 5n, "again");
    const [first, copy] = await Promise.all([writer.post(command), writer.post(command)]);
    const later = await writer.post(command);
    expect([copy, later]).toEqual([
      { ...first, replayed: true },
      { ...first, replayed: true },
    ]);
    expect(JSON.stringify(later.body)).toBe(JSON.stringify(first.body));
    const { refused } = writer.figures;
    await writer.post(command);
    expect(writer.figures.refused).toBe(refused);
    expect(await ledger.balanceOf(payee)).toBe(105n);
  });

  it("answer from memory what another process answered before, once it was read", async () => {
    const [payer, payee] = (await usersOf(await ledger.anEntity(), 2, 100n)) as [TestUser, TestUser];
    const command = pay(payer, payee, 5n, "from another process");
    const first = await ledger.aWriter().post(command);
    const writer = trusting();
    const answers = [];
    const refused = [];
    for (let time = 0; time < 3; time += 1) {
      answers.push(await writer.post(command));
      refused.push(writer.figures.refused);
    }
    expect(answers).toEqual(Array.from({ length: 3 }, () => ({ ...first, replayed: true })));
    expect(refused).toEqual([1, 1, 1]);
    expect(await ledger.balanceOf(payee)).toBe(105n);
  });

  it("are committed with locks for a while after several were refused", async () => {
    const [payer, payee] = (await usersOf(await ledger.anEntity(), 2, 100n)) as [TestUser, TestUser];
    let isDoubted = true;
    const writer = trusting({ isDoubted: () => isDoubted });
    for (let count = 0; count < 13; count += 1) await writer.post(pay(payer, payee, 1n));
    expect(writer.figures).toMatchObject({ refused: 4, remembered: 0, commits: 13 });
    isDoubted = false;
    for (let count = 0; count < 18; count += 1) await writer.post(pay(payer, payee, 1n));
    expect(writer.figures).toMatchObject({ refused: 4, remembered: 3, commits: 31 });
  });

  it("leave nothing in memory of a batch whose answer was lost, nor of those behind it", async () => {
    const users = (await usersOf(await ledger.anEntity(), 3, 100n)) as [TestUser, TestUser, TestUser];
    const url = new URL(ledger.url);
    const relay = await aRelay(Number(url.port));
    url.port = String(relay.port);
    const writer = trusting({ url: url.href });
    await writer.post(pay(users[0], users[1], 1n));
    const posted = Array.from({ length: 50 }, async (_, index) => {
      await pause(index);
      return outcomeOf(writer.post(pay(users[index % 2] as TestUser, users[2], 1n)));
    });
    await pause(20);
    relay.reset();
    const outcomes = await Promise.all(posted);
    const unknown = outcomes.filter((outcome) => outcome === "unavailable").length;
    const paid = (await ledger.balanceOf(users[2])) - 100n;
    expect(outcomes.filter((outcome) => outcome === "approved").length).toBeLessThanOrEqual(Number(paid));
    expect(Number(paid)).toBeLessThanOrEqual(50);
    expect(unknown).toBe(50 - outcomes.filter((outcome) => outcome === "approved").length);
    expect(await outcomeOf(writer.post(pay(users[2], users[0], paid + 100n)))).toBe("approved");
    expect(await ledgerFaults(ledger.sql)).toEqual([]);
    await writer.close();
    await relay.close();
  });
});

describe("an outsider's change under the memory of a writer", () => {
  it("refuses once what was decided with the settings of the entity that made a code", async () => {
    const [mine, theirs] = [await ledger.anEntity(), await ledger.anEntity()];
    const [payer, payee] = [await ledger.aUser(mine, 100n), await ledger.aUser(mine)];
    const writer = trusting();
    const refused = [];
    for (let index = 0; index < 4; index += 1) {
      const qr = await ledger.aQr({ ...payee, entity: theirs }, 1n);
      if (index === 1) await ledger.sql`update service.entities set name = name where id = ${theirs.id}`;
      expect(await outcomeOf(writer.post(aCommand(anOrigin(mine), aQrPayment(qr, payer.id))))).toBe("approved");
      refused.push(writer.figures.refused);
    }
    expect(refused).toEqual([0, 1, 1, 1]);
  });

  it("decides the next command: a balance that another process changes, and a code that it pays", async () => {
    const entity = await ledger.anEntity();
    const [payer, payee] = (await usersOf(entity, 2, 100n)) as [TestUser, TestUser];
    const writer = trusting();
    const outcome = () => outcomeOf(writer.post(pay(payer, payee, 10n)));
    const qr = await ledger.aQr(payee, 1n);
    expect(await outcome()).toBe("approved");
    const other = ledger.aWriter();
    await other.post(pay(payer, payee, 85n));
    expect(await outcome()).toBe("insufficient_balance");
    await other.post(pay(payee, payer, 85n));
    expect(await outcome()).toBe("approved");
    await other.post(aCommand(anOrigin(entity), aQrPayment(qr, payer.id)));
    const again = writer.post(aCommand(anOrigin(entity), aQrPayment(qr, payer.id)));
    expect(await outcomeOf(again)).toBe("qr_already_paid");
  });
});
