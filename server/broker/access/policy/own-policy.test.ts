import { describe, expect, it } from "vitest";
import { ApiError } from "../../../../src/contract/shared/errors.ts";
import { grantOwn } from "./gate.ts";
import { ownPolicy } from "./own-policy.ts";
import { policy } from "./policy.ts";
import { POLICY_SCOPES } from "./policy-scopes.ts";
import type { Upstream } from "./upstream-calls.ts";

const [PAYER, OTHER, STRANGER] = ["the payer", "the payee", "a stranger"];

/** A service that answers every call with these records, and remembers what it was asked. */
function aServiceThatAnswers(body: unknown) {
  const asked: unknown[] = [];
  const call = async (name: string, fields: object, key?: string) => {
    asked.push({ name, ...fields, ...(key === undefined ? {} : { key }) });
    if (body instanceof Error) throw body;
    return { body };
  };
  return { upstream: { call } as unknown as Upstream, asked };
}

const receipt = { id: "id", reference: "reference", status: "approved" };
const sent = { ...receipt, from_user_id: PAYER, to_user_id: OTHER, details: {} };

describe("the broker itself", () => {
  it("pays from the user of the record alone, whatever the call names", async () => {
    const { upstream, asked } = aServiceThatAnswers({ ...receipt, from_balance_after: 5 });
    const named = { amount: 5, to_user_id: OTHER, from_user_id: STRANGER };
    const paid = await grantOwn(upstream, "payment", PAYER).createTransaction(named, "key");
    await grantOwn(upstream, "payment", PAYER).createLedgerTransaction(named, "key");
    await grantOwn(upstream, "sale", PAYER).createRechargeTransaction(named, "key");
    expect(paid.body).toEqual(receipt);
    const call = { amount: 5, to_user_id: OTHER, from_user_id: PAYER, key: "key" };
    expect(asked).toEqual([
      { name: "createTransaction", ...call },
      { name: "createLedgerTransaction", ...call },
      { name: "createRechargeTransaction", ...call },
    ]);
  });

  it("reads no payment between others", async () => {
    const own = grantOwn(aServiceThatAnswers([sent]).upstream, "payment", PAYER);
    expect((await own.transactionHistory({})).body).toEqual([{ ...receipt, details: {} }]);
    const { upstream } = aServiceThatAnswers([sent, { ...sent, from_user_id: STRANGER }]);
    const { transactionHistory, ledgerTransactionHistory } = grantOwn(upstream, "payment", PAYER);
    await expect(transactionHistory({})).rejects.toMatchObject({ code: "not_found" });
    await expect(ledgerTransactionHistory({})).rejects.toMatchObject({ code: "not_found" });
    const foreign = aServiceThatAnswers({ ...sent, from_user_id: STRANGER }).upstream;
    await expect(grantOwn(foreign, "payment", PAYER).reverseTransaction({})).rejects.toMatchObject({
      code: "not_found",
    });
    await expect(grantOwn(upstream, "sale", PAYER).transactionHistory({})).rejects.toMatchObject({ code: "not_found" });
  });

  it("takes no refusal for an outcome that its table does not name", async () => {
    const refusing = (code: ConstructorParameters<typeof ApiError>[0]) =>
      grantOwn(aServiceThatAnswers(new ApiError(code)).upstream, "payment", PAYER).createTransaction({}, "key");
    await expect(refusing("qr_expired")).rejects.toMatchObject({ code: "qr_expired" });
    await expect(refusing("balance_limit")).rejects.toMatchObject({ code: "upstream_failed" });
  });

  it("is the only sender of payments and sales, and has tokens for them", () => {
    const sending = ["createTransaction", "createLedgerTransaction", "reverseTransaction", "createRechargeTransaction"];
    const callers = Object.values(policy).flatMap((operations) => Object.values<object>(operations));
    expect(callers.flatMap(Object.keys).filter((name) => sending.includes(name))).toEqual([]);
    const sent = Object.entries(ownPolicy).map(([task, operations]) => [
      task,
      Object.keys(operations).filter((name) => sending.includes(name)),
    ]);
    expect(Object.fromEntries(sent)).toEqual({
      watch: [],
      freeze: [],
      payment: ["createTransaction", "createLedgerTransaction", "reverseTransaction"],
      refund: ["reverseTransaction"],
      sale: ["createRechargeTransaction"],
    });
    expect(POLICY_SCOPES).toEqual(["read", "pay", "users"]);
  });
});
