import { v7 } from "uuid";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { asOperator, type OperatorClient } from "../../../test/support/as-operator.ts";
import { aBroker, anOrder, ownPage, type TestBroker } from "../../../test/support/broker.ts";
import { type HeldRequest, holdRequest } from "../../../test/support/held-request.ts";
import { silentLog } from "../../../test/support/silent-log.ts";
import { aTill, fundShop, topUpsSent } from "../../../test/support/till.ts";
import { type Listening, listen } from "../../http/listen.ts";
import { lockPayer } from "./hold-person.ts";

let broker: TestBroker;
let operator: OperatorClient;
let listening: Listening;

beforeAll(async () => {
  broker = await aBroker();
  operator = await asOperator(broker);
  await broker.sql`update broker.merchants set sells_top_ups = true`;
  await fundShop(broker);
  listening = await listen(broker.app, { host: "127.0.0.1", port: 0, log: silentLog, newRequestId: () => v7() });
});
afterAll(async () => {
  await listening.close(1_000);
  await broker.stop();
});

const unauthorized = { status: 401, body: { code: "unauthorized" } };

function hold(path: string, headers: Readonly<Record<string, string>>, body: unknown): Promise<HeldRequest> {
  return holdRequest(`http://localhost:${listening.port}${path}`, { headers, body });
}

const retireKeys = () => broker.sql`update broker.widget_sessions set ended_at = now() where kind = 'recharge'`;
const freezeShop = () => operator.freezePerson({ params: { user_id: broker.shop.id } });
const unfreezeShop = () => operator.unfreezePerson({ params: { user_id: broker.shop.id } });
const setMerchants = async (isSelling: boolean, disabledAt: Date | null) => {
  await broker.sql`update broker.merchants set sells_top_ups = ${isSelling}, disabled_at = ${disabledAt}`;
};

/** Each way to stop a till, and the way back. */
const STOPS: readonly (readonly [string, () => Promise<unknown>, () => Promise<unknown>])[] = [
  ["may sell no more", () => setMerchants(false, null), () => setMerchants(true, null)],
  ["is disabled", () => setMerchants(true, new Date()), () => setMerchants(true, null)],
  ["lost its key", retireKeys, async () => undefined],
  ["is frozen", freezeShop, unfreezeShop],
];

/** Starts work, waits until it waits for the payer's lock, and runs `meanwhile` before the lock is free. */
async function whilePayerIsLocked<T>(userId: string, start: () => Promise<T>, meanwhile: () => Promise<unknown>) {
  const started = await broker.sql.begin(async (tx) => {
    await lockPayer(tx, userId);
    const work = start().catch((error: unknown) => error);
    await vi.waitFor(async () => {
      const waiting = await broker.sql`
        select from pg_stat_activity where datname = current_database() and wait_event = 'advisory'`;
      expect(waiting).toHaveLength(1);
    });
    await meanwhile();
    return { work };
  });
  return started.work;
}

describe("a sale of a till whose merchant", () => {
  it.each(STOPS)("%s is not carried out where its body came before that only in part", async (_name, stop, back) => {
    const till = await aTill(broker);
    const [handle, before] = [await till.find(), await topUpsSent(broker)];
    const headers = { authorization: `Bearer ${till.session}`, "idempotency-key": v7() };
    const held = await hold("/v1/recharges", headers, { handle, amount: 1_000 });
    await stop();
    expect(await held.finish()).toMatchObject(unauthorized);
    expect(await topUpsSent(broker)).toBe(before);
    await back();
  });

  it.each(STOPS.slice(0, 3))("%s is not carried out where it waits for its turn", async (_name, stop, back) => {
    const till = await aTill(broker);
    const [handle, before] = [await till.find(), await topUpsSent(broker)];
    const sale = await whilePayerIsLocked(broker.shop.id, () => till.sell(handle, 1_000), stop);
    expect(sale).toMatchObject({ code: "unauthorized" });
    expect(await topUpsSent(broker)).toBe(before);
    await back();
  });
});

async function anApproval(cookie: string) {
  const { session } = await anOrder(broker);
  const { payload } = (await broker.widget(session).widgetSession({})).body;
  const opened = await broker.fetch("http://localhost:4000/v1/approvals", {
    method: "POST",
    headers: { ...ownPage(cookie), "content-type": "application/json" },
    body: JSON.stringify({ payload }),
  });
  const { id, payee, amount, reference } = (await opened.json()) as Record<string, string>;
  const body = { payee, amount, reference, demo: true };
  const stateOf = async () => (await broker.sql`select state from broker.approvals where id = ${id ?? ""}`)[0]?.state;
  return { path: `/v1/approvals/${id}/confirm`, body, stateOf };
}

const endSessions = () => broker.sql`update broker.sign_in_sessions set ended_at = now() where ended_at is null
  and person_id = (select id from broker.people where demo_name = 'payer')`;

describe("a request of a person", () => {
  it("whose session ended while its body was held is not answered", async () => {
    const cookie = await broker.signIn("payer");
    const approval = await anApproval(cookie);
    const held = await Promise.all([
      hold(approval.path, ownPage(cookie), approval.body),
      hold("/v1/look-ups", ownPage(cookie), { phone: broker.ben.phone }),
      hold("/v1/me/qr", ownPage(cookie), {}),
    ]);
    await endSessions();
    for (const one of held) expect(await one.finish()).toMatchObject(unauthorized);
    expect(await approval.stateOf()).toBe("open");
  });

  it("whose session ended while the payment waited for its turn pays nothing", async () => {
    const cookie = await broker.signIn("payer");
    const { path, body, stateOf } = await anApproval(cookie);
    const confirm = async () => {
      const headers = { ...ownPage(cookie), "content-type": "application/json" };
      const url = `http://localhost:4000${path}`;
      return (await broker.fetch(url, { method: "POST", headers, body: JSON.stringify(body) })).status;
    };
    expect(await whilePayerIsLocked(broker.ana.id, confirm, endSessions)).toBe(401);
    expect(await stateOf()).toBe("open");
  });
});
