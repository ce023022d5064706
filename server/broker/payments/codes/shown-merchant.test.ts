import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { aBroker, anOrder, type PersonClient, type TestBroker } from "../../../../test/support/broker.ts";

let broker: TestBroker;
let ana: PersonClient;
beforeAll(async () => {
  broker = await aBroker();
  ana = await broker.as("payer");
});
afterAll(() => broker.stop());

/** Gives the demo's merchant, which is paid as the user Café La Esquina, that name. */
async function nameMerchant(name: string): Promise<void> {
  await broker.sql`update broker.merchants set name = ${name}`;
}

async function payloadOf(session: string): Promise<string> {
  return (await broker.widget(session).widgetSession({})).body.payload;
}

/** Opens and confirms the approval of a new order; returns both answers, and the movement of the history. */
async function aPayment() {
  const { session } = await anOrder(broker);
  const opened = (await ana.openApproval({ body: { payload: await payloadOf(session) } })).body;
  const { id, payee, amount, reference = "" } = opened;
  const paid = (await ana.confirmApproval({ params: { id }, body: { payee, amount, reference, demo: true } })).body;
  const [movement] = (await ana.myHistory({ query: { limit: "1" } })).body;
  return { opened, paid, movement };
}

describe("a payment of a merchant's session", () => {
  it("tells the payer the name of the merchant beside that of its user, from the scan to the history", async () => {
    await nameMerchant("Mi Tienda");
    const { session } = await anOrder(broker);
    const scan = (await ana.createScan({ body: { payload: await payloadOf(session) } })).body;
    expect(scan).toMatchObject({ payee: "Café La Esquina", merchant: "Mi Tienda" });
    const { opened, paid, movement } = await aPayment();
    expect(opened).toMatchObject({ state: "open", payee: "Café La Esquina", merchant: "Mi Tienda" });
    expect(paid).toMatchObject({ state: "approved", payee: "Café La Esquina", merchant: "Mi Tienda" });
    expect(movement).toMatchObject({
      ...{ reference: opened.reference, counterparty: "Café La Esquina", merchant: "Mi Tienda" },
    });
  });

  it("tells one name where both are the same", async () => {
    await nameMerchant("Café La Esquina");
    const { opened, paid, movement } = await aPayment();
    for (const told of [opened, paid, movement]) expect(told).not.toHaveProperty("merchant");
  });
});

it("a payment of the same user's own code, and money received, name no merchant", async () => {
  await nameMerchant("Mi Tienda");
  const shop = await broker.as("merchant");
  const { payload } = (await shop.createMyQr({ body: { amount: 700 } })).body;
  const { id, payee, amount, reference = "", ...opened } = (await ana.openApproval({ body: { payload } })).body;
  expect(opened).not.toHaveProperty("merchant");
  await ana.confirmApproval({ params: { id }, body: { payee, amount, reference, demo: true } });
  await aPayment();
  const received = (await shop.myReceived({ query: { limit: "2" } })).body;
  expect(received).toHaveLength(2);
  for (const movement of received) expect(movement).not.toHaveProperty("merchant");
});
