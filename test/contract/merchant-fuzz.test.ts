import fc from "fast-check";
import * as v from "valibot";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { merchantContract } from "../../src/contract/broker/broker.ts";
import { errorCodes, type Problem } from "../../src/contract/shared/errors.ts";
import { errorsOf, type Operation } from "../../src/contract/shared/operation.ts";
import { ORIGIN, SHOP_ORIGIN } from "../support/broker.ts";
import { LONG } from "../support/long-tests.ts";
import {
  aMerchantWebhookFixture,
  type MerchantWebhookFixture,
  type NotifiedMerchant,
  WITHIN,
} from "../support/merchant-webhook-fixture.ts";
import { bentFields, oddValue, queryOf } from "../support/odd-requests.ts";
import { NOBODY } from "../support/service-calls.ts";
import { setPowers } from "../support/set-powers.ts";

type Name = keyof typeof merchantContract;

/** Requests to each of the ten operations: 10 000 in all, with `CUPO_LONG_TESTS=1`. */
const TRIES = LONG ? 1_000 : 100;
/** Fewer answers of success mean that an operation is hardly tried. */
const LEAST_DONE = 0.3;
/** More than refunds without an amount give back whole. */
const ORDERS = TRIES / 5;
/** Of all refunds together there is less to give back. */
const MOST_CENTS = 1_000;

/** Fields of a request that succeeds, and what its path names. */
interface Proper {
  readonly fields: Readonly<Record<string, unknown>>;
  readonly subject?: string;
}

let fixture: MerchantWebhookFixture;
let merchant: NotifiedMerchant;
/** Sessions, orders, references, payments and events of the merchant. */
const known: Record<"sessions" | "unpaid" | "orders" | "references" | "payments" | "events", string[]> = {
  ...{ sessions: [], unpaid: [], orders: [] },
  ...{ references: [], payments: [], events: [] },
};
let requests = 0;

beforeAll(async () => {
  let minutes = 0;
  // A minute between any two readings refills every bucket.
  fixture = await aMerchantWebhookFixture({ now: () => ++minutes * 60_000 });
  merchant = await fixture.aMerchant();
  await setPowers(fixture.broker, { sellsTopUps: true, refunds: true });
  const { ana, entity } = fixture.broker;
  const quota = { amount: "50000000", loan_type: "default", payment_date: "2099-12-31" };
  await entity.client.addQuota({ body: { id: ana.id, ...quota } });
  for (let made = 0; made < ORDERS; made += 1) {
    const { session_id: id, reference, order = "" } = await merchant.anOrder();
    known.payments.push(await fixture.pay({ session_id: id, session: "", reference, order }));
    known.sessions.push(id);
    known.orders.push(order);
    known.references.push(reference);
  }
  const delivered = async () =>
    (await merchant.backend.webhookDeliveries({ query: { state: "delivered", limit: String(ORDERS) } })).body;
  await vi.waitFor(async () => expect(await delivered()).toHaveLength(ORDERS), WITHIN);
  known.events.push(...(await delivered()).map(({ event_id }) => event_id));
});
afterAll(() => fixture.stop());

const amount = (most: number) => fc.integer({ min: 1, max: most }).map((cents) => cents / 100);
const oneOf = (texts: readonly string[]) => fc.nat().map((index) => texts[index % texts.length] ?? "");
const some = <T>(...arbitraries: readonly fc.Arbitrary<T>[]) => fc.option(fc.oneof(...arbitraries), { nil: undefined });
const day = fc.constantFrom("2026-03-31", "2026-04-01", "2025-12-31");

/** Bodies and queries that are proper, by operation, and the things that the paths may name. */
const proper: Readonly<Record<Name, () => fc.Arbitrary<Proper>>> = {
  createSession: () =>
    fc
      .oneof(
        fc.record({
          kind: fc.constant("pay"),
          ...{ amount: amount(10_000_000), order: some(fc.uuid()), replace: some(fc.boolean()) },
          details: some(fc.dictionary(fc.stringMatching(/^[a-z]{1,8}$/), fc.integer())),
          expires_in: some(fc.integer({ min: 30, max: 86_400 })),
        }),
        fc.record({
          kind: fc.constant("recharge"),
          max_amount: amount(1_000_000),
          till: fc.constantFrom("1", "Caja 2"),
        }),
      )
      .map((fields) => ({ fields: { ...fields, origin: SHOP_ORIGIN } })),
  sessionStatus: () => oneOf(known.sessions).map((subject) => ({ fields: {}, subject })),
  sessions: () =>
    fc
      .record({
        order: some(oneOf(known.orders)),
        day: some(day),
        state: some(fc.constantFrom("paid", "pending", "expired", "cancelled")),
        limit: some(fc.integer({ min: 1, max: 100 }).map(String)),
      })
      .map((fields) => ({ fields })),
  cancelSession: () => oneOf(known.unpaid).map((subject) => ({ fields: {}, subject })),
  payments: () =>
    fc
      .record({
        day: some(day),
        state: some(fc.constantFrom("paid", "refunded")),
        limit: some(fc.integer({ min: 1, max: 100 }).map(String)),
      })
      .map((fields) => ({ fields })),
  createRefund: () =>
    fc
      .tuple(oneOf(known.payments), amount(MOST_CENTS), some(fc.constantFrom("one cup was broken", "ñandú")))
      .map(([subject, given, reason]) => ({ fields: { amount: given, reason }, subject })),
  refunds: () => oneOf(known.payments).map((subject) => ({ fields: {}, subject })),
  webhookDeliveries: () =>
    some(fc.constantFrom("waiting", "delivered", "failed")).map((state) => ({ fields: { state } })),
  redeliverWebhook: () => oneOf(known.events).map((subject) => ({ fields: {}, subject })),
  recharges: () =>
    fc.record({ day: some(day), till: some(fc.constantFrom("1", "Caja 2")) }).map((fields) => ({ fields })),
};

