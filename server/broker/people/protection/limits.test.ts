import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { businessTime } from "../../../../src/business-time.ts";
import { addDays } from "../../../../src/calendar-day.ts";
import type { Approval } from "../../../../src/contract/broker/broker.ts";
import { aBroker, type PersonClient, type TestBroker } from "../../../../test/support/broker.ts";
import { aPasskeyDevice } from "../../../../test/support/passkey-device.ts";
import { aUser } from "../../../../test/support/service.ts";

let broker: TestBroker;
let ana: PersonClient;
let shop: PersonClient;
/** The shop's own code, to which anybody may pay any amount. */
let payload: string;
/** The demo's button. */
const proof = { demo: true } as const;

beforeAll(async () => {
  broker = await aBroker();
  [ana, shop] = [await broker.as("payer"), await broker.as("merchant")];
  payload = (await shop.createMyQr({ body: {} })).body.payload;
});
afterAll(() => broker.stop());

beforeEach(async () => {
  await broker.sql`delete from broker.own_limits`;
  await entityLimits({});
  // Another business day, on which nothing is spent yet.
  broker.advance(86_400);
});

async function entityLimits({ payment = null, day = null, first = null }: Record<string, number | null>) {
  await broker.sql`
    update broker.entity_rules set payment_limit = ${payment}, day_limit = ${day}, first_time_limit = ${first}`;
}

async function opened(amount: number, client = ana): Promise<Approval> {
  return (await client.openApproval({ body: { payload, amount } })).body;
}

function confirm({ id, payee, amount }: Approval) {
  return ana.confirmApproval({ params: { id }, body: { payee, amount, demo: true } });
}

async function pay(amount: number): Promise<Approval> {
  return (await confirm(await opened(amount))).body;
}

/** The first moment of the next business day. */
function nextDay(): string {
  const time = businessTime("America/Bogota");
  return time.startOf(addDays(time.dayOf(broker.options.clock()), 1)).toISOString();
}

const refused = { code: "passkey_refused" };
const over = (detail: string, exceededLimit: object = {}) => ({ code: "limit_exceeded", detail, exceededLimit });

