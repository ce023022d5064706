import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { aLedger, ledgerFaults, outcomeOf, type TestLedger, type TestUser } from "../../test/support/a-ledger.ts";
import { holdTransaction } from "../../test/support/held-transaction.ts";
import { aCommand, anOrigin, aPayment } from "../../test/support/ledger.ts";
import { aRelay } from "../../test/support/relay.ts";
import type { Writer } from "./writer.ts";

let ledger: TestLedger;
let payer: TestUser;
let payee: TestUser;

beforeAll(async () => {
  ledger = await aLedger();
});
beforeEach(async () => {
  const entity = await ledger.anEntity();
  [payer, payee] = [await ledger.aUser(entity, 100n), await ledger.aUser(entity)];
});
afterAll(() => ledger.drop());

const pay = (writer: Writer, amount: bigint) =>
  outcomeOf(writer.post(aCommand(anOrigin(payer.entity), aPayment(payer.id, payee.id, amount))));

/** A writer whose commits on remembered rows are not doubted, behind a relay that can end its connections. */
async function aRelayedWriter() {
  const url = new URL(ledger.url);
  const relay = await aRelay(Number(url.port));
  url.port = String(relay.port);
  const writer = ledger.aWriter({ isDoubted: () => false, url: url.href });
  return { writer, relay };
}

it("a lost connection makes the batch under way and the one behind it unknown, and neither is sent again", async () => {
  const { writer, relay } = await aRelayedWriter();
  expect(await pay(writer, 1n)).toBe("approved");
  const letGo = await holdTransaction(
    ledger.sql,
    (tx) => tx`select from service.accounts where id = ${payer.id} for update`,
  );
  const outcomes: string[] = [];
  const posted = [2n, 4n].map(async (amount, index) => {
    await pause(50 * index);
    outcomes.push(await pay(writer, amount));
  });
  await expect.poll(() => writer.figures.waiting).toBe(0);
  await pause(100);
  expect(outcomes).toEqual([]);
  relay.reset();
  await Promise.all(posted);
  expect(outcomes).toEqual(["unavailable", "unavailable"]);
  await letGo();
  // PostgreSQL may still carry out what had arrived, but nothing twice.
  const before = await ledger.balanceOf(payee);
  expect([1n, 3n, 5n, 7n]).toContain(before);
  expect(await pay(writer, 8n)).toBe("approved");
  const after = await ledger.balanceOf(payee);
  expect([9n, 11n, 13n, 15n]).toContain(after);
  expect(await ledgerFaults(ledger.sql)).toEqual([]);
  await writer.close();
  await relay.close();
});

it("a writer with a new connection reads anew what it remembers from the one before", async () => {
  const { writer, relay } = await aRelayedWriter();
  expect([await pay(writer, 1n), await pay(writer, 1n)]).toEqual(["approved", "approved"]);
  const { refused, remembered } = writer.figures;
  relay.reset();
  await pause(50);
  await ledger.sql`update service.users set blocked_at = now() where id = ${payer.id}`;
  expect(await pay(writer, 1n)).toBe("payer_blocked");
  expect(writer.figures).toMatchObject({ refused, remembered: remembered + 1 });
  await writer.close();
  await relay.close();
});

describe("a commit on remembered rows that PostgreSQL refuses", () => {
  /** Has the next commit of a payment fail, as it commits, with an SQLSTATE. */
  async function failNextCommit(code: string): Promise<void> {
    await ledger.sql.unsafe(`
      create sequence service.failed_commits;
      create function service.fail_commit() returns trigger language plpgsql as $$
      begin
        if nextval('service.failed_commits') = 1 then raise exception 'a test' using errcode = '${code}'; end if;
        return null;
      end $$;
      create constraint trigger fail_commit after insert on service.transactions
        deferrable initially deferred for each row execute function service.fail_commit()`);
  }

  async function endFailing(): Promise<void> {
    await ledger.sql.unsafe(`drop trigger fail_commit on service.transactions;
      drop function service.fail_commit; drop sequence service.failed_commits`);
  }

  it.each(["40001", "40P01", "23514"])("with %s was undone, and is committed with locks", async (code) => {
    const writer = ledger.aWriter({ isDoubted: () => false });
    expect(await pay(writer, 1n)).toBe("approved");
    await failNextCommit(code);
    expect(await pay(writer, 2n)).toBe("approved");
    expect(writer.figures.refused).toBe(1);
    await endFailing();
    expect(await ledger.balanceOf(payee)).toBe(3n);
  });

  it.each(["57014", "53100", "XX000"])("with %s is unknown, and is not sent again", async (code) => {
    const writer = ledger.aWriter({ isDoubted: () => false });
    expect(await pay(writer, 1n)).toBe("approved");
    await failNextCommit(code);
    expect(await pay(writer, 2n)).toBe("unavailable");
    await endFailing();
    expect(await ledger.balanceOf(payee)).toBe(1n);
    expect(await pay(writer, 4n)).toBe("approved");
    expect(await ledger.balanceOf(payee)).toBe(5n);
  });
});
