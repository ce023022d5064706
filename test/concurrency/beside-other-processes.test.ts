import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { aLedger, ledgerFaults, outcomeOf, type TestLedger } from "../support/a-ledger.ts";
import { aCommand, anOrigin, aPayment } from "../support/ledger.ts";

let ledger: TestLedger;

beforeAll(async () => {
  ledger = await aLedger();
});
afterAll(() => ledger.drop());

describe("a commit", () => {
  it("goes through beside a process whose clock has passed midnight already", async () => {
    const entity = await ledger.anEntity();
    const [payer, payee] = [await ledger.aUser(entity, 10n), await ledger.aUser(entity)];
    const [evening, morning] = ["2026-03-31T23:59:59Z", "2026-04-01T00:00:01Z"].map((instant) =>
      ledger.aWriter({ clock: () => new Date(instant) }),
    );
    for (const writer of [evening, morning, evening, morning]) {
      const payment = aPayment(payer.id, payee.id, 1n);
      expect(await outcomeOf(writer?.post(aCommand(anOrigin(entity), payment)) ?? Promise.reject())).toBe("approved");
    }
    const runs = await ledger.sql`
      select day::text, first_entry from service.account_days where account_id = ${payee.id} order by first_entry`;
    expect(runs.map(({ day, first_entry }) => [day, first_entry])).toEqual([
      ["2026-03-31", 1n],
      ["2026-04-01", 2n],
      ["2026-03-31", 3n],
      ["2026-04-01", 4n],
    ]);
    expect(await ledgerFaults(ledger.sql)).toEqual([]);
  });

  it("holds payers to their limit of the day while processes differ about the day", async () => {
    const entity = await ledger.anEntity();
    await ledger.sql`update service.entities set daily_limit = 10 where id = ${entity.id}`;
    const [payer, payee] = [await ledger.aUser(entity, 100n), await ledger.aUser(entity)];
    const [evening, morning] = ["2026-03-31T23:59:59Z", "2026-04-01T00:00:01Z"].map((instant) =>
      ledger.aWriter({ clock: () => new Date(instant) }),
    );
    const outcomes: string[] = [];
    for (const writer of [evening, morning, evening, morning]) {
      const payment = aPayment(payer.id, payee.id, 6n);
      outcomes.push(await outcomeOf(writer?.post(aCommand(anOrigin(entity), payment)) ?? Promise.reject()));
    }
    expect(outcomes).toEqual(["approved", "approved", "limit_exceeded", "limit_exceeded"]);
  });

  it("opens accounts of the books anew that a standby, taking over, had not received yet", async () => {
    const [entity, other] = [await ledger.anEntity(), await ledger.anEntity()];
    const [payer, payee] = [await ledger.aUser(entity, 10n), await ledger.aUser(other)];
    const writer = ledger.aWriter({ slot: 7 });
    const pay = () => writer.post(aCommand(anOrigin(entity), aPayment(payer.id, payee.id, 1n)));
    await writer.post(aCommand(anOrigin(entity), aPayment(payer.id, payee.id, 1n, { requestedStatus: "rejected" })));
    await ledger.sql`delete from service.accounts where slot = 7`;
    await expect(pay()).rejects.toThrow("was not locked");
    expect(await outcomeOf(pay())).toBe("approved");
    expect(await ledgerFaults(ledger.sql)).toEqual([]);
  });
});