describe("limits", () => {
  it("of the entity and of the person are told with what was spent today, and the lower one holds", async () => {
    await entityLimits({ payment: 500_000, day: 1_000_000 });
    const { body: none } = await ana.myLimits({});
    expect(none).toEqual({
      payment: { entity: 5_000, own: null },
      day: { entity: 10_000, own: null },
      first_time_payee: { entity: null, own: null },
      ...{ spent_today: 0, currency: "COP" },
    });
    await pay(4_000);
    const lowered = await ana.putMyLimits({ body: { payment: 2_000, first_time_payee: 9_000.5, proof } });
    expect(lowered.body).toMatchObject({
      payment: { entity: 5_000, own: 2_000 },
      first_time_payee: { entity: null, own: 9_000.5 },
      spent_today: 4_000,
    });
    const atOnce = { name: "personal_payment_limit", amount: 2_000, left: 2_000, until: null };
    await expect(pay(2_001)).rejects.toMatchObject(over("At once you may pay at most 2000 COP.", atOnce));
    await entityLimits({ payment: 100_000, day: 500_000 });
    await expect(pay(1_001)).rejects.toMatchObject(over("At once you may pay at most 1000 COP."));
    expect((await ana.myLimits({})).body.payment).toEqual({ entity: 1_000, own: 1_000 });
    await pay(1_000);
    const today = { name: "personal_daily_limit", amount: 5_000, left: 0, until: nextDay() };
    await expect(pay(1)).rejects.toMatchObject(over("Today you may still pay 0 COP.", today));
    broker.advance(86_400);
    expect((await pay(1)).state).toBe("approved");
    const above = ana.putMyLimits({ body: { payment: 1_001 } });
    await expect(above).rejects.toMatchObject({ code: "invalid_request", faults: [{ pointer: "/payment" }] });
  });

  it("of a new payee hold until enough was paid to it a day ago, and not for those who are known", async () => {
    await entityLimits({ first: 50_000 });
    const transfer = async (amount: number) => {
      const { handle } = (await ana.lookUp({ body: { phone: broker.ben.phone } })).body;
      return (await confirm((await ana.openApproval({ body: { handle, amount } })).body)).body;
    };
    const new_payee = (left: number, until: string | null) =>
      over(`To somebody new you may now pay at most ${left} COP.`, {
        name: "first_payee_limit",
        amount: 500,
        left,
        until,
      });
    await expect(transfer(501)).rejects.toMatchObject(new_payee(500, null));
    const kept = await broker.sql<{ facts: string }[]>`
      select facts from broker.audit_records where action = 'open approval' and outcome = 'limit_exceeded'
      order by id desc limit 1`;
    expect(JSON.parse(kept[0]?.facts ?? "")).toMatchObject({
      operation: "transfer",
      payee: broker.ben.id,
      amount: "50100",
    });
    expect((await transfer(1)).state).toBe("approved");
    const started = await broker.sql<
      { started_at: Date }[]
    >`select max(started_at) as started_at from broker.approvals`;
    const until = new Date((started[0]?.started_at.getTime() ?? 0) + 86_400_000).toISOString();
    await expect(transfer(500)).rejects.toMatchObject(new_payee(499, until));
    broker.advance(86_401);
    await expect(transfer(501)).rejects.toMatchObject(new_payee(500, null));
    expect((await transfer(499)).state).toBe("approved");
    await expect(transfer(2)).rejects.toMatchObject({ exceededLimit: { left: 1 } });
    broker.advance(86_401);
    expect((await transfer(501)).state).toBe("approved");
  });

  it("of a new payee count what was paid to it elsewhere, and not what it gave back", async () => {
    await entityLimits({ first: 50_000 });
    const { id: to_user_id, phone } = await aUser(broker.entity);
    const body = { amount: 500, from_user_id: broker.ana.id, to_user_id };
    const { id } = (await broker.entity.client.createTransaction({ body })).body;
    broker.advance(86_401);
    const open = async () => {
      const { handle } = (await ana.lookUp({ body: { phone } })).body;
      return ana.openApproval({ body: { handle, amount: 501 } });
    };
    expect((await open()).body).toMatchObject({ state: "open", first_time_payee: false });
    await broker.entity.client.reverseTransaction({ body: { id, amount: 1 } });
    await expect(open()).rejects.toMatchObject({ exceededLimit: { name: "first_payee_limit", left: 500 } });
  });

  it("of the day let through no more of twenty approvals at once than fit, and count what is under way", async () => {
    const approvals = await Promise.all(Array.from({ length: 20 }, () => opened(1_000)));
    await entityLimits({ day: 550_000 });
    const answers = await Promise.allSettled(approvals.map(confirm));
    const states = answers.map((answer) =>
      answer.status === "fulfilled" ? answer.value.body.state : answer.reason.code,
    );
    expect(states.toSorted()).toEqual([...Array(5).fill("approved"), ...Array(15).fill("limit_exceeded")]);
    expect((await ana.myLimits({})).body.spent_today).toBe(5_000);
    const last = await opened(500);
    await broker.sql`update broker.approvals set state = 'running', started_at = created_at where id = ${last.id}`;
    await expect(pay(1)).rejects.toMatchObject(over("Today you may still pay 0 COP."));
    // Asking again for the outcome of a payment makes no other payment.
    expect((await ana.approval({ params: { id: last.id } })).body.state).toBe("approved");
    expect((await confirm(last)).body.state).toBe("approved");
  });

  it("that were lowered between looking and approving hold, and leave the approval open", async () => {
    const approval = await opened(1_000);
    await ana.putMyLimits({ body: { payment: 999, proof } });
    await expect(confirm(approval)).rejects.toMatchObject({ code: "limit_exceeded" });
    expect((await ana.approval({ params: { id: approval.id } })).body.state).toBe("open");
    const kept = await broker.sql`
      select from broker.audit_records where subject = ${approval.id} and outcome = 'limit_exceeded'`;
    expect(kept.length).toBe(1);
  });

  it("do not keep anybody from giving money back", async () => {
    const paid = await pay(2_000);
    await entityLimits({ payment: 100, day: 100, first: 100 });
    const { body: refund } = await shop.openApproval({ body: { transaction_id: paid.transaction_id ?? "" } });
    const { id, payee, amount } = refund;
    const { body } = await shop.confirmApproval({ params: { id }, body: { payee, amount, demo: true } });
    expect(body.state).toBe("approved");
    expect((await shop.myLimits({})).body.spent_today).toBe(0);
  });
});

