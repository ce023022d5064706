import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isSingleRead } from "../../server/http/answer-call.ts";
import { type ServiceContract, serviceContract } from "../../src/contract/service/service.ts";
import { aService, aUser, type TestEntity, type TestService } from "../support/service.ts";
import { type OperationName, type RawClient, rawClient, refusalOf } from "../support/service-calls.ts";

let service: TestService;
let fintech: TestEntity;
let raw: RawClient;
let stranger: RawClient;
let ana: string;
let shop: string;
let hold: { readonly id: string; readonly reference: string };
let code: string;

beforeAll(async () => {
  service = await aService();
  fintech = await service.anEntity();
  raw = await rawClient(service, fintech);
  stranger = await rawClient(service, await service.anEntity());
  [ana, shop] = [(await aUser(fintech, { quota: 1_000 })).id, (await aUser(fintech)).id];
  const payment = { amount: 10, from_user_id: ana, to_user_id: shop };
  hold = (await fintech.client.createTransaction({ body: { ...payment, status: "pending" } })).body;
  code = (await fintech.client.createTransactionQr({ body: { amount: 3, to_user_id: shop } })).body.reference ?? "";
});
afterAll(() => service.stop());

/** Every read of one record but reports, which say when they were made: how to ask, and what changes the record. */
const reads: readonly (readonly [OperationName, () => Record<string, string>, () => Promise<unknown>])[] = [
  ["user", () => ({ id: ana }), () => fintech.client.updateUser({ body: { id: ana, score: 700 } })],
  [
    "transactionQr",
    () => ({ reference: code }),
    () => fintech.client.cancelTransactionQr({ body: { reference: code } }),
  ],
  [
    "findTransactionByReference",
    () => ({ reference: hold.reference }),
    () => fintech.client.settleTransaction({ body: { id: hold.id, status: "approved" } }),
  ],
  ["transaction", () => ({ id: hold.id }), () => fintech.client.reverseTransaction({ body: { id: hold.id } })],
  [
    "accountStatement",
    () => ({ "user-id": ana, "from-day": "2020-01-01", "to-day": "2999-12-31" }),
    () => fintech.client.createTransaction({ body: { amount: 1, from_user_id: ana, to_user_id: shop } }),
  ],
  ["entitySettings", () => ({}), () => fintech.client.putEntitySettings({ body: { payment_limit: 500 } })],
];

describe.each(reads)("%s", (name, queryOf, change) => {
  it("has an entity tag, and is 304 without a body until it changes", async () => {
    const ask = (tag?: string) => raw(name, { query: queryOf(), headers: tag ? { "if-none-match": tag } : {} });
    const first = await ask();
    const tag = first.headers.get("etag") ?? "";
    expect([first.status, tag]).toEqual([200, expect.stringMatching(/^(?:W\/)?"[\w-]+"$/)]);
    const bare = tag.replace("W/", "");
    service.advance(1);
    for (const sent of [bare, `W/${bare}`, `"other", ${tag}`, "*"]) {
      const unchanged = await ask(sent);
      expect([unchanged.status, await unchanged.text(), unchanged.headers.get("etag")]).toEqual([304, "", tag]);
      expect(unchanged.headers.get("content-type")).toBeNull();
      expect(unchanged.headers.get("cache-control")).toBe("no-store");
      for (const header of ["request-id", "ratelimit", "ratelimit-policy"])
        expect(unchanged.headers.has(header)).toBe(true);
    }
    expect((await ask('"other"')).status).toBe(200);
    await change();
    const changed = await ask(tag);
    expect(changed.status).toBe(200);
    expect(changed.headers.get("etag")).not.toBe(tag);
  });
});

describe("entity tags", () => {
  it("tell nobody of what it may not read", async () => {
    const query = { id: hold.id };
    const tag = (await raw("transaction", { query })).headers.get("etag") ?? "";
    for (const sent of [tag, "*"]) {
      const response = await stranger("transaction", { query, headers: { "if-none-match": sent } });
      expect(await refusalOf(response)).toEqual(["transaction_not_found"]);
    }
  });

  it("are of every single read, and of no list", async () => {
    const rows = Object.values(serviceContract) as ServiceContract[OperationName][];
    const single = rows.filter((row) => isSingleRead(row) && row.tag !== "Reports").map((row) => row.name);
    expect(single.toSorted()).toEqual(reads.map(([name]) => name).toSorted());
    expect((await raw("users")).headers.get("etag")).toBeNull();
  });
});
