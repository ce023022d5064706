import { afterAll, beforeAll, expect, it } from "vitest";
import { aBroker, anOrder, type TestBroker } from "../../../../test/support/broker.ts";

const DAY_SECONDS = 24 * 60 * 60;

let broker: TestBroker;
beforeAll(async () => {
  broker = await aBroker();
});
afterAll(() => broker.stop());

async function pay(session: string): Promise<void> {
  const ana = await broker.as("payer");
  const { payload } = (await broker.widget(session).widgetSession({})).body;
  const { id, payee, amount, reference = "" } = (await ana.openApproval({ body: { payload } })).body;
  await ana.confirmApproval({ params: { id }, body: { payee, amount, reference, demo: true } });
}

async function left(): Promise<ReadonlySet<string>> {
  const rows = await broker.sql<{ id: string }[]>`select id from broker.widget_sessions`;
  return new Set(rows.map(({ id }) => id));
}

it("forgets payment sessions 91 days after their code expired unpaid, and keeps those that were paid", async () => {
  const orders = [await anOrder(broker), await anOrder(broker), await anOrder(broker), await anOrder(broker)] as const;
  const [paid, , forgotten, cancelled] = orders;
  await pay(paid.session);
  await broker.merchant.cancelSession({ params: { session_id: cancelled.session_id } });
  await broker.service.sql`delete from service.qr_reservations where reference = ${forgotten.reference}`;
  for (const order of orders) {
    const [{ merchant_id = "" } = {}] = await broker.sql<{ merchant_id: string }[]>`
      select merchant_id from broker.widget_sessions where id = ${order.session_id}`;
    await broker.sql`
      insert into broker.merchant_events (id, merchant_id, session_id, type, refunded_amount, created_at, state,
        next_attempt_at)
      values (gen_random_uuid(), ${merchant_id}, ${order.session_id},
        ${order === paid ? "payment.paid" : "payment.expired"}, 0, now(), 'delivered', now())`;
  }
  broker.advance(90 * DAY_SECONDS);
  await broker.reconcilePending();
  expect((await left()).size).toBe(4);
  broker.advance(2 * DAY_SECONDS);
  await broker.reconcilePending();
  expect(await left()).toEqual(new Set([paid.session_id]));
  expect(await broker.sql`select type from broker.merchant_events`).toEqual([{ type: "payment.paid" }]);
  expect(await broker.sql`select is_kept from broker.widget_sessions`).toEqual([{ is_kept: true }]);
  const again = await broker.merchant.sessionStatus({ params: { session_id: paid.session_id } });
  expect(again.body.state).toBe("paid");
});