describe("one's own limits", () => {
  it("are raised and lifted only by whoever proves to be the person, while lowering needs nothing", async () => {
    await entityLimits({ payment: 500_000, day: 5_000_000 });
    const { client, prove } = await aPasskeyDevice(broker, "payer");
    await client.putMyLimits({ body: { payment: 1_000, day: 5_000 } });
    for (const body of [{ payment: 1_001 }, { payment: null }, { payment: 500, day: null }]) {
      await expect(client.putMyLimits({ body })).rejects.toMatchObject({ code: "proof_needed" });
    }
    const pretended = client.putMyLimits({ body: { payment: null, proof: { demo: true } } });
    await expect(pretended).rejects.toMatchObject({ code: "passkey_refused" });
    const own = await prove("raise_limits");
    const raised = await client.putMyLimits({ body: { payment: null, proof: own } });
    expect(raised.body).toMatchObject({ payment: { own: null }, day: { own: 5_000 } });
    await expect(client.putMyLimits({ body: { day: null, proof: own } })).rejects.toMatchObject(refused);
    expect((await client.putMyLimits({ body: { payment: 500 } })).body.payment.own).toBe(500);
  });

  it("are lowered below a tenth of the entity's, or where it has none, only with the passkey", async () => {
    await entityLimits({ payment: 500_000 });
    const { client, prove } = await aPasskeyDevice(broker, "payer");
    for (const body of [{ payment: 499.99 }, { day: 1_000_000 }, { payment: 600, first_time_payee: 1 }]) {
      await expect(client.putMyLimits({ body })).rejects.toMatchObject({ code: "proof_needed" });
    }
    expect((await client.myLimits({})).body.payment.own).toBeNull();
    const wrong = await prove("raise_limits");
    await expect(client.putMyLimits({ body: { payment: 1, proof: wrong } })).rejects.toMatchObject(refused);
    const lowered = await client.putMyLimits({ body: { payment: 1, proof: await prove("lower_limits") } });
    expect(lowered.body.payment.own).toBe(1);
  });

  it("are lowered as far as that at most, and not raised, by a device that may not pay yet", async () => {
    await entityLimits({ payment: 500_000 });
    const mayPayFrom = new Date(broker.options.clock().getTime() + 86_400_000);
    const { client } = await aPasskeyDevice(broker, "payer", { mayPayFrom });
    await client.putMyLimits({ body: { payment: 500 } });
    for (const payment of [null, 499]) {
      const changed = client.putMyLimits({ body: { payment, proof } });
      await expect(changed).rejects.toMatchObject({ code: "device_too_new" });
    }
  });

  it("fill the audit, which is kept for ever, with no more than twenty changes a minute", async () => {
    const ben = await broker.as("other");
    const change = () => ben.putMyLimits({ body: { payment: 10, proof } });
    for (let count = 0; count < 20; count++) await change();
    await expect(Promise.all([change(), change(), change()])).rejects.toMatchObject({ code: "too_many_requests" });
  });

  it("are raised by the button alone in the demo", async () => {
    await ana.putMyLimits({ body: { day: 10, proof } });
    const lifted = await ana.putMyLimits({ body: { day: null, proof } });
    expect(lifted.body.day).toEqual({ entity: null, own: null });
  });
});
