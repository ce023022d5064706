import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { aBroker, type PersonClient, type TestBroker } from "../../../../test/support/broker.ts";
import { holdTransaction, lockWaits } from "../../../../test/support/held-transaction.ts";

const AMOUNT = 10;

let broker: TestBroker;
let ana: PersonClient;
let payload: string;
let atFirst: number;

beforeAll(async () => {
  broker = await aBroker();
  ana = await broker.as("payer");
  ({ payload } = (await (await broker.as("merchant")).createMyQr({ body: {} })).body);
});
beforeEach(async () => {
  broker.advance(61);
  atFirst = await available();
});
afterAll(() => broker.stop());

async function available(): Promise<number> {
  return (await broker.entity.client.user({ query: { id: broker.ana.id } })).body.quota_available ?? 0;
}

async function opened() {
  return (await ana.openApproval({ body: { payload, amount: AMOUNT } })).body;
}

function confirm({ id, payee, amount }: Awaited<ReturnType<typeof opened>>) {
  return ana.confirmApproval({ params: { id }, body: { payee, amount, demo: true } });
}

async function untilWaiting(count: number): Promise<void> {
  await expect.poll(() => lockWaits(broker.sql), { timeout: 10_000 }).toBe(count);
}

const refused = { code: "approval_expired" };

describe("an approval that is withdrawn", () => {
  it("pays nothing any more: a confirmation that arrives later is refused", async () => {
    const approval = await opened();
    const params = { id: approval.id };
    const { body } = await ana.withdrawApproval({ params });
    expect(body).toMatchObject({ state: "withdrawn", amount: AMOUNT });
    expect(body).not.toHaveProperty("options");
    await expect(confirm(approval)).rejects.toMatchObject(refused);
    expect((await ana.withdrawApproval({ params })).body.state).toBe("withdrawn");
    broker.advance(121);
    expect((await ana.approval({ params })).body.state).toBe("withdrawn");
    expect(await available()).toBe(atFirst);
    const audited = await broker.sql`
      select outcome from broker.audit_records where subject = ${approval.id} and action = 'withdraw approval'`;
    expect(audited.map(({ outcome }) => outcome)).toEqual(["withdrawn"]);
  });

  it("once it was consumed is none: its outcome is told", async () => {
    const approval = await opened();
    const { body: paid } = await confirm(approval);
    const { body } = await ana.withdrawApproval({ params: { id: approval.id } });
    expect(body).toMatchObject({ state: "approved", transaction_id: paid.transaction_id });
    const left = await opened();
    await broker.sql`update broker.approvals set state = 'running', started_at = created_at where id = ${left.id}`;
    expect((await ana.withdrawApproval({ params: { id: left.id } })).body.state).toBe("approved");
    expect(await available()).toBe(atFirst - 2 * AMOUNT);
  });

  it("while it is confirmed is either paid or withdrawn, and both are told the same", async () => {
    for (let round = 0; round < 12; round++) {
      const before = await available();
      const approval = await opened();
      const withdrawing = () => ana.withdrawApproval({ params: { id: approval.id } });
      const both = round % 2 === 0 ? [confirm(approval), withdrawing()] : [withdrawing(), confirm(approval)];
      const ends = await Promise.allSettled(both);
      const { state } = (await ana.approval({ params: { id: approval.id } })).body;
      const told = ends.map((end) => (end.status === "fulfilled" ? end.value.body.state : end.reason.code)).sort();
      expect(told).toEqual(state === "approved" ? ["approved", "approved"] : ["approval_expired", "withdrawn"]);
      expect(await available()).toBe(state === "approved" ? before - AMOUNT : before);
    }
  });

  it("is its person's alone", async () => {
    const { id } = await opened();
    const ben = await broker.as("other");
    await expect(ben.withdrawApproval({ params: { id } })).rejects.toMatchObject({ code: "not_found" });
    expect((await ana.approval({ params: { id } })).body.state).toBe("open");
  });
});

describe("an approval whose time ends while it is confirmed", () => {
  it("is refused when its turn comes later, however early it arrived", async () => {
    const approval = await opened();
    const release = await holdTransaction(
      broker.sql,
      (tx) => tx`select pg_advisory_xact_lock(hashtextextended(${broker.ana.id}::text, 0))`,
    );
    const confirming = expect(confirm(approval)).rejects.toMatchObject(refused);
    await untilWaiting(1);
    broker.advance(121);
    await release();
    await confirming;
    expect((await ana.approval({ params: { id: approval.id } })).body.state).toBe("expired");
    expect(await available()).toBe(atFirst);
  });

  it("is not called expired by whoever asks before it is decided", async () => {
    const approval = await opened();
    broker.advance(110);
    const release = await holdTransaction(broker.sql, (tx) => tx`lock table broker.audit_records in exclusive mode`);
    const confirming = confirm(approval);
    await untilWaiting(1);
    broker.advance(11);
    const asking = ana.approval({ params: { id: approval.id } });
    await untilWaiting(2);
    await release();
    expect((await confirming).body.state).toBe("approved");
    expect((await asking).body.state).toBe("approved");
    expect(await available()).toBe(atFirst - AMOUNT);
  });
});
