import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type AnsweredPayment, aLedger, type TestLedger } from "../../../test/support/a-ledger.ts";
import { aPayment, aSettlement, aTransfer, type TestEntity } from "../../../test/support/ledger.ts";

let ledger: TestLedger;
let entity: TestEntity;

beforeAll(async () => {
  ledger = await aLedger();
  entity = await ledger.anEntity();
});
afterAll(() => ledger.drop());

describe("the append-only tables", () => {
  it.each([
    ["entries", "sequence_number"],
    ["postings", "reference"],
    ["transaction_status_changes", "sequence_number"],
    ["transfers", "reference"],
  ])("%s refuse to be updated, deleted or emptied", async (table, column) => {
    const name = ledger.sql(`service.${table}`);
    const [from, to] = [await ledger.aUser(entity, 3n), await ledger.aUser(entity)];
    for (const make of [aPayment, aTransfer]) await ledger.post(entity, make(from.id, to.id, 1n));
    const holdExpiresAt = new Date(Date.now() + 3_600_000);
    const held = await ledger.post(entity, aPayment(from.id, to.id, 1n, { requestedStatus: "pending", holdExpiresAt }));
    await ledger.post(entity, aSettlement(held as AnsweredPayment, "approved"));
    const before = await ledger.sql<{ count: bigint }[]>`select count(*) from ${name}`;
    expect(before[0]?.count).not.toBe(0n);
    const changes = [
      ledger.sql`update ${name} set ${ledger.sql(column)} = default`,
      ledger.sql`delete from ${name}`,
      ledger.sql`truncate ${name}`,
      ledger.sql`truncate ${name} cascade`,
    ];
    for (const change of changes) await expect(change).rejects.toThrow(`${table} is append-only`);
    expect(await ledger.sql`select count(*) from ${name}`).toEqual(before);
  });

  it("the database itself refuses a user's balance below zero", async () => {
    const user = await ledger.aUser(entity, 10n);
    const overdraw = ledger.sql`update service.accounts set posted = -1 where id = ${user.id}`;
    await expect(overdraw).rejects.toThrow("accounts_available");
    const overhold = ledger.sql`update service.accounts set held = 11 where id = ${user.id}`;
    await expect(overhold).rejects.toThrow("accounts_available");
  });
});
