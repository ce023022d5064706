import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { anApiClient, tokenFor } from "../support/api-client-calls.ts";
import { aService, aUser, type TestEntity, type TestService } from "../support/service.ts";
import {
  expectSoundBooks,
  type OperationName,
  type RawClient,
  rawClient,
  refusalOf,
  times,
} from "../support/service-calls.ts";

let service: TestService;
let fintech: TestEntity;
let raw: RawClient;
let second: Readonly<Record<string, string>>;
let ana: string;
let shop: string;

beforeAll(async () => {
  service = await aService();
  fintech = await service.anEntity();
  raw = await rawClient(service, fintech);
  const scope = "read pay quota administration";
  second = { authorization: `Bearer ${await tokenFor(service, await anApiClient(fintech), scope)}` };
  [ana, shop] = [(await aUser(fintech, { quota: 1_000 })).id, (await aUser(fintech)).id];
});
afterAll(() => service.stop());

const available = async () => (await fintech.client.user({ query: { id: ana } })).body.quota_available;

describe("the same idempotency key from a second client of the entity", () => {
  it("pays nothing again: it is given the first client's answer", async () => {
    const body = { from_user_id: ana, to_user_id: shop, amount: 100 };
    const headers = { "idempotency-key": "order-1" };
    const first = await raw("createTransaction", { body, headers });
    const copy = await raw("createTransaction", { body, headers: { ...headers, ...second } });
    expect(copy.headers.get("idempotent-replayed")).toBe("true");
    expect(await copy.json()).toEqual(await first.json());
    expect(await available()).toBe(900);
    const other = await raw("createTransaction", { body: { ...body, amount: 99 }, headers: { ...headers, ...second } });
    expect(await refusalOf(other)).toEqual(["idempotency_key_reused"]);
  });

  it("pays once where both clients send it at once", async () => {
    const body = { from_user_id: ana, to_user_id: shop, amount: 10 };
    const before = (await available()) ?? 0;
    const headers = { "idempotency-key": "order-2" };
    const send = (by: object) => raw("createTransaction", { body, headers: { ...headers, ...by } });
    const answers = await Promise.all(times(20, (index) => send(index % 2 === 0 ? second : {})));
    const ids = await Promise.all(answers.map(async (answer) => ((await answer.json()) as { id: string }).id));
    expect(new Set(ids).size).toBe(1);
    expect(await available()).toBe(before - 10);
  });

  it.each<[OperationName, object]>([
    ["addQuota", { id: "", amount: "5", loan_type: "deposit" }],
    ["createApiClient", { name: "Till" }],
  ])("does %s once", async (name, body) => {
    const today = new Date(Date.now() - 5 * 3_600_000).toISOString().slice(0, 10);
    const sent = name === "addQuota" ? { ...body, id: ana, payment_date: today } : body;
    const headers = { "idempotency-key": "same" };
    expect((await raw(name, { body: sent, headers })).headers.get("idempotent-replayed")).toBeNull();
    const copy = await raw(name, { body: sent, headers: { ...headers, ...second } });
    expect([copy.ok, copy.headers.get("idempotent-replayed")]).toEqual([true, "true"]);
  });

  it("of another entity is another key", async () => {
    const stranger = await service.anEntity("Stranger");
    const [from, to] = [(await aUser(stranger, { quota: 50 })).id, (await aUser(stranger)).id];
    const body = { from_user_id: from, to_user_id: to, amount: 5 };
    const theirs = await rawClient(service, stranger);
    const paid = await theirs("createTransaction", { body, headers: { "idempotency-key": "order-1" } });
    expect([paid.status, paid.headers.get("idempotent-replayed")]).toEqual([201, null]);
    await expectSoundBooks(service);
  });
});