/** A proper request, of whose fields at most one is bent, or whose path now and then names something else. */
function requestOf(row: Operation, { fields, subject }: Proper, near: readonly unknown[]): fc.Arbitrary<Proper> {
  const given = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
  const odd = oddValue(near).map((value) => Object.values(queryOf({ value }))[0]?.toWellFormed() ?? "");
  const others = fc.oneof(fc.constant(NOBODY), odd).filter((each) => !["", ".", ".."].includes(each));
  const subjects = fc.oneof({ arbitrary: fc.constant(subject ?? NOBODY), weight: 4 }, others);
  return fc.record({ fields: bentFields(row, given, oddValue(near)), subject: subjects });
}

async function send(row: Operation, { fields, subject = "" }: Proper): Promise<Response> {
  requests += 1;
  const path = row.path.replace(/:\w+/, encodeURIComponent(subject));
  const query = row.query === undefined ? "" : `?${new URLSearchParams(queryOf(fields))}`;
  return fixture.broker.fetch(`${ORIGIN}${path}${query}`, {
    method: row.method,
    headers: {
      authorization: `Bearer ${merchant.serverKey}`,
      "content-type": "application/json",
      "idempotency-key": `fuzz-${requests}`,
    },
    ...(row.body === undefined ? {} : { body: JSON.stringify(fields) }),
  });
}

/** Sees that an answer is what the contract says, to the last field, or a declared refusal; true if it is a success. */
async function isDone(row: Operation, response: Response): Promise<boolean> {
  const answer: unknown = await response.json();
  if (response.status === row.status) {
    expect(v.parse(row.answer, answer)).toEqual(answer);
    return true;
  }
  const { code, status } = answer as Problem;
  expect(response.headers.get("content-type")).toBe("application/problem+json");
  expect([...errorsOf(row), "not_found"]).toContain(code);
  expect([response.status, code, status < 500]).toEqual([errorCodes[code].status, code, true]);
  return false;
}

/** Records what a success made, for later requests. */
function learn(name: Name, fields: Readonly<Record<string, unknown>>, answer: unknown): void {
  if (name !== "createSession") return;
  const { session_id: id } = answer as { readonly session_id: string };
  known.sessions.push(id);
  if (fields.kind === "pay") known.unpaid.push(id);
}

describe("a merchant's backend that sends nearly anything", () => {
  it.each(Object.keys(merchantContract) as Name[])(
    "to %s is answered as documented, and often served",
    async (name) => {
      const row: Operation = merchantContract[name];
      const { orders, payments, references, sessions } = known;
      const near = [
        ...[sessions[0], payments[0], orders[0], references[0]],
        ...["paid", "5", 5, 0.01, 9e12, true, "1"],
      ];
      const requestsOf = proper[name]().chain((each) => requestOf(row, each, near));
      let [tries, done] = [0, 0];
      const property = fc.asyncProperty(requestsOf, async (request) => {
        const response = await send(row, request);
        tries += 1;
        if (!(await isDone(row, response.clone()))) return;
        done += 1;
        learn(name, request.fields, await response.json());
      });
      await fc.assert(property, { numRuns: TRIES });
      console.info(`${name}: ${done} of ${tries} served`);
      expect(done / tries).toBeGreaterThanOrEqual(LEAST_DONE);
    },
  );

  it("has given back no more than was paid, and the books agree", async () => {
    for (const id of known.payments) {
      const { body } = await merchant.backend.refunds({ params: { payment_id: id } });
      const { body: paid } = await fixture.broker.entity.client.transaction({ query: { id } });
      const cents = (sum = 0): number => Math.round(sum * 100);
      const given = body
        .filter(({ state }) => state === "approved")
        .reduce((sum, refund) => sum + cents(refund.amount), 0);
      expect(given).toBe(cents(paid.reversed_amount));
      expect(given).toBeLessThanOrEqual(cents(paid.amount));
    }
    expect(requests).toBe(TRIES * Object.keys(merchantContract).length);
  });
});
