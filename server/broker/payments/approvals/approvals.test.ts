import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { aBroker, anOrder, type PersonClient, type TestBroker } from "../../../../test/support/broker.ts";
import { holdTransaction, lockWaits } from "../../../../test/support/held-transaction.ts";

let broker: TestBroker;
let ana: PersonClient;
let ben: PersonClient;

beforeAll(async () => {
  broker = await aBroker();
  ana = await broker.as("payer");
  ben = await broker.as("other");
});
afterAll(() => broker.stop());

async function payloadOf(session: string): Promise<string> {
  return (await broker.widget(session).widgetSession({})).body.payload;
}

async function opened(person: PersonClient, payload: string, amount?: number) {
  const body = { payload, ...(amount === undefined ? {} : { amount }) };
  return (await person.openApproval({ body })).body;
}

function confirm(person: PersonClient, approval: Awaited<ReturnType<typeof opened>>, changes: object = {}) {
  const { id, payee, amount, reference } = approval;
  const body = { payee, amount, ...(reference === undefined ? {} : { reference }), demo: true as const, ...changes };
  return person.confirmApproval({ params: { id }, body });
}

/** Keeps the service from deciding anything about a user until it is released. */
function holdAccount(userId: string): Promise<() => Promise<void>> {
  const { sql } = broker.service;
  return holdTransaction(sql, (tx) => tx`select from service.accounts where id = ${userId} for update`);
}

async function postings(reference: string): Promise<number> {
  const rows = await broker.service.sql`select from service.transactions where reference = ${reference}`;
  return rows.length;
}

