import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openToLenders } from "../support/credit-calls.ts";
import { aService, aUser, type TestEntity, type TestService } from "../support/service.ts";
import { type RawClient, rawClient, refusalOf } from "../support/service-calls.ts";

let service: TestService;
let fintech: TestEntity;
let other: TestEntity;
let raw: RawClient;

beforeAll(async () => {
  service = await aService();
  [fintech, other] = [await service.anEntity(), await service.anEntity("Other")];
  raw = await rawClient(service, fintech);
});
afterAll(() => service.stop());

async function found(entity: TestEntity, query: object): Promise<string[]> {
  return (await entity.client.users({ query })).body.map(({ name }) => name);
}

describe("users", () => {
  it("are as get-user answers them, without history and image", async () => {
    const own = await service.anEntity();
    const { body: made } = await own.client.createUser({
      body: {
        name: "Rosa",
        nit: "1.020-K",
        phone: "3105550001",
        email: "rosa@example.com",
        address: "Calle 1",
        image: "https://example.com/rosa.png",
        score: 700,
        quota: 12.5,
        payment_data: { bank: "example" },
      },
    });
    await own.client.blockUser({ body: { id: made.id } });
    const { history, image, yours: _, ...whole } = (await own.client.user({ query: { id: made.id } })).body;
    const { body } = await own.client.users({ query: {} });
    expect(body).toEqual([{ ...whole, created_at: expect.stringMatching(/^\d{4}-.*Z$/) }]);
    expect(body[0]).toMatchObject({ email: "rosa@example.com", quota: 12.5, blocked: true });
    expect([history, image]).toEqual([[], "https://example.com/rosa.png"]);
  });

  it("are those that the caller's entity created, newest first, whatever else it may do with others", async () => {
    const [mine, theirs] = [await service.anEntity(), await service.anEntity()];
    await openToLenders([theirs]);
    const foreign = await aUser(theirs, { name: "Foreign" });
    const grant = { id: foreign.id, amount: "5", loan_type: "default", payment_date: "2900-01-01" };
    await mine.client.addQuota({ body: grant });
    for (const name of ["One", "Two", "Three"]) await aUser(mine, { name });
    expect(await found(mine, {})).toEqual(["Three", "Two", "One"]);
    expect(await found(theirs, {})).toEqual(["Foreign"]);
    expect(await found(mine, { q: "Foreign" })).toEqual([]);
  });
});

describe("the search for users", () => {
  beforeAll(async () => {
    const people = [
      { name: "Ana Gómez", nit: "52.345.678", phone: "300 111 2233" },
      {
        name: "Íñigo Peña",
        business_name: "Café ÑANDÚ 100%",
        nit: "900-1_X".replace("_", ""),
        phone: "+1 212 555 0123",
      },
      { name: "Zoe", nit: "ZOE1", phone: "3009998877", status: "arrear" as const },
    ];
    for (const body of people) await fintech.client.createUser({ body });
    await aUser(other, { name: "Ana Gómez" });
  });

  const searches: readonly (readonly [string, string, readonly string[]])[] = [
    ["a part of the name", "gómez", ["Ana Gómez"]],
    ["a part without its accents", "A GOMEZ", ["Ana Gómez"]],
    ["a part of the business name", "nandu", ["Íñigo Peña"]],
    ["a sign that is a wildcard elsewhere, as itself", "100%", ["Íñigo Peña"]],
    ["a wildcard that no name has", "%", ["Íñigo Peña"]],
    ["an underscore", "_", []],
    ["the start of a nit, as it is written", "52.345", ["Ana Gómez"]],
    ["the start of a nit in small letters", "zo", ["Zoe"]],
    ["the middle of a nit", "345678", []],
    ["the start of a phone", "30011", ["Ana Gómez"]],
    ["the start of a phone as it is written", "(300) 1", ["Ana Gómez"]],
    ["the start of a phone with its country", "+57 300", ["Zoe", "Ana Gómez"]],
    ["the start of a foreign phone", "+1212", ["Íñigo Peña"]],
    ["a country code that is another's", "+300", []],
    ["spaces around it", "  zoe  ", ["Zoe"]],
    ["nothing that there is", "Nobody", []],
  ];
  it.each(searches)("finds %s", async (_, q, names) => {
    expect(await found(fintech, { q })).toEqual(names);
  });

  it("looks at the status that the entity set", async () => {
    expect(await found(fintech, { status: "arrear" })).toEqual(["Zoe"]);
    expect(await found(fintech, { status: "active", q: "o" })).toEqual(["Íñigo Peña", "Ana Gómez"]);
    expect(await found(fintech, { status: "default" })).toEqual([]);
  });

  it("goes page by page", async () => {
    const first = await fintech.client.users({ query: { q: "o", limit: "2" } });
    expect(first.body.map(({ name }) => name)).toEqual(["Zoe", "Íñigo Peña"]);
    const second = await fintech.client.users({ query: { q: "o", limit: "2", cursor: first.nextCursor } });
    expect([second.body.map(({ name }) => name), second.nextCursor]).toEqual([["Ana Gómez"], undefined]);
  });

  it("refuses what it cannot understand, every fault at once", async () => {
    const wrong = { q: " ", status: "blocked", limit: "0", page: "2", cursor: "" };
    const places = ["cursor", "limit", "page", "q", "status"];
    expect(await refusalOf(await raw("users", { query: wrong }))).toEqual(["invalid_request", ...places]);
    expect(await refusalOf(await raw("users", { query: { q: "x".repeat(101) } }))).toEqual(["invalid_request", "q"]);
    expect(await refusalOf(await raw("users", { query: { cursor: "x" } }))).toEqual(["invalid_cursor"]);
  });
});

describe("the status that users' credits suggest", () => {
  it("is by the caller's own credits, and each user's worst", async () => {
    const own = await service.anEntity();
    await openToLenders([own]);
    const [good, late] = [await aUser(own, { name: "Good" }), await aUser(own, { name: "Late" })];
    const today = new Date(service.clock().getTime() - 5 * 3_600_000).toISOString().slice(0, 10);
    const owe = (id: string, payment_date: string, entity = own) =>
      entity.client.addQuota({ body: { id, amount: "5", loan_type: "default", payment_date } });
    await Promise.all([owe(good.id, "2900-01-01"), owe(late.id, "2900-01-01"), owe(late.id, today)]);
    await owe(good.id, today, other);
    service.advance(3 * 86_400);
    const { body } = await own.client.users({ query: {} });
    expect(body.map(({ name, status, suggested_status }) => [name, status, suggested_status])).toEqual([
      ["Late", "active", "arrear"],
      ["Good", "active", "active"],
    ]);
  });
});
