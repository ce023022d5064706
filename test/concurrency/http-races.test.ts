import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ApiError } from "../../src/contract/shared/errors.ts";
import { aService, aUser, type TestEntity, type TestService } from "../support/service.ts";
import { expectSoundBooks, times } from "../support/service-calls.ts";

const PAYERS = 50;
const TRANSFERS = 500;

let service: TestService;
let fintech: TestEntity;
let other: TestEntity;

beforeAll(async () => {
  service = await aService();
  [fintech, other] = [await service.anEntity(), await service.anEntity("Other")];
});
afterAll(() => service.stop());

async function pay(entity: TestEntity, from: string, to: string, amount: number, more: object = {}): Promise<string> {
  try {
    const body = { amount, from_user_id: from, to_user_id: to, ...more };
    const { body: paid } = await entity.client.createTransaction({ body });
    return paid.reason ?? paid.status;
  } catch (error) {
    if (error instanceof ApiError) return error.code;
    throw error;
  }
}

function count(outcomes: readonly string[]): Record<string, number> {
  return Object.fromEntries(
    Object.entries(Object.groupBy(outcomes, (each) => each)).map(([name, all]) => [name, all?.length ?? 0]),
  );
}

async function quotaOf(entity: TestEntity, id: string): Promise<number | null> {
  return (await entity.client.user({ query: { id } })).body.quota;
}

describe("races over HTTP", () => {
  it("50 payers of two entities on one QR: one wins, 49 hear that it is paid", async () => {
    const shop = await aUser(fintech);
    const entities = times(PAYERS, (index) => (index % 2 === 0 ? fintech : other));
    const payers = await Promise.all(entities.map((entity) => aUser(entity, { quota: 100 })));
    const { body: qr } = await fintech.client.createTransactionQr({ body: { amount: 60, to_user_id: shop.id } });
    const details = { qr: qr.payload };
    const outcomes = await Promise.all(
      payers.map(({ id }, index) => pay(entities[index] ?? fintech, id, shop.id, 60, { details })),
    );
    expect(count(outcomes)).toEqual({ approved: 1, qr_already_paid: PAYERS - 1 });
    expect(await quotaOf(fintech, shop.id)).toBe(60);
    const left = await Promise.all(payers.map(({ id }, index) => quotaOf(entities[index] ?? fintech, id)));
    expect(left.filter((quota) => quota === 40)).toHaveLength(1);
    expect(left.filter((quota) => quota === 100)).toHaveLength(PAYERS - 1);
  });

  it("500 transfers each way between two entities' users end at the same balances", async () => {
    const [one, two] = [await aUser(fintech, { quota: 2_000 }), await aUser(other, { quota: 2_000 })];
    const outcomes = await Promise.all(
      times(TRANSFERS, () => [pay(fintech, one.id, two.id, 3.5), pay(other, two.id, one.id, 3.5)]).flat(),
    );
    expect(count(outcomes)).toEqual({ approved: 2 * TRANSFERS });
    expect([await quotaOf(fintech, one.id), await quotaOf(other, two.id)]).toEqual([2_000, 2_000]);
  });

  it("paying and cancelling one QR at once: either it is paid or it is cancelled, never both", async () => {
    const [ana, shop] = [await aUser(fintech, { quota: 1_000 }), await aUser(fintech)];
    const race = async (): Promise<string> => {
      const { body: qr } = await fintech.client.createTransactionQr({ body: { amount: 10, to_user_id: shop.id } });
      const reference = qr.reference ?? "";
      const cancelling = fintech.client.cancelTransactionQr({ body: { reference } }).then(
        ({ body }) => body.state,
        (error: ApiError) => error.code,
      );
      const paying = pay(fintech, ana.id, shop.id, 10, { details: { qr: qr.payload } });
      const { body: standing } = await fintech.client.transactionQr({ query: { reference } });
      return [await paying, await cancelling, standing.state === "pending"].join();
    };
    const outcomes = count(await Promise.all(times(40, race)));
    const {
      "approved,qr_already_paid,false": paid = 0,
      "qr_cancelled,cancelled,false": cancelled = 0,
      ...rest
    } = outcomes;
    expect(rest).toEqual({});
    expect(await quotaOf(fintech, shop.id)).toBe(paid * 10);
    expect(paid + cancelled).toBe(40);
  });

  it("one balance spent from everywhere at once is spent once", async () => {
    const [ana, shop] = [await aUser(fintech, { quota: 100 }), await aUser(other)];
    const outcomes = await Promise.all(times(150, () => pay(fintech, ana.id, shop.id, 2)));
    expect(count(outcomes)).toEqual({ approved: 50, insufficient_balance: 100 });
    expect([await quotaOf(fintech, ana.id), await quotaOf(other, shop.id)]).toEqual([0, 100]);
  });

  it("50 registrations of one nit: one user", async () => {
    const outcomes = await Promise.all(
      times(50, (index) =>
        fintech.client.createUser({ body: { name: "Twin", nit: "race-1", phone: `+57312${1_000_000 + index}` } }).then(
          () => "made",
          (error: ApiError) => error.code,
        ),
      ),
    );
    expect(count(outcomes)).toEqual({ made: 1, duplicate_user: 49 });
  });

  it("leave sound books: zero per posting and per entity, due-to equal to due-from", async () => {
    await expectSoundBooks(service);
    const [sum] = await service.sql`
      select coalesce(sum(posted) filter (where kind = 'due_to'), 0) as due_to,
        coalesce(sum(posted) filter (where kind = 'due_from'), 0) as due_from from service.accounts`;
    expect(Number(sum?.due_to)).toBeGreaterThan(0);
    expect(Number(sum?.due_to)).toBe(-Number(sum?.due_from));
  });
});