describe("an approval", () => {
  it("shows what the service knows, pays once, and tells both the payer and the page", async () => {
    const session = await anOrder(broker);
    const approval = await opened(ana, await payloadOf(session.session));
    expect(approval).toMatchObject({
      state: "open",
      payee: "Café La Esquina",
      amount: 25_000,
      reference: session.reference,
      first_time_payee: true,
      method: "button",
    });
    const { body } = await confirm(ana, approval);
    expect(body).toMatchObject({ state: "approved", transaction_reference: session.reference });
    expect(body.quota_available).toBe(475_000);
    broker.advance(2);
    expect((await broker.widget(session.session).widgetSession({})).body.state).toBe("paid");
  });

  it("knows the payee the next time", async () => {
    const session = await anOrder(broker);
    expect((await opened(ana, await payloadOf(session.session))).first_time_payee).toBe(false);
  });

  it("confirmed fifty times at once pays once, and tells all the same", async () => {
    const session = await anOrder(broker);
    const approval = await opened(ana, await payloadOf(session.session));
    broker.asked.length = 0;
    const answers = await Promise.all(Array.from({ length: 50 }, () => confirm(ana, approval)));
    expect(broker.asked.filter((path) => path === "/create-transaction")).toHaveLength(1);
    expect(new Set(answers.map(({ body }) => `${body.state} ${body.transaction_id}`)).size).toBe(1);
    expect(answers[0]?.body.state).toBe("approved");
    expect(await postings(session.reference)).toBe(1);
    const kept = await broker.sql`
      select from broker.audit_records where subject = ${approval.id} and outcome = 'consumed'`;
    expect(kept.length).toBe(1);
  });

  it("raced by two people for one code lets one pay, and tells the other that it is paid", async () => {
    const session = await anOrder(broker);
    const payload = await payloadOf(session.session);
    const approvals = [await opened(ana, payload), await opened(ben, payload)] as const;
    const answers = await Promise.all([confirm(ana, approvals[0]), confirm(ben, approvals[1])]);
    const states = answers.map(({ body }) => body.state).sort();
    expect(states).toEqual(["approved", "failed"]);
    expect(answers.find(({ body }) => body.state === "failed")?.body.reason).toBe("qr_already_paid");
    expect(await postings(session.reference)).toBe(1);
  });

  it.each([
    ["payee", { payee: "Somebody else" }],
    ["amount", { amount: 1 }],
    ["reference", { reference: "0000000000000" }],
  ])("is refused when the %s was changed, and stays open", async (_field, changes) => {
    const session = await anOrder(broker);
    const approval = await opened(ana, await payloadOf(session.session));
    await expect(confirm(ana, approval, changes)).rejects.toMatchObject({ code: "approval_mismatch" });
    expect((await ana.approval({ params: { id: approval.id } })).body.state).toBe("open");
    expect(await postings(session.reference)).toBe(0);
  });

  it("refused again and again fills no audit, which is kept for ever", async () => {
    broker.advance(61);
    const { payload } = (await (await broker.as("merchant")).createMyQr({ body: {} })).body;
    const approval = await opened(ana, payload, 10);
    const refusals = await Promise.allSettled(
      Array.from({ length: 30 }, () => confirm(ana, approval, { payee: "Somebody else" })),
    );
    expect(refusals.every((it) => it.status === "rejected" && it.reason.code === "approval_mismatch")).toBe(true);
    await broker.sql`update broker.entity_rules set payment_limit = 1`;
    const openings = await Promise.allSettled(Array.from({ length: 30 }, () => opened(ana, payload, 10)));
    await broker.sql`update broker.entity_rules set payment_limit = null`;
    expect(openings.every((it) => it.status === "rejected" && it.reason.code === "limit_exceeded")).toBe(true);
    const kept = await broker.sql`
      select from broker.audit_records
      where outcome = 'limit_exceeded' or (outcome = 'approval_mismatch' and subject = ${approval.id})`;
    expect(kept.length).toBeGreaterThanOrEqual(10);
    expect(kept.length).toBeLessThan(15);
  });

  it("is gone after two minutes", async () => {
    const session = await anOrder(broker, { expires_in: 600 });
    const approval = await opened(ana, await payloadOf(session.session));
    broker.advance(121);
    await expect(confirm(ana, approval)).rejects.toMatchObject({ code: "approval_expired" });
    expect((await ana.approval({ params: { id: approval.id } })).body.state).toBe("expired");
  });

  it("is nobody else's", async () => {
    const session = await anOrder(broker);
    const approval = await opened(ana, await payloadOf(session.session));
    await expect(confirm(ben, approval)).rejects.toMatchObject({ code: "not_found" });
    await expect(ben.approval({ params: { id: approval.id } })).rejects.toMatchObject({ code: "not_found" });
    expect(await postings(session.reference)).toBe(0);
  });

  it("without the button's mark is refused, because demo people have no passkey", async () => {
    const session = await anOrder(broker);
    const approval = await opened(ana, await payloadOf(session.session));
    const { id, payee, amount, reference } = approval;
    const body = { payee, amount, ...(reference === undefined ? {} : { reference }) };
    await expect(ana.confirmApproval({ params: { id }, body })).rejects.toMatchObject({ code: "not_allowed" });
  });

  it("opened twice by one attempt is one approval, and another payment under its key is refused", async () => {
    const [one, two] = [await anOrder(broker), await anOrder(broker)];
    const payload = await payloadOf(one.session);
    const options = { idempotencyKey: "attempt-1" };
    const first = await ana.openApproval({ body: { payload } }, options);
    const second = await ana.openApproval({ body: { payload } }, options);
    expect(second.body.id).toBe(first.body.id);
    const other = { body: { payload: await payloadOf(two.session) } };
    await expect(ana.openApproval(other, options)).rejects.toMatchObject({ code: "idempotency_key_reused" });
  });

  it("of a code that was paid is refused", async () => {
    const session = await anOrder(broker);
    const payload = await payloadOf(session.session);
    await confirm(ana, await opened(ana, payload));
    await expect(opened(ben, payload)).rejects.toMatchObject({ code: "qr_already_paid" });
  });

  it("that the balance does not cover is rejected, counted on the page, and leaves the code payable", async () => {
    const session = await anOrder(broker, { amount: 900_000 });
    const payload = await payloadOf(session.session);
    const { body } = await confirm(ana, await opened(ana, payload));
    expect(body).toMatchObject({ state: "rejected", reason: "insufficient_balance" });
    broker.advance(2);
    expect((await broker.widget(session.session).widgetSession({})).body).toMatchObject({
      state: "unpaid",
      rejected_attempts: 1,
    });
  });

  it("of a static code takes the amount from the person", async () => {
    const merchant = await broker.as("merchant");
    const { body: qr } = await merchant.createMyQr({ body: { note: "mesa 4" } });
    await expect(opened(ana, qr.payload)).rejects.toMatchObject({ code: "invalid_request" });
    await expect(opened(merchant, qr.payload, 10)).rejects.toMatchObject({ code: "not_allowed" });
    const { body } = await confirm(ana, await opened(ana, qr.payload, 1_500.5));
    expect(body).toMatchObject({ state: "approved", amount: 1_500.5 });
  });
});

