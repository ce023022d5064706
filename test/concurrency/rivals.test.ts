import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Writer } from "../../server/ledger/writer.ts";
import { aLedger, ledgerFaults, outcomeOf, type TestLedger, type TestUser } from "../support/a-ledger.ts";
import { holdTransaction, lockWaits } from "../support/held-transaction.ts";
import {
  aCancellation,
  aCommand,
  aNewUser,
  anOrigin,
  aQrPayment,
  aRegistration,
  aRemember,
  type TestEntity,
} from "../support/ledger.ts";

let ledger: TestLedger;
let entity: TestEntity;
/** Two processes, in effect. */
let writer: Writer;
let rival: Writer;

beforeAll(async () => {
  ledger = await aLedger();
});
beforeEach(async () => {
  entity = await ledger.anEntity();
  // None is refused at random: who comes first is what these tests set up.
  const isDoubted = () => false;
  writer = ledger.aWriter({ slot: 1, isDoubted });
  rival = ledger.aWriter({ slot: 2, isDoubted });
});
afterAll(() => ledger.drop());

/** A transaction of another process that has done its work and not yet committed. */
function uncommitted(work: (sql: TestLedger["sql"]) => PromiseLike<unknown>): Promise<() => Promise<void>> {
  return holdTransaction(ledger.sql, (tx) => work(tx as unknown as TestLedger["sql"]));
}

/** Waits until so many backends of writers wait for another transaction. */
async function untilWaiting(count: number): Promise<void> {
  await expect.poll(() => lockWaits(ledger.sql), { interval: 10, timeout: 10_000 }).toBe(count);
}

describe("a QR that is paid and withdrawn at once, by two processes", () => {
  let qr: Awaited<ReturnType<TestLedger["aQr"]>>;
  let payer: TestUser;
  let payee: TestUser;

  beforeEach(async () => {
    [payer, payee] = [await ledger.aUser(entity, 100n), await ledger.aUser(entity)];
    qr = await ledger.aQr(payee, 60n);
  });

  it("is withheld from the second while the first one waits for an account", async () => {
    const letGo = await uncommitted((tx) => tx`select from service.accounts where id = ${payee.id} for update`);
    const paying = outcomeOf(writer.post(aCommand(anOrigin(entity), aQrPayment(qr, payer.id))));
    await untilWaiting(1);
    const withdrawing = outcomeOf(rival.post(aCommand(anOrigin(entity), aCancellation(qr))));
    await untilWaiting(2);
    await letGo();
    expect([await paying, await withdrawing]).toEqual(["approved", "qr_already_paid"]);
    const [kept] = await ledger.sql`
      select cancelled_at, transaction_id is not null as is_paid from service.qr_reservations
      where reference = ${qr.reference}`;
    expect(kept).toEqual({ cancelled_at: null, is_paid: true });
  });

  it("is refused to two payers but one without a second try: the second reads it when the first is done", async () => {
    const other = await ledger.aUser(entity, 100n);
    const letGo = await uncommitted((tx) => tx`select from service.accounts where id = ${payee.id} for update`);
    const first = outcomeOf(writer.post(aCommand(anOrigin(entity), aQrPayment(qr, payer.id))));
    await untilWaiting(1);
    const second = outcomeOf(rival.post(aCommand(anOrigin(entity), aQrPayment(qr, other.id))));
    await untilWaiting(2);
    await letGo();
    expect([await first, await second]).toEqual(["approved", "qr_already_paid"]);
    expect([writer.figures.retries, rival.figures.retries]).toEqual([0, 0]);
  });
});

describe("a command that meets another process's uncommitted row, alone in its batch", () => {
  it("is decided again: a registration is a duplicate, not a fault of ours", async () => {
    const { nit, phone } = aNewUser();
    const commit = await uncommitted(
      (tx) => tx`insert into service.users
        (id, creator_id, name, nit, phone, status, payment_data, apn_token_hash, created_at, changed_id)
        values (gen_random_uuid(), ${entity.id}, 'Rival', ${nit}, ${phone}, 'active', '{}', '\\x00', now(),
          gen_random_uuid())`,
    );
    const registering = outcomeOf(writer.post(aCommand(anOrigin(entity), aRegistration(0n, { nit }))));
    await untilWaiting(1);
    await commit();
    expect(await registering).toBe("duplicate_user");
    expect(writer.figures.retries).toBe(1);
  });

  it("is decided again: a copy is given the first one's answer", async () => {
    const answer = JSON.stringify({ body: '{"from":"rival"}' });
    const commit = await uncommitted(
      (tx) => tx`insert into service.idempotency_records
        (entity_id, client_id, operation, key, fingerprint, answer, created_at) values
        (${entity.id}, ${entity.clientId}, 'operation', 'same', 'fingerprint', ${answer}, now())`,
    );
    const copy = writer.post(aCommand(anOrigin(entity, "same"), aRemember));
    await untilWaiting(1);
    await commit();
    expect(await copy).toEqual({ body: { from: "rival" }, replayed: true });
    expect(writer.figures.refused).toBe(1);
  });
});

it("leaves a sound ledger behind", async () => {
  expect(await ledgerFaults(ledger.sql)).toEqual([]);
});
