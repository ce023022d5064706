import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { aBroker, anOrder, type PersonClient, type TestBroker } from "../../../../test/support/broker.ts";

let broker: TestBroker;
let ana: PersonClient;

beforeAll(async () => {
  broker = await aBroker();
  ana = await broker.as("payer");
});
afterAll(() => broker.stop());

async function opened(session: string) {
  const { payload } = (await broker.widget(session).widgetSession({})).body;
  return (await ana.openApproval({ body: { payload } })).body;
}

async function postings(reference: string): Promise<number> {
  const rows = await broker.service.sql`select from service.transactions where reference = ${reference}`;
  return rows.length;
}

describe("what was said to have failed before that was certain", () => {
  it("is corrected and told where the payment was made, and confirmed where it was not", async () => {
    const [made, lost] = [await anOrder(broker), await anOrder(broker)];
    const [paid, unpaid] = [await opened(made.session), await opened(lost.session)];
    const { id, payee, amount, reference = "" } = paid;
    const confirmed = await ana.confirmApproval({ params: { id }, body: { payee, amount, reference, demo: true } });
    const { transaction_id } = confirmed.body;
    // As an earlier version left them.
    await broker.sql`
      update broker.approvals set state = 'failed', reason = 'not_carried_out', unconfirmed = true,
        transaction_id = null, transaction_reference = null, started_at = created_at, finished_at = created_at
      where id in (${paid.id}, ${unpaid.id})`;
    broker.advance(301);
    await broker.reconcilePending();
    const of = async ({ id }: { readonly id: string }) => (await ana.approval({ params: { id } })).body;
    expect(await of(paid)).toMatchObject({ state: "approved", transaction_id, corrected_at: expect.any(String) });
    expect(await of(unpaid)).toMatchObject({ state: "failed", reason: "not_carried_out" });
    expect(await of(unpaid)).not.toHaveProperty("corrected_at");
    expect([await postings(made.reference), await postings(lost.reference)]).toEqual([1, 0]);
    const audited = await broker.sql`
      select subject, outcome from broker.audit_records where action = 'correct approval'`;
    expect(audited.map(({ subject, outcome }) => [subject, outcome])).toEqual([[paid.id, "approved"]]);
    const left = await broker.sql`select from broker.approvals where unconfirmed`;
    expect(left).toHaveLength(0);
  });
});