describe("an approval whose process died", () => {
  async function consumedByHand() {
    const session = await anOrder(broker);
    const approval = await opened(ana, await payloadOf(session.session));
    await broker.sql`
      update broker.approvals set state = 'running', started_at = created_at where id = ${approval.id}`;
    return { session, approval };
  }

  it("before the payment was sent is paid when it is asked for in time, once", async () => {
    const { session, approval } = await consumedByHand();
    const asked = await Promise.all([1, 2, 3].map(() => ana.approval({ params: { id: approval.id } })));
    expect(asked.map(({ body }) => body.state)).toEqual(["approved", "approved", "approved"]);
    expect(await postings(session.reference)).toBe(1);
  });

  it("before the payment was sent is never paid later: looking at it moves no money", async () => {
    const { session, approval } = await consumedByHand();
    broker.advance(301);
    const { body } = await ana.approval({ params: { id: approval.id } });
    expect(body).toMatchObject({ state: "failed", reason: "not_carried_out" });
    expect(await postings(session.reference)).toBe(0);
  });

  it("is not called failed while its payment may still be on its way", async () => {
    const { session, approval } = await consumedByHand();
    const details = { qr: await payloadOf(session.session), approval: approval.id };
    const body = { amount: approval.amount, from_user_id: broker.ana.id, to_user_id: broker.shop.id, details };
    broker.advance(61);
    const release = await holdAccount(broker.ana.id);
    const onItsWay = broker.entity.client.createTransaction({ body }, { idempotencyKey: approval.id });
    await expect.poll(() => lockWaits(broker.service.sql)).toBeGreaterThan(0);
    expect((await ana.approval({ params: { id: approval.id } })).body.state).toBe("running");
    await release();
    expect((await onItsWay).body.status).toBe("approved");
    expect((await ana.approval({ params: { id: approval.id } })).body.state).toBe("approved");
    expect(await postings(session.reference)).toBe(1);
  });

  it("is failed for certain: what was sent in the last moment and arrives later moves nothing", async () => {
    const { session, approval } = await consumedByHand();
    broker.advance(61);
    expect((await ana.approval({ params: { id: approval.id } })).body.state).toBe("failed");
    const details = { qr: await payloadOf(session.session), approval: approval.id };
    const body = { amount: approval.amount, from_user_id: broker.ana.id, to_user_id: broker.shop.id, details };
    const late = broker.entity.client.createTransaction({ body }, { idempotencyKey: approval.id });
    await expect(late).rejects.toMatchObject({ code: "idempotency_key_void" });
    expect(await postings(session.reference)).toBe(0);
  });

  it("is settled and audited although nobody asks, and not before whoever could send it is gone", async () => {
    const { session, approval } = await consumedByHand();
    const outcome = async () => {
      await broker.reconcilePending();
      const [row] = await broker.sql<{ state: string }[]>`select state from broker.approvals where id = ${approval.id}`;
      return row?.state;
    };
    expect(await outcome()).toBe("running");
    broker.advance(301);
    expect(await outcome()).toBe("failed");
    expect(await postings(session.reference)).toBe(0);
    const audited = await broker.sql`
      select action, outcome, principal_id from broker.audit_records where subject = ${approval.id} order by id`;
    expect(audited.map(({ action, outcome: end }) => `${action}: ${end}`)).toEqual([
      "open approval: open",
      "settle approval: failed",
    ]);
    expect(audited[1]?.principal_id).toBe(audited[0]?.principal_id);
  });

  it("after the payment was sent is found, however late somebody asks", async () => {
    const session = await anOrder(broker);
    const approval = await opened(ana, await payloadOf(session.session));
    const paid = await confirm(ana, approval);
    await broker.sql`
      update broker.approvals set state = 'running', finished_at = null, transaction_id = null,
        transaction_reference = null where id = ${approval.id}`;
    broker.advance(3_600);
    const { body } = await ana.approval({ params: { id: approval.id } });
    expect(body).toMatchObject({ state: "approved", transaction_id: paid.body.transaction_id });
    expect(await postings(session.reference)).toBe(1);
  });
});
