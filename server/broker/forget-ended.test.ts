import { afterAll, beforeAll, expect, it } from "vitest";
import { asOperator } from "../../test/support/as-operator.ts";
import {
  aBroker,
  anOrder,
  ORIGIN,
  ownPage,
  type PersonClient,
  SHOP_ORIGIN,
  type TestBroker,
} from "../../test/support/broker.ts";
import { anotherOperator } from "../../test/support/second-operator.ts";

const DAY = 24 * 60 * 60;

let broker: TestBroker;
let ana: PersonClient;
beforeAll(async () => {
  broker = await aBroker();
  ana = await broker.as("payer");
});
afterAll(() => broker.stop());

async function open(payload: string) {
  const { id, payee, reference = "", amount } = (await ana.openApproval({ body: { payload } })).body;
  return { params: { id }, body: { payee, reference, amount, demo: true as const } };
}

async function payloadOf(session: string): Promise<string> {
  return (await broker.widget(session).widgetSession({})).body.payload;
}

const TABLES = [
  "challenges",
  "enrolments",
  "sign_in_sessions",
  "approvals",
  "widget_sessions",
  "audit_records",
] as const;

async function counted(): Promise<Record<(typeof TABLES)[number], number>> {
  const counts = TABLES.map(async (name) => {
    const [row] = await broker.sql<{ count: number }[]>`select count(*)::int as count from broker.${broker.sql(name)}`;
    return [name, row?.count];
  });
  return Object.fromEntries(await Promise.all(counts));
}

it("forgets what is over, in its time, and keeps what money hung on and the audit", async () => {
  const order = await anOrder(broker);
  const payload = await payloadOf(order.session);
  await ana.openApproval({ body: { payload } });
  await ana.confirmApproval(await open(payload));
  const till = { kind: "recharge" as const, origin: SHOP_ORIGIN, max_amount: 50_000 };
  await broker.merchant.createSession({ body: till });
  const sold = broker.till((await broker.merchant.createSession({ body: till })).body.session);
  const { handle } = (await sold.lookUp({ body: { phone: broker.ben.phone } })).body;
  await sold.createRecharge({ body: { handle, amount: 1_000 } }, { idempotencyKey: "one" });
  const operator = await asOperator(broker);
  await anotherOperator(broker, "clerk");
  await operator.createEnrolment({ body: { user_id: broker.ben.id } });
  await broker.fetch(`${ORIGIN}/v1/sign-in/start`, { method: "POST", headers: ownPage("") });
  const before = await counted();
  expect(before).toMatchObject({ challenges: 1, enrolments: 1, approvals: 2, widget_sessions: 3 });

  await broker.reconcilePending();
  expect(await counted()).toEqual(before);
  broker.advance(2 * DAY);
  await broker.reconcilePending();
  expect(await counted()).toEqual({ ...before, challenges: 0 });
  expect(await broker.sql`select sealed_code from broker.enrolment_codes`).toEqual([{ sealed_code: null }]);
  broker.advance(30 * DAY);
  await broker.reconcilePending();
  const month = { ...before, challenges: 0, enrolments: 0, approvals: 1, widget_sessions: 2 };
  expect(await counted()).toEqual(month);
  broker.advance(30 * DAY);
  await broker.reconcilePending();
  expect(await counted()).toEqual({ ...month, sign_in_sessions: 0 });
  expect((await broker.merchant.sessionStatus({ params: { session_id: order.session_id } })).body.state).toBe("paid");
});
