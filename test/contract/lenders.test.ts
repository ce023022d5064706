import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { businessDay, openToLenders } from "../support/credit-calls.ts";
import { aService, aUser, type TestEntity, type TestService } from "../support/service.ts";
import { expectSoundBooks, problemOf, type RawClient, rawClient, times } from "../support/service-calls.ts";

/** The most at once, and the most that an account may hold before, in currency units of two decimals. */
const GRANT_CEILING = 10_000_000_000;
const BALANCE_CEILING = 1_000_000_000_000;

let service: TestService;
let ours: TestEntity;
let theirs: TestEntity;
let raw: RawClient;
let ana: string;

beforeAll(async () => {
  service = await aService();
});
beforeEach(async () => {
  [ours, theirs] = [await service.anEntity("Ours"), await service.anEntity("Theirs")];
  raw = await rawClient(service, theirs);
  ana = (await aUser(ours)).id;
});
afterAll(() => service.stop());

const terms = (amount: number | string) => ({
  id: ana,
  amount: String(amount),
  loan_type: "default",
  payment_date: businessDay(service),
});

async function outcomeOf(amount: number | string, more: object = {}): Promise<string> {
  const response = await raw("addQuota", { body: { ...terms(amount), ...more } });
  return response.ok ? "done" : (await problemOf(response)).code;
}
const balance = async () => (await ours.client.user({ query: { id: ana } })).body.quota;

describe("quota from another entity than the user's own", () => {
  it("is refused until the user's entity names the lender, in every form, and the refusal says who can", async () => {
    for (const loan_type of ["default", "deposit"]) {
      for (const name of ["addQuota", "previewAddQuota"] as const) {
        const problem = await problemOf(await raw(name, { body: { ...terms(1), loan_type } }));
        expect(problem).toMatchObject({ status: 403, code: "user_not_yours" });
        expect(problem.detail).toMatch(/entity that created the user.*lenders/);
      }
    }
    const import_ = { id: ana, loan_type: "default", principal: "1", opened_on: businessDay(service) };
    expect((await raw("importCredit", { body: import_ })).status).toBe(403);
    expect(await balance()).toBe(0);
    expect((await ours.client.addQuota({ body: terms(1) })).status).toBe(200);
  });

  it("is open to those who are named, and to nobody else, from the next posting on", async () => {
    const third = await service.anEntity("Third");
    await openToLenders([ours], [third.entityId]);
    expect(await outcomeOf(1)).toBe("user_not_yours");
    await openToLenders([ours], [third.entityId, theirs.entityId]);
    expect(await outcomeOf(1)).toBe("done");
    await openToLenders([ours], []);
    expect(await outcomeOf(1)).toBe("user_not_yours");
    await openToLenders([ours]);
    expect(await outcomeOf(1)).toBe("done");
    expect(await balance()).toBe(2);
  });

  it("opens a door of the user's own entity only: whom a lender names for its own users does not matter", async () => {
    await openToLenders([theirs]);
    expect(await outcomeOf(1)).toBe("user_not_yours");
  });

  it("stays closed to all while foreign_lenders is none, as it was before there were lenders", async () => {
    await openToLenders([ours]);
    await ours.client.putEntitySettings({ body: { foreign_lenders: "none" } });
    const problem = await problemOf(await raw("addQuota", { body: terms("9999999999999") }));
    expect(problem).toMatchObject({ status: 403, code: "user_not_yours" });
    expect(problem.detail).toContain("foreign_lenders");
    await ours.client.putEntitySettings({ body: { foreign_lenders: "principal" } });
    expect(await outcomeOf(1)).toBe("done");
  });

  it("is taken back by the lender also after it was shut out", async () => {
    await openToLenders([ours], [theirs.entityId]);
    await outcomeOf(5);
    await openToLenders([ours], []);
    const { body } = await theirs.client.dischargeQuota({ body: { id: ana, amount: "5" } });
    expect(body.repaid_principal).toBe("5");
  });
});

describe("the ceiling of foreign quota", () => {
  it("is for a grant, whatever the loan type, and none for the user's own entity", async () => {
    await openToLenders([ours]);
    const deposit = { loan_type: "deposit" };
    expect([await outcomeOf(GRANT_CEILING), await outcomeOf(GRANT_CEILING, deposit)]).toEqual(["done", "done"]);
    expect([await outcomeOf(GRANT_CEILING + 0.01), await outcomeOf(GRANT_CEILING + 0.01, deposit)]).toEqual([
      ...["balance_limit", "balance_limit"],
    ]);
    expect((await ours.client.addQuota({ body: terms(GRANT_CEILING + 0.01) })).status).toBe(200);
  });

  it("leaves room for payments, however many grants come at once, of however many lenders", async () => {
    await openToLenders([ours]);
    await ours.client.addQuota({ body: terms(BALANCE_CEILING - 5 * GRANT_CEILING) });
    const lenders = [theirs, await service.anEntity("Second"), await service.anEntity("Third")];
    const grants = times(30, (n) => lenders[n % 3]?.client.addQuota({ body: terms(GRANT_CEILING) }));
    const outcomes = await Promise.allSettled(grants);
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(6);
    expect(await balance()).toBe(BALANCE_CEILING + GRANT_CEILING);
    const payer = (await aUser(ours, { quota: 8_000_000_000_000 })).id;
    const paying = { amount: 8_000_000_000_000, from_user_id: payer, to_user_id: ana };
    expect((await ours.client.createTransaction({ body: paying })).body.status).toBe("approved");
    await expectSoundBooks(service);
  });

  it("tells nothing of a balance below it, whatever amounts are tried", async () => {
    await openToLenders([ours]);
    const amounts = [1, GRANT_CEILING, GRANT_CEILING + 1, 5_000_000_000_000, 9_999_999_999_999];
    const tried = async () => {
      const answers = amounts.map((amount) => raw("previewAddQuota", { body: terms(amount) }));
      return (await Promise.all(answers)).map(({ status }) => status);
    };
    const before = await tried();
    await ours.client.addQuota({ body: terms(BALANCE_CEILING) });
    expect(await tried()).toEqual(before);
  });
});
