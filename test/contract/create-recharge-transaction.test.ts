import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { aService, aUser, type TestEntity, type TestService } from "../support/service.ts";
import { expectSoundBooks, NOBODY, type RawClient, rawClient, refusalOf, standing } from "../support/service-calls.ts";

const REFERENCE = /^[0-9A-HJKMNP-TV-Z]{13}$/;

let service: TestService;
let fintech: TestEntity;
let other: TestEntity;
let raw: RawClient;
let point: string;
let ana: string;

beforeAll(async () => {
  service = await aService();
  [fintech, other] = [await service.anEntity(), await service.anEntity("Other")];
  raw = await rawClient(service, fintech);
  point = (await aUser(fintech, { name: "Tienda La Ñ", quota: 1_000 })).id;
  ana = (await aUser(other, { name: "Ana" })).id;
});
afterAll(() => service.stop());

const sell = async (changes: object = {}) =>
  raw("createRechargeTransaction", { body: { amount: 10, from_user_id: point, to_user_id: ana, ...changes } });

describe("create-recharge-transaction", () => {
  it("moves the top-up from the point that sells it to the user who receives it, of any entity", async () => {
    const details = { phone: "3001234567", operator: "x" };
    const response = await sell({ amount: 250.75, date: "2026-01-31", details, from_user: "TIENDA LA N" });
    expect(response.status).toBe(201);
    const sold = await response.json();
    expect(sold).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/),
      reference: expect.stringMatching(REFERENCE),
      kind: "recharge",
      status: "approved",
      amount: 250.75,
      currency: "COP",
      date: "2026-01-31T05:00:00.000Z",
      created_at: expect.any(String),
      details,
      from_user: "Tienda La Ñ",
      from_user_id: point,
      to_user: "Ana",
      to_user_id: ana,
      from_balance_after: 749.25,
    });
    expect((await other.client.user({ query: { id: ana } })).body.quota).toBe(250.75);
    const { body: found } = await fintech.client.findTransactionByReference({ query: { reference: sold.reference } });
    expect(found).toEqual(sold);
    const query = { "user-id": ana, kind: "recharge" as const };
    expect((await other.client.receivedPayments({ query })).body.map(({ id }) => id)).toContain(sold.id);
    await expectSoundBooks(service);
  });

  it("rejects what the point does not have or the user cannot hold: 201, the reason, and nothing moves", async () => {
    const before = (await fintech.client.user({ query: { id: point } })).body.quota;
    const short = await (await sell({ amount: 5_000 })).json();
    expect(short).toMatchObject({ kind: "recharge", status: "rejected", reason: "insufficient_balance" });
    expect(short).not.toHaveProperty("from_balance_after");
    const full = await aUser(fintech, { quota: 9_999_999_999_999.99 });
    const over = await (await sell({ to_user_id: full.id, amount: 0.01 })).json();
    expect(over).toMatchObject({ kind: "recharge", status: "rejected", reason: "balance_limit" });
    expect((await fintech.client.user({ query: { id: point } })).body.quota).toBe(before);
  });

  it("only records what the caller rejected: no reason, and nothing moves", async () => {
    const recorded = await (await sell({ status: "rejected" })).json();
    expect(recorded).toMatchObject({ kind: "recharge", status: "rejected" });
    expect(recorded).not.toHaveProperty("reason");
  });

  it("takes a payment code in its details for ordinary data: the QR stays payable", async () => {
    const { body: qr } = await fintech.client.createTransactionQr({ body: { amount: 10, to_user_id: ana } });
    const sold = await (await sell({ details: { qr: qr.payload } })).json();
    expect(sold).toMatchObject({ kind: "recharge", status: "approved", details: { qr: qr.payload } });
    expect(sold.reference).not.toBe(qr.reference);
    const { body } = await fintech.client.transactionQr({ query: { reference: qr.reference ?? "" } });
    expect(body.state).toBe("unpaid");
    expect((await sell({ details: { qr: "0002010005co.qp" } })).status).toBe(201);
  });

  it("refuses, in this order: faults, unknown users, another's point, names", async () => {
    const theirs = await aUser(other, { quota: 10 });
    const before = await standing(service);
    const wrong = { status: "pending", from_user_id: theirs.id, to_user_id: NOBODY, from_user: "Nobody" };
    const far = new Date(Date.now() + 25 * 3_600_000).toISOString();
    const faults = await sell({ ...wrong, date: far, to_user_id: theirs.id });
    expect(await refusalOf(faults)).toEqual(["invalid_request", "/date", "/to_user_id"]);
    expect(await refusalOf(await sell({ ...wrong, status: "reversed" }))).toEqual(["invalid_request", "/status"]);
    expect(await refusalOf(await sell(wrong))).toEqual(["user_not_found"]);
    const asked = { ...wrong, status: "approved" };
    expect(await refusalOf(await sell(asked))).toEqual(["user_not_found"]);
    expect(await refusalOf(await sell({ ...asked, from_user_id: NOBODY, to_user_id: ana }))).toEqual([
      "user_not_found",
    ]);
    expect(await refusalOf(await sell({ ...asked, to_user_id: ana }))).toEqual(["payer_not_yours"]);
    const names = { from_user: "Ana", to_user: "Tienda" };
    expect(await refusalOf(await sell(names))).toEqual(["name_mismatch", "/from_user", "/to_user"]);
    expect(await standing(service)).toEqual(before);
  });
});
