import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { aService, type TestEntity, type TestService } from "../support/service.ts";
import { expectSoundBooks, type RawClient, rawClient, refusalOf } from "../support/service-calls.ts";

const ISSUED = /^[\w-]{43}$/;
const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

let service: TestService;
let fintech: TestEntity;
let raw: RawClient;

beforeAll(async () => {
  service = await aService();
  fintech = await service.anEntity();
  raw = await rawClient(service, fintech);
});
afterAll(() => service.stop());

describe("create-user", () => {
  it("keeps every field and answers it, with both spellings of the business name and an apn_token", async () => {
    const body = {
      name: "Zoë Ñandú",
      nit: "900.123.456-7",
      phone: "(601) 234 5678",
      address: "Calle 12 # 34-56\nBogotá",
      business_name: "Café Ñandú S.A.S.",
      email: "zoe@example.com",
      image: "https://example.com/zoe.png",
      score: 731,
      status: "arrear" as const,
      quota: 1_200.5,
      payment_data: { city: "Medellín", list: [1, null, { deep: true }] },
    };
    const { body: made, status } = await fintech.client.createUser({ body });
    expect(status).toBe(201);
    expect(made).toEqual({
      ...body,
      id: expect.stringMatching(UUID_V7),
      nit: "9001234567",
      phone: "+576012345678",
      bussines_name: body.business_name,
      quota_available: 1_200.5,
      suggested_status: "active",
      history: [],
      apn_token: expect.stringMatching(ISSUED),
    });
    const { body: found } = await fintech.client.user({ query: { id: made.id } });
    const { apn_token: _, ...kept } = made;
    expect(found).toEqual({ ...kept, yours: true });
  });

  it("tells a copy of the request the same apn_token, which the database does not hold", async () => {
    const call = {
      body: { name: "Luz", nit: "tok-1", phone: "3001119999" },
      headers: { "idempotency-key": "token-once" },
    };
    const [first, second] = [await raw("createUser", call), await raw("createUser", call)];
    const made = await first.json();
    expect(made.apn_token).toMatch(ISSUED);
    expect(await second.json()).toEqual(made);
    const [kept] = await service.sql<{ answer: string }[]>`
      select answer::text from service.idempotency_records where key = 'token-once'`;
    expect(kept?.answer).toContain("TOK1");
    expect(kept?.answer).not.toContain(made.apn_token);
  });

  it("answers what an earlier version kept of a request as it was", async () => {
    const call = {
      body: { name: "Eva", nit: "old-1", phone: "3001119998" },
      headers: { "idempotency-key": "token-old" },
    };
    const made = await (await raw("createUser", call)).json();
    const answer = JSON.stringify({ body: JSON.stringify(made) });
    await service.sql`update service.idempotency_records set answer = ${answer}::text::json where key = 'token-old'`;
    const again = await raw("createUser", call);
    expect([again.headers.get("idempotent-replayed"), await again.json()]).toEqual(["true", made]);
  });

  it("needs name, nit and phone alone: the rest is null, active, empty and zero", async () => {
    const { body: made } = await fintech.client.createUser({ body: { name: "Luz", nit: "1", phone: "3001112233" } });
    expect(made).toEqual({
      id: expect.stringMatching(UUID_V7),
      name: "Luz",
      business_name: null,
      bussines_name: null,
      nit: "1",
      phone: "+573001112233",
      email: null,
      address: null,
      image: null,
      quota: 0,
      quota_available: 0,
      score: null,
      status: "active",
      suggested_status: "active",
      history: [],
      payment_data: {},
      apn_token: expect.stringMatching(ISSUED),
    });
  });

  it("opens a credit of type default without a due date for a quota above zero, and none for zero", async () => {
    const people = [
      { name: "With", nit: "cr-1", phone: "3001112234", quota: 500_000 },
      { name: "Without", nit: "cr-2", phone: "3001112235", quota: 0 },
    ];
    const [richer, poorer] = await Promise.all(people.map((body) => fintech.client.createUser({ body })));
    const credits = await service.sql`
      select user_id, entity_id, loan_type, principal, outstanding, due_date from service.credits
      where user_id = any(${[richer?.body.id ?? "", poorer?.body.id ?? ""]})`;
    expect(credits.map((row) => ({ ...row }))).toEqual([
      {
        user_id: richer?.body.id,
        entity_id: fintech.entityId,
        loan_type: "default",
        principal: 50_000_000n,
        outstanding: 50_000_000n,
        due_date: null,
      },
    ]);
    await expectSoundBooks(service);
  });

  it("gives the app's token once: kept as a hash, and in no other answer", async () => {
    const { body: made } = await fintech.client.createUser({ body: { name: "T", nit: "T1", phone: "3001112236" } });
    const { body: found } = await fintech.client.user({ query: { id: made.id } });
    expect(found).not.toHaveProperty("apn_token");
    const [row] = await service.sql`select to_jsonb(u)::text as text from service.users u where id = ${made.id}`;
    expect(row?.text).not.toContain(made.apn_token);
  });

  it("refuses a nit or phone that another has, in any spelling, and names the fields", async () => {
    await fintech.client.createUser({ body: { name: "First", nit: "77.88-A", phone: "+57 300 777 8888" } });
    const taken = (nit: string, phone: string) => raw("createUser", { body: { name: "Second", nit, phone } });
    expect(await refusalOf(await taken("7788a", "3005550001"))).toEqual(["duplicate_user", "/nit"]);
    expect(await refusalOf(await taken("7789", "300-777-8888"))).toEqual(["duplicate_user", "/phone"]);
    expect(await refusalOf(await taken("77-88.a", "300 777 88 88"))).toEqual(["duplicate_user", "/nit", "/phone"]);
    const other = await service.anEntity("Other");
    await expect(
      other.client.createUser({ body: { name: "Third", nit: "7788A", phone: "3005550002" } }),
    ).rejects.toMatchObject({ code: "duplicate_user" });
  });

  const proper = { name: "Ana", nit: "N1", phone: "3009998877" };
  const wrong: readonly (readonly [string, object, ...string[]])[] = [
    ["no name", { name: undefined }, "/name"],
    ["a blank name", { name: " \u00a0 " }, "/name"],
    ["an empty name", { name: "" }, "/name"],
    ["a name of 201 characters", { name: "n".repeat(201) }, "/name"],
    ["a name on two lines", { name: "Ana\nLuis" }, "/name"],
    ["a name that is written backwards in part", { business_name: "Caf\u202e\u00e9" }, "/business_name"],
    ["a name that nobody sees", { name: "\u3164\u3164" }, "/name"],
    ["a name of blanks of other scripts", { name: "\u2800 \u00a0" }, "/name"],
    ["a name with letters that nobody sees", { business_name: "Mi\u200bTienda" }, "/business_name"],
    ["a name that imitates another by a Cyrillic letter", { name: "Bancol\u043embia" }, "/name"],
    ["a name of punctuation alone", { business_name: "—!" }, "/business_name"],
    ["a name in another normalization form", { name: "Nin\u0303o" }, "/name"],
    ["a nit of 21 characters", { nit: "1".repeat(21) }, "/nit"],
    ["a nit with a space", { nit: "9 1" }, "/nit"],
    ["a nit of dots alone", { nit: "..." }, "/nit"],
    ["a phone that is none", { phone: "12" }, "/phone"],
    ["a phone of letters", { phone: "call me" }, "/phone"],
    ["an e-mail without a domain", { email: "ana@" }, "/email"],
    ["an image of another kind", { image: "data:image/gif;base64,AAAA" }, "/image"],
    ["an image by plain http", { image: "http://example.com/a.png" }, "/image"],
    ["an image at no address", { image: "https://[::x/" }, "/image"],
    ["an image above 128 KiB", { image: `data:image/png;base64,${"A".repeat(175_000)}` }, "/image"],
    ["a score above 1000", { score: 1001 }, "/score"],
    ["a score with decimals", { score: 1.5 }, "/score"],
    ["a negative quota", { quota: -1 }, "/quota"],
    ["a quota with three decimals", { quota: 0.001 }, "/quota"],
    ["a quota above the largest balance", { quota: 10_000_000_000_000 }, "/quota"],
    ["a status of payments", { status: "approved" }, "/status"],
    ["payment data that is a list", { payment_data: [] }, "/payment_data"],
    ["payment data above 16 KiB", { payment_data: { a: "x".repeat(16_400) } }, "/payment_data"],
    ["fields that only answers have", { id: "x", history: [], apn_token: "x" }, "/apn_token", "/history", "/id"],
    ["the other spelling", { bussines_name: "Café" }, "/bussines_name"],
    [
      "several faults at once",
      { name: 1, nit: null, email: "x", score: -1, extra: 1 },
      ..."/email /extra /name /nit /score".split(" "),
    ],
  ];
  const tried = wrong.map(([law, change, ...places]) => ({ law, change, places }));
  it.each(tried)("refuses $law, and says where", async ({ change, places }) => {
    const response = await raw("createUser", { body: { ...proper, ...change } });
    expect(await refusalOf(response)).toEqual(["invalid_request", ...places]);
  });

  it("takes what lies just inside the limits", async () => {
    const body = {
      name: "n".repeat(200),
      nit: "1234567890.1234567890",
      phone: "+1 212 555 0123",
      score: 1000,
      quota: 9_999_999_999_999.99,
      image: `data:image/webp;base64,${"A".repeat(174_000)}`,
    };
    const { body: made } = await fintech.client.createUser({ body });
    expect(made).toMatchObject({ quota: 9_999_999_999_999.99, score: 1000, phone: "+12125550123" });
  });
});
