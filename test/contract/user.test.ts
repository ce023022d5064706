import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { aService, aUser, type TestEntity, type TestService } from "../support/service.ts";
import { NOBODY, type RawClient, rawClient, refusalOf, times } from "../support/service-calls.ts";

let service: TestService;
let fintech: TestEntity;
let raw: RawClient;
let id: string;

beforeAll(async () => {
  service = await aService();
  fintech = await service.anEntity();
  raw = await rawClient(service, fintech);
  const body = { name: "Ana Torres", nit: "900.123.456-K", phone: "300 123 4567" };
  id = (await fintech.client.createUser({ body })).body.id;
});
afterAll(() => service.stop());

describe("user", () => {
  const spellings: readonly (readonly [string, () => Record<string, string>])[] = [
    ["its id", () => ({ id })],
    ["its id in capitals", () => ({ id: id.toUpperCase() })],
    ["its bare nit", () => ({ nit: "900123456K" })],
    ["its nit with dots and a hyphen, in small letters", () => ({ nit: "900.123.456-k" })],
    ["its phone in E.164", () => ({ phone: "+573001234567" })],
    ["its phone without the country", () => ({ phone: "3001234567" })],
    ["its phone as people write it", () => ({ phone: "(300) 123-45-67" })],
    ["its phone whose + became a space", () => ({ phone: " 573001234567" })],
  ];
  it.each(spellings)("is found by %s", async (_, query) => {
    const { body, status, etag } = await fintech.client.user({ query: query() });
    expect(status).toBe(200);
    expect(body).toMatchObject({ id, name: "Ana Torres", nit: "900123456K", phone: "+573001234567" });
    expect(etag).toMatch(/^"/);
  });

  it("is 304 while it has not changed, and 200 with a new tag after a payment", async () => {
    const { etag = "" } = await fintech.client.user({ query: { id } });
    expect((await fintech.client.user({ query: { id } }, { etag })).status).toBe(304);
    await fintech.client.addQuota({ body: { id, amount: "5", loan_type: "default", payment_date: "2900-01-01" } });
    const changed = await fintech.client.user({ query: { id } }, { etag });
    expect([changed.status, changed.body.quota]).toEqual([200, 5]);
    expect(changed.etag).not.toBe(etag);
  });

  it("carries its latest 50 payments, sent and received, newest first", async () => {
    const [payer, payee] = [await aUser(fintech, { quota: 1_000 }), await aUser(fintech)];
    const pay = (from: string, to: string) =>
      fintech.client.createTransaction({ body: { amount: 1, from_user_id: from, to_user_id: to } });
    const made = await Promise.all(times(53, (n) => (n < 40 ? pay(payer.id, payee.id) : pay(payee.id, payer.id))));
    const { body } = await fintech.client.user({ query: { id: payee.id } });
    const newest = made.map((answer) => answer.body).sort((left, right) => (left.id < right.id ? 1 : -1));
    expect(body.history).toEqual(newest.slice(0, 50));
    expect(new Set(body.history.map(({ from_user_id }) => from_user_id))).toEqual(new Set([payer.id, payee.id]));
  });

  it("comes without history and suggested status for a caller that prefers a minimal answer", async () => {
    const { body: whole } = await fintech.client.user({ query: { id } });
    for (const prefer of ["return=minimal", "wait=5, return=minimal", 'Return="minimal"']) {
      const { suggested_status: _, ...rest } = whole;
      const { body } = await fintech.client.user({ query: { id } }, { headers: { prefer } });
      expect(body).toEqual({ ...rest, history: [] });
    }
    const other = { headers: { prefer: "return=representation" } };
    expect((await fintech.client.user({ query: { id } }, other)).body).toEqual(whole);
  });

  const refused: readonly (readonly [string, Record<string, string>, ...string[]])[] = [
    ["no key", {}, "invalid_request", ""],
    ["two keys", { nit: "1", phone: "3001234567" }, "invalid_request", ""],
    ["an id that is none", { id: "7" }, "invalid_request", "id"],
    ["a nit that can be none", { nit: "a b" }, "invalid_request", "nit"],
    ["a phone that is none", { phone: "12" }, "invalid_request", "phone"],
    ["an unknown key", { id: NOBODY, email: "a@example.com" }, "invalid_request", "email"],
    ["an id that nobody has", { id: NOBODY }, "user_not_found"],
    ["a nit that nobody has", { nit: "404" }, "user_not_found"],
    ["a phone that nobody has", { phone: "3009999999" }, "user_not_found"],
  ];
  it.each(refused.map(([law, query, ...refusal]) => ({ law, query, refusal })))(
    "refuses $law",
    async ({ query, refusal }) => {
      expect(await refusalOf(await raw("user", { query }))).toEqual(refusal);
    },
  );
});
