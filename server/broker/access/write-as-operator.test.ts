import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { brokerContract } from "../../../src/contract/broker/broker.ts";
import { asOperator, type OperatorClient } from "../../../test/support/as-operator.ts";
import { aBroker, SHOP_ORIGIN, type TestBroker } from "../../../test/support/broker.ts";
import { lockWaits } from "../../../test/support/held-transaction.ts";
import { type AnotherOperator, anotherOperator } from "../../../test/support/second-operator.ts";
import type { Policy } from "./policy/policy.ts";
import { policy } from "./policy/policy.ts";

/** The rows of operators that write, but for the end of one's own session. */
const WRITING = Object.keys(policy.operator).filter(
  (name) => brokerContract[name as keyof Policy["operator"]].method !== "GET" && name !== "signOut",
);

let broker: TestBroker;
let admin: OperatorClient;
let merchantId: string;
let changeId: string;
let enrolmentId: string;

beforeAll(async () => {
  broker = await aBroker();
  admin = await asOperator(broker);
  await anotherOperator(broker, "admin");
  const body = { name: "Nueva", user_id: broker.shop.id, origins: [SHOP_ORIGIN], sells_top_ups: true };
  const made = (await admin.createMerchant({ body })).body;
  merchantId = made.id;
  changeId = made.change?.id ?? "";
  enrolmentId = (await admin.createEnrolment({ body: { user_id: broker.ana.id } })).body.id;
  await admin.freezePerson({ params: { user_id: broker.shop.id } });
});
afterAll(() => broker.stop());

/** A request of each that would be carried out. */
const CALLS: Readonly<Record<string, (operator: OperatorClient) => Promise<unknown>>> = {
  createMerchant: (operator) => operator.createMerchant({ body: { name: "Mine", user_id: broker.shop.id } }),
  changeMerchant: (operator) => operator.changeMerchant({ params: { id: merchantId }, body: { name: "Mine" } }),
  rotateMerchantKey: (operator) =>
    operator.rotateMerchantKey({ params: { id: merchantId }, body: { kind: "publishable" } }),
  disableMerchant: (operator) => operator.disableMerchant({ params: { id: merchantId } }),
  agreeToMerchantChange: (operator) => operator.agreeToMerchantChange({ params: { id: changeId } }),
  withdrawMerchantChange: (operator) => operator.withdrawMerchantChange({ params: { id: changeId } }),
  createEnrolment: (operator) => operator.createEnrolment({ body: { user_id: broker.ben.id } }),
  showEnrolmentCode: (operator) => operator.showEnrolmentCode({ params: { id: enrolmentId } }),
  agreeToEnrolment: (operator) => operator.agreeToEnrolment({ params: { id: enrolmentId } }),
  withdrawEnrolment: (operator) => operator.withdrawEnrolment({ params: { id: enrolmentId } }),
  freezePerson: (operator) => operator.freezePerson({ params: { user_id: broker.ben.id } }),
  unfreezePerson: (operator) => operator.unfreezePerson({ params: { user_id: broker.shop.id } }),
};

/** Returns the error code of a request whose operator is shut out after it was authenticated. */
async function heldCode(name: string, { client, id }: AnotherOperator): Promise<unknown> {
  let answered: Promise<unknown> = Promise.resolve();
  await broker.sql.begin(async (tx) => {
    await tx`update broker.people set disabled_at = now() where id = ${id}`;
    let isAnswered = false;
    answered = (CALLS[name]?.(client) ?? Promise.resolve()).then(
      () => "carried out",
      (error: { readonly code: unknown }) => error.code,
    );
    answered.finally(() => {
      isAnswered = true;
    });
    const isHeld = async () => isAnswered || (await lockWaits(broker.sql)) > 0;
    await expect.poll(isHeld).toBe(true);
  });
  return answered;
}

describe("an operator who is shut out while a request of theirs is under way", () => {
  it("is tried with each row that writes", () => {
    expect(Object.keys(CALLS).toSorted()).toEqual(WRITING.toSorted());
  });

  it.each(WRITING)("has no %s carried out", async (name) => {
    const operator = await anotherOperator(broker, "admin");
    expect(await heldCode(name, operator)).toBe("unauthorized");
    const records = await broker.sql<{ outcome: string }[]>`
      select outcome from broker.audit_records where principal_id = ${operator.id} and outcome <> 'unauthorized'`;
    expect(records).toEqual([]);
  });
});

describe("the audit of what operators were refused", () => {
  const refusals = async (id: string) => {
    const rows = await broker.sql<{ action: string; outcome: string; facts: string }[]>`
      select action, outcome, facts from broker.audit_records where principal_id = ${id} order by id`;
    return rows.map(({ action, outcome, facts }) => `${action}: ${outcome} ${facts}`);
  };
  const codeOf = (call: Promise<unknown>) => call.catch((error: { readonly code: string }) => error.code);

  it("has each phone or nit of nobody, and as much of what came too often as the limit keeps", async () => {
    const { client, id } = await anotherOperator(broker, "clerk");
    const codes: unknown[] = [];
    for (let n = 0; n < 40; n++) {
      codes.push(await codeOf(client.createEnrolment({ body: { phone: `30099900${n + 10}` } })));
    }
    const missed = codes.filter((code) => code === "user_not_found").length;
    expect(codes.filter((code) => code === "too_many_requests")).toHaveLength(40 - missed);
    const kept = await refusals(id);
    expect(kept.filter((line) => line === 'make enrolment: user_not_found {"by":"phone"}')).toHaveLength(missed);
    const tooMany = kept.filter((line) => line === 'make enrolment: too_many_requests {"by":"phone"}');
    expect(tooMany.length).toBeGreaterThanOrEqual(10);
    expect(tooMany.length).toBeLessThanOrEqual(12);
  });

  it("has each id of nobody, whom somebody wants to freeze or to make a merchant of", async () => {
    const { client, id } = await anotherOperator(broker, "admin");
    const user_id = "01890a5d-ac96-774b-bcce-b302099a8057";
    expect(await codeOf(client.freezePerson({ params: { user_id } }))).toBe("user_not_found");
    expect(await codeOf(client.unfreezePerson({ params: { user_id } }))).toBe("not_found");
    expect(await codeOf(client.createMerchant({ body: { name: "Mine", user_id } }))).toBe("user_not_found");
    expect(await refusals(id)).toEqual([
      "freeze person: user_not_found {}",
      "unfreeze person: not_found {}",
      `create merchant: user_not_found {"user_id":"${user_id}"}`,
    ]);
  });
});
