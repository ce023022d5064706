import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { aService, aUser, type TestEntity, type TestService } from "../support/service.ts";
import { type RawClient, rawClient, refusalOf } from "../support/service-calls.ts";

let service: TestService;
let one: TestEntity;
let two: TestEntity;
let raw: RawClient;

beforeAll(async () => {
  service = await aService();
  [one, two] = [await service.anEntity("One"), await service.anEntity("Two")];
  raw = await rawClient(service, one);
});
afterAll(() => service.stop());

/** Accounts that something was posted to, by name and counterparty: debit, credit, balance. */
async function figures(entity: TestEntity): Promise<Record<string, readonly string[]>> {
  const { body } = await entity.client.accounts({ query: {} });
  const moved = body.filter(({ debit, credit }) => debit !== "0" || credit !== "0");
  return Object.fromEntries(
    moved.map(({ account, counterparty, debit, credit, balance }) => [
      counterparty === undefined ? account : `${account} ${counterparty}`,
      [debit, credit, balance],
    ]),
  );
}

describe("accounts", () => {
  it("are the whole chart from the first day on, each with its normal side", async () => {
    const { body, nextCursor } = await one.client.accounts({ query: {} });
    expect(
      body.map(({ account, normal_side, debit, credit, balance }) => [account, normal_side, debit, credit, balance]),
    ).toEqual([
      ["user_quota", "credit", "0", "0", "0"],
      ["credits_receivable", "debit", "0", "0", "0"],
      ["interest_receivable", "debit", "0", "0", "0"],
      ["cash_clearing", "debit", "0", "0", "0"],
      ["losses", "debit", "0", "0", "0"],
      ["recoveries", "credit", "0", "0", "0"],
      ["interest_income", "credit", "0", "0", "0"],
    ]);
    expect(nextCursor).toBeUndefined();
  });

  it("add up what was posted: assignments, payments between entities, payouts", async () => {
    const [payer, payee] = [await aUser(one, { quota: 1_000.5 }), await aUser(two)];
    const pay = { amount: 400.25, from_user_id: payer.id, to_user_id: payee.id };
    await one.client.createTransaction({ body: pay });
    await two.client.createTransaction({ body: { amount: 100, from_user_id: payee.id, to_user_id: payer.id } });
    await two.client.dischargeQuota({ body: { id: payee.id, amount: "50" } });
    expect(await figures(one)).toEqual({
      user_quota: ["400.25", "1100.5", "700.25"],
      credits_receivable: ["1000.5", "0", "1000.5"],
      "due_to Two": ["0", "400.25", "400.25"],
      "due_from Two": ["100", "0", "100"],
    });
    expect(await figures(two)).toEqual({
      user_quota: ["150", "400.25", "250.25"],
      cash_clearing: ["0", "50", "-50"],
      "due_to One": ["0", "100", "100"],
      "due_from One": ["400.25", "0", "400.25"],
    });
  });

  it("have debits and credits of the same sum, and name no other entity's figures", async () => {
    for (const entity of [one, two]) {
      const { body } = await entity.client.accounts({ query: {} });
      const sum = (side: "debit" | "credit") => body.reduce((total, each) => total + Number(each[side]), 0);
      expect(sum("debit")).toBe(sum("credit"));
      expect(sum("debit")).toBeGreaterThan(0);
      const other = entity === one ? two : one;
      const counterparties = body.flatMap(({ counterparty_id }) => counterparty_id ?? []);
      expect(new Set(counterparties)).toEqual(new Set([other.entityId]));
    }
  });

  it("go page by page, in the order of the chart", async () => {
    const { body: whole } = await one.client.accounts({ query: {} });
    const pages = [];
    let cursor: string | undefined;
    do {
      const page = await one.client.accounts({ query: { limit: "4", cursor } });
      pages.push(page.body);
      cursor = page.nextCursor;
    } while (cursor !== undefined && pages.length < 10);
    expect(pages.map((page) => page.length)).toEqual([4, 4, 1]);
    expect(pages.flat()).toEqual(whole);
  });

  it("refuse what they cannot understand", async () => {
    const wrong = { limit: "x", "changed-since": "x", page: "1" };
    expect(await refusalOf(await raw("accounts", { query: wrong }))).toEqual([
      "invalid_request",
      ...["changed-since", "limit", "page"],
    ]);
    for (const cursor of ["x", Buffer.from("losses'--").toString("base64url")]) {
      expect(await refusalOf(await raw("accounts", { query: { cursor } }))).toEqual(["invalid_cursor"]);
    }
  });
});
