import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { accountStatement } from "../../server/service/books/account-statement.ts";
import type { ReadContext } from "../../server/service/shared/service-context.ts";
import { businessTime } from "../../src/business-time.ts";
import type { accountStatement as row } from "../../src/contract/service/books.ts";
import type { Call } from "../../src/contract/shared/handler.ts";
import { aLedger, ledgerFaults, outcomeOf, type TestLedger, type TestUser } from "../support/a-ledger.ts";
import { aCommand, anOrigin, aPayment, type TestEntity } from "../support/ledger.ts";

const [EVENING, MORNING] = ["2026-03-31T23:59:59Z", "2026-04-01T00:00:01Z"];

let ledger: TestLedger;

beforeAll(async () => {
  ledger = await aLedger();
});
afterAll(() => ledger.drop());

/** Reads the statement of a user's month by the service's handler, a page of two entries at a time. */
async function statementOf({ id, entity }: TestUser, month: "2026-03" | "2026-04") {
  const [time, currency] = [businessTime("UTC"), { code: "COP", numeric: "170", digits: 0 }];
  const changesFrom = async () => new Date(MORNING);
  const handler = accountStatement({ sql: ledger.sql, time, currency, changesFrom } as unknown as ReadContext);
  const toDay = month === "2026-03" ? "2026-03-31" : "2026-04-30";
  const query = { "user-id": id, "from-day": `${month}-01`, "to-day": toDay, limit: "2" };
  const ask = (cursor?: string) =>
    handler({ query: { ...query, cursor }, principal: { entityId: entity.id } } as unknown as Call<typeof row, never>);
  let page = await ask();
  const entries = [...page.body.entries];
  while (page.nextCursor !== undefined) {
    page = await ask(page.nextCursor);
    entries.push(...page.body.entries);
  }
  const { opening_balance: opening, closing_balance: closing, final } = page.body;
  return {
    opening,
    closing,
    final,
    lines: entries.map(({ day, amount, balance_after }) => [day, amount, balance_after]),
  };
}

describe("statements of a month at whose end two processes differ about the day", () => {
  let entity: TestEntity;
  let payee: TestUser;

  beforeAll(async () => {
    entity = await ledger.anEntity();
    payee = await ledger.aUser(entity);
    const payer = await ledger.aUser(entity, 100n);
    const [evening, morning] = [EVENING, MORNING].map((at) => ledger.aWriter({ clock: () => new Date(at) }));
    for (const [index, writer] of [evening, morning, evening, morning, evening].entries()) {
      const payment = aPayment(payer.id, payee.id, 10n ** BigInt(index) % 89n);
      expect(await outcomeOf(writer?.post(aCommand(anOrigin(entity), payment)) ?? Promise.reject())).toBe("approved");
    }
  });

  it("have each entry on its booking day, with running balances that lead from one month to the other", async () => {
    expect(await statementOf(payee, "2026-03")).toEqual({
      ...{ opening: 0, closing: 1 + 11 + 32, final: false },
      lines: [
        ["2026-03-31", 1, 1],
        ["2026-03-31", 11, 12],
        ["2026-03-31", 32, 44],
      ],
    });
    expect(await statementOf(payee, "2026-04")).toEqual({
      ...{ opening: 44, closing: 44 + 10 + 21, final: false },
      lines: [
        ["2026-04-01", 10, 54],
        ["2026-04-01", 21, 75],
      ],
    });
  });

  it("are final once the month is closed: what the slower process enters then is booked in the next", async () => {
    const before = await statementOf(payee, "2026-03");
    await ledger.sql`update service.entities set closed_through = '2026-03-31' where id = ${entity.id}`;
    const writer = ledger.aWriter({ clock: () => new Date(EVENING) });
    const payer = await ledger.aUser(entity, 9n);
    expect(await outcomeOf(writer.post(aCommand(anOrigin(entity), aPayment(payer.id, payee.id, 9n))))).toBe("approved");
    expect(await statementOf(payee, "2026-03")).toEqual({ ...before, final: true });
    expect((await statementOf(payee, "2026-04")).lines.at(-1)).toEqual(["2026-04-01", 9, 84]);
    expect(await ledgerFaults(ledger.sql)).toEqual([]);
  });
});
