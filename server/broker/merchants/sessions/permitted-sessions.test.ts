import { v7 } from "uuid";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createClient } from "../../../../src/client.ts";
import { merchantContract } from "../../../../src/contract/broker/broker.ts";
import type { MerchantWithKeys } from "../../../../src/contract/broker/operator-merchants.ts";
import { asOperator, type OperatorClient } from "../../../../test/support/as-operator.ts";
import { aBroker, ORIGIN, SHOP_ORIGIN, type TestBroker } from "../../../../test/support/broker.ts";
import { type AnotherOperator, anotherOperator } from "../../../../test/support/second-operator.ts";
import { aTill, topUpsSent } from "../../../../test/support/till.ts";

let broker: TestBroker;
let admin: OperatorClient;
let second: AnotherOperator;
/** A merchant that an operator made of Ana's user, who knows nothing of it. */
let made: MerchantWithKeys;
beforeAll(async () => {
  broker = await aBroker({ wait: async () => undefined });
  admin = await asOperator(broker);
  second = await anotherOperator(broker, "admin");
});
afterAll(() => broker.stop());
beforeEach(async () => {
  const body = { name: "Nueva", user_id: broker.ana.id, origins: [SHOP_ORIGIN] };
  made = (await admin.createMerchant({ body })).body;
});

function backend() {
  const headers = () => ({ authorization: `Bearer ${made.server_key}` });
  return createClient(merchantContract, { baseUrl: ORIGIN, fetch: broker.fetch, headers });
}

/** Changes the merchant, which a second admin agrees to where that is needed. */
async function change(body: Parameters<OperatorClient["changeMerchant"]>[0]["body"]): Promise<void> {
  const { change: asked } = (await admin.changeMerchant({ params: { id: made.id }, body })).body;
  if (asked !== null) await second.client.agreeToMerchantChange({ params: { id: asked.id } });
}

const startTill = () => aTill({ ...broker, merchant: backend() }, { till: v7(), max_amount: 400_000 });
const stateOf = async (session_id: string) => (await backend().sessionStatus({ params: { session_id } })).body.state;

describe("a merchant that was not told to sell top-ups", () => {
  it("starts no till, whoever's user it is, and hears what would allow it", async () => {
    const before = await topUpsSent(broker);
    const refusal: unknown = await startTill().catch((error: unknown) => error);
    const command = `npm run merchant -- change ${made.id} --sells-top-ups`;
    const detail = `This merchant may not sell top-ups: an operator allows it by ${command}.`;
    expect(refusal).toMatchObject({ code: "not_allowed", detail });
    expect(await topUpsSent(broker)).toBe(before);
  });

  it("sells once it may, and no more from the moment that it may not", async () => {
    await change({ sells_top_ups: true });
    const till = await startTill();
    const handle = await till.find();
    expect((await till.sell(handle, 1_000)).body.state).toBe("approved");
    const before = await topUpsSent(broker);
    await change({ sells_top_ups: false });
    for (const attempt of [till.shown, till.find, () => till.sell(handle, 1_000)]) {
      await expect(attempt()).rejects.toMatchObject({ code: "unauthorized" });
    }
    expect([await stateOf(till.id), await topUpsSent(broker)]).toEqual(["cancelled", before]);
    await expect(startTill()).rejects.toMatchObject({ code: "not_allowed" });
  });

  it("has no till again that was stopped, by a power or an origin, when it has both back", async () => {
    await change({ sells_top_ups: true });
    for (const [off, on] of [
      [{ sells_top_ups: false }, { sells_top_ups: true }],
      [{ origins: ["https://other.example"] }, { origins: [SHOP_ORIGIN] }],
    ]) {
      const till = await startTill();
      const handle = await till.find();
      await change(off ?? {});
      await change(on ?? {});
      for (const attempt of [till.shown, till.find, () => till.sell(handle, 1_000)]) {
        await expect(attempt()).rejects.toMatchObject({ code: "unauthorized" });
      }
      expect(await stateOf(till.id)).toBe("cancelled");
      expect((await (await startTill()).shown()).kind).toBe("recharge");
    }
  });

  it("was let or stopped by somebody, whom the audit names", async () => {
    await change({ sells_top_ups: true });
    await change({ sells_top_ups: false });
    const records = await broker.sql<{ facts: string }[]>`
      select facts from broker.audit_records where subject = ${made.id} and principal_kind = 'operator' order by id`;
    const said = records.map(({ facts }) => JSON.parse(facts));
    expect(said).toMatchObject([{}, { asked: "sells_top_ups" }, { sells_top_ups: false }]);
    const agreed = await broker.sql<{ principal_id: string }[]>`
      select principal_id from broker.audit_records
      where action = 'agree to merchant change' and outcome = 'done' order by id desc limit 1`;
    expect(agreed).toEqual([{ principal_id: second.id }]);
  });
});

describe("a merchant that is first-party no more", () => {
  it("shows nobody whom it showed as such, and goes on with those who granted it", async () => {
    await change({ first_party: true });
    const grant = (
      await (await broker.as("other")).createGrant({ body: { merchant_id: made.id, proof: { demo: true } } })
    ).body.id;
    const start = async (fields: object) =>
      (await backend().createSession({ body: { kind: "quota", origin: SHOP_ORIGIN, ...fields } })).body;
    const [shown, granted] = [await start({ user: broker.shop.id }), await start({ grant })];
    expect((await broker.quotaPage(shown.session).widgetSession({})).body.kind).toBe("quota");
    await change({ first_party: false });
    await expect(broker.quotaPage(shown.session).widgetSession({})).rejects.toMatchObject({ code: "unauthorized" });
    expect((await broker.quotaPage(granted.session).widgetSession({})).body.kind).toBe("quota");
    expect([await stateOf(shown.session_id), await stateOf(granted.session_id)]).toEqual(["cancelled", "open"]);
  });
});
