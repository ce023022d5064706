import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { asOperator, type OperatorClient } from "../../../../test/support/as-operator.ts";
import { aBroker, SHOP_ORIGIN, type TestBroker } from "../../../../test/support/broker.ts";
import { anotherOperator } from "../../../../test/support/second-operator.ts";
import { aUser } from "../../../../test/support/service.ts";
import { NOBODY } from "../../../../test/support/service-calls.ts";
import { setPowers } from "../../../../test/support/set-powers.ts";

let broker: TestBroker;
let operator: OperatorClient;
let foreign: { readonly id: string; readonly nit: string; readonly phone: string };

beforeAll(async () => {
  broker = await aBroker();
  operator = await asOperator(broker);
  // The operator to whom the codes of links are shown.
  await anotherOperator(broker, "clerk");
  foreign = await aUser(await broker.service.anEntity("Other"), { name: "Luz Foránea", quota: 900 });
});
afterAll(() => broker.stop());

/** The content of a refusal, without the fields that differ from call to call. */
async function refusalOf(call: Promise<unknown>): Promise<unknown> {
  return call.then(
    () => "done",
    ({ code, detail, faults }) => ({ code, detail, faults }),
  );
}

describe("a user of another entity", () => {
  it("is enrolled by no operator, and told of as one that is not there", async () => {
    const unknown = await refusalOf(operator.createEnrolment({ body: { user_id: NOBODY } }));
    expect(unknown).toMatchObject({ code: "user_not_found" });
    const { id, nit, phone } = foreign;
    for (const body of [{ user_id: id }, { nit }, { phone }]) {
      expect(await refusalOf(operator.createEnrolment({ body }))).toEqual(unknown);
    }
    expect(JSON.stringify((await operator.operatorEnrolments({})).body)).not.toContain("Foránea");
    expect(await broker.sql`select from broker.people where user_id = ${id}`).toHaveLength(0);
  });

  it("becomes no merchant", async () => {
    const unknown = await refusalOf(operator.createMerchant({ body: { name: "Shop", user_id: NOBODY } }));
    expect(await refusalOf(operator.createMerchant({ body: { name: "Shop", user_id: foreign.id } }))).toEqual(unknown);
    expect(unknown).toMatchObject({ code: "user_not_found" });
    expect(await broker.sql`select from broker.merchants where user_id = ${foreign.id}`).toHaveLength(0);
  });

  it("is shown on no first-party page, as one that is not there", async () => {
    await setPowers(broker, { firstParty: true });
    const ask = (user: string) => broker.merchant.createSession({ body: { kind: "quota", origin: SHOP_ORIGIN, user } });
    expect((await ask(broker.ben.id)).body.session).toMatch(/^ws_/);
    const unknown = await refusalOf(ask(NOBODY));
    expect(unknown).toMatchObject({ code: "invalid_request" });
    expect(await refusalOf(ask(foreign.id))).toEqual(unknown);
  });

  it("is still looked up and paid by the broker's own people", async () => {
    const ana = await broker.as("payer");
    const { handle } = (await ana.lookUp({ body: { phone: foreign.phone } })).body;
    const { id, payee, amount } = (await ana.openApproval({ body: { handle, amount: 7_000 } })).body;
    const { body } = await ana.confirmApproval({ params: { id }, body: { payee, amount, demo: true } });
    expect(body.state).toBe("approved");
    const [transfer] = (await ana.myTransfers({ query: {} })).body;
    expect(transfer).toMatchObject({ direction: "sent", amount: 7_000, counterparty: "Luz F." });
  });
});
