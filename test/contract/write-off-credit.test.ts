import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { accrueToday, aLoanType, businessDay, creditById, lend, linesOf, passDays } from "../support/credit-calls.ts";
import { aService, aUser, type TestEntity, type TestService } from "../support/service.ts";
import { expectSoundBooks, NOBODY, refusalMovingNothing } from "../support/service-calls.ts";

let service: TestService;
let fintech: TestEntity;
let other: TestEntity;

beforeAll(async () => {
  service = await aService();
  [fintech, other] = [await service.anEntity(), await service.anEntity("Other")];
  await aLoanType(fintech);
});
afterAll(() => service.stop());

const inDays = (days: number): string => businessDay(service, days);

async function writeOff(credit_id: string) {
  return (await fintech.client.writeOffCredit({ body: { credit_id } })).body;
}

const refusedWriteOff = (entity: TestEntity, body: object) =>
  refusalMovingNothing(service, entity, "writeOffCredit", body);

describe("write-off-credit", () => {
  it("makes what is owed a loss, today's interest included, and leaves the user its quota", async () => {
    const ana = await aUser(fintech, { name: "Ana" });
    const credit = await lend(fintech, ana.id, "1000", { payment_date: inDays(2) });
    passDays(service, 4);
    await fintech.client.dischargeQuota({ body: { id: ana.id, amount: "104" } });
    passDays(service, 1);
    const writtenOff = await writeOff(credit.id);
    expect(writtenOff).toEqual({
      ...credit,
      state: "written_off",
      outstanding: 0,
      accrued_interest: 4.9,
      paid_principal: 100,
      paid_interest: 4,
      written_off_principal: 900,
      written_off_interest: 0.9,
      closed_on: inDays(0),
      days_past_due: null,
      bucket: null,
      suggested_status: null,
    });
    const [posting] = await service.sql<{ reference: string }[]>`
      select p.reference from service.credit_movements m join service.postings p on p.id = m.posting_id
      where m.credit_id = ${credit.id} and m.kind = 'written_off'`;
    expect(await linesOf(service, posting?.reference ?? "")).toEqual([
      ["credits_receivable", fintech.entityId, 90_000n],
      ["interest_receivable", fintech.entityId, 90n],
      ["losses", fintech.entityId, -90_090n],
    ]);
    expect((await fintech.client.user({ query: { id: ana.id } })).body.quota).toBe(896);
    await expectSoundBooks(service);
  });

  it("ends the interest, and suggests the status default for good: recovered or not, beside new credits", async () => {
    const ana = await aUser(fintech);
    const { id } = await lend(fintech, ana.id, "1000", { payment_date: inDays(0) });
    passDays(service, 100);
    expect((await fintech.client.user({ query: { id: ana.id } })).body.suggested_status).toBe("default");
    await writeOff(id);
    passDays(service, 30);
    await accrueToday(service);
    expect(await creditById(fintech, id)).toMatchObject({ accrued_interest: 100, unpaid_interest: 0 });
    const suggested = async () => (await fintech.client.user({ query: { id: ana.id } })).body.suggested_status;
    expect(await suggested()).toBe("default");
    await fintech.client.repayCredit({ body: { id: ana.id, credit_id: id, amount: "1100", source: "cash" } });
    await lend(fintech, ana.id, "10", { payment_date: inDays(5) });
    expect(await suggested()).toBe("default");
    const [listed] = (await fintech.client.users({ query: { q: ana.nit } })).body;
    expect(listed?.suggested_status).toBe("default");
  });

  it("is carried out once for one idempotency key, a refusal too", async () => {
    const ana = await aUser(fintech);
    const { id: credit_id } = await lend(fintech, ana.id, "10", { payment_date: inDays(1) });
    const call = (idempotencyKey: string) =>
      fintech.client.writeOffCredit({ body: { credit_id: credit_id } }, { idempotencyKey });
    const [first, again] = [await call("once"), await call("once")];
    expect([first.replayed, again.replayed, again.body]).toEqual([false, true, first.body]);
    await expect(call("twice")).rejects.toMatchObject({ code: "credit_not_open" });
  });
});

describe("write-off-credit refuses, in order", () => {
  const cases: readonly (readonly [string, object, ...string[]])[] = [
    ["no credit", {}, "invalid_request", "/credit_id"],
    ["an id that is none", { credit_id: "7" }, "invalid_request", "/credit_id"],
    ["a field of the answer", { credit_id: NOBODY, state: "open" }, "invalid_request", "/state"],
    ["a credit that nobody has", { credit_id: NOBODY }, "credit_not_found"],
  ];
  it.each(cases.map(([law, body, ...refusal]) => ({ law, body, refusal })))("$law", async ({ body, refusal }) => {
    expect(await refusedWriteOff(fintech, body)).toEqual(refusal);
  });

  it("another entity's credit, whatever its state, and then one that is not open", async () => {
    const ana = await aUser(fintech);
    const open = await lend(fintech, ana.id, "10", { payment_date: inDays(1) });
    expect(await refusedWriteOff(other, { credit_id: open.id })).toEqual(["credit_not_found"]);
    await writeOff(open.id);
    expect(await refusedWriteOff(other, { credit_id: open.id })).toEqual(["credit_not_found"]);
    expect(await refusedWriteOff(fintech, { credit_id: open.id })).toEqual(["credit_not_open"]);
    const closed = await lend(fintech, ana.id, "10", { payment_date: inDays(1) });
    const repayment = { id: ana.id, credit_id: closed.id, amount: "10", source: "cash" } as const;
    await fintech.client.repayCredit({ body: repayment });
    expect(await refusedWriteOff(fintech, { credit_id: closed.id })).toEqual(["credit_not_open"]);
    const cancelled = await lend(fintech, ana.id, "10", { payment_date: inDays(1) });
    await fintech.client.cancelCredit({ body: { credit_id: cancelled.id } });
    expect(await refusedWriteOff(fintech, { credit_id: cancelled.id })).toEqual(["credit_not_open"]);
  });
});
