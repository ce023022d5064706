import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { aService, aUser, type TestEntity, type TestService } from "../support/service.ts";
import { expectSoundBooks, NOBODY, type RawClient, rawClient, refusalOf, standing } from "../support/service-calls.ts";

const REFERENCE = /^[0-9A-HJKMNP-TV-Z]{13}$/;
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const HOUR_MS = 3_600_000;

let service: TestService;
let fintech: TestEntity;
let raw: RawClient;
let ana: string;
let shop: string;

beforeAll(async () => {
  service = await aService();
  fintech = await service.anEntity();
  raw = await rawClient(service, fintech);
  ana = (await aUser(fintech, { name: "Ana  Ñustes Peláez", quota: 100_000 })).id;
  const body = { name: "Luis Gómez", business_name: "Café Ñandú S.A.S.", nit: "shop", phone: "3201112233" };
  shop = (await fintech.client.createUser({ body })).body.id;
});
afterAll(() => service.stop());

const pay = async (changes: object = {}) =>
  raw("createTransaction", { body: { amount: 10, from_user_id: ana, to_user_id: shop, ...changes } });

describe("create-transaction", () => {
  it("settles at once and answers every field", async () => {
    const date = "2026-01-31T23:30:00-05:00";
    const details = { order: "A-1", lines: [{ n: 1.5 }, null] };
    const body = { amount: 25_000.5, date, details, from_user_id: ana, to_user_id: shop };
    const { body: paid, status } = await fintech.client.createTransaction({ body });
    expect(status).toBe(201);
    expect(paid).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/),
      reference: expect.stringMatching(REFERENCE),
      kind: "payment",
      status: "approved",
      amount: 25_000.5,
      currency: "COP",
      date: "2026-02-01T04:30:00.000Z",
      created_at: expect.stringMatching(INSTANT),
      details,
      to_business_name: "Café Ñandú S.A.S.",
      from_user: "Ana  Ñustes Peláez",
      from_user_id: ana,
      to_user: "Luis Gómez",
      to_user_id: shop,
      from_balance_after: 74_999.5,
      to_balance_after: 25_000.5,
    });
    expect((await fintech.client.user({ query: { id: ana } })).body.quota).toBe(74_999.5);
    await expectSoundBooks(service);
  });

  it("rejects what the payer does not have: 201, the reason, a reference, and nothing moves", async () => {
    const before = await fintech.client.user({ query: { id: ana } });
    const response = await pay({ amount: 1_000_000 });
    expect(response.status).toBe(201);
    const rejected = await response.json();
    expect(rejected).toMatchObject({ status: "rejected", reason: "insufficient_balance", amount: 1_000_000 });
    expect(rejected.reference).toMatch(REFERENCE);
    expect(rejected).not.toHaveProperty("from_balance_after");
    const after = await fintech.client.user({ query: { id: ana } });
    expect(after.body.quota).toBe(before.body.quota);
    expect((await fintech.client.transaction({ query: { id: rejected.id } })).body).toEqual(rejected);
  });

  it("rejects what would take the payee past the largest balance", async () => {
    const full = await aUser(fintech, { quota: 9_999_999_999_999.99 });
    const rejected = await (await pay({ to_user_id: full.id, amount: 0.01 })).json();
    expect(rejected).toMatchObject({ status: "rejected", reason: "balance_limit" });
  });

  it("only records what the caller rejected: no reason, and nothing moves", async () => {
    const response = await pay({ status: "rejected" });
    expect(response.status).toBe(201);
    const recorded = await response.json();
    expect(recorded.status).toBe("rejected");
    expect(recorded).not.toHaveProperty("reason");
    expect(recorded).not.toHaveProperty("to_balance_after");
  });

  it("takes ids in capitals, and answers them in small letters", async () => {
    const paid = await (await pay({ from_user_id: ana.toUpperCase(), to_user_id: shop.toUpperCase() })).json();
    expect(paid).toMatchObject({ status: "approved", from_user_id: ana, to_user_id: shop });
    const response = await pay({ to_user_id: ana.toUpperCase() });
    expect(await refusalOf(response)).toEqual(["invalid_request", "/to_user_id"]);
  });

  const names: readonly (readonly [string, string, string])[] = [
    ["the name", "from_user", "Ana  Ñustes Peláez"],
    ["the name without accents, in capitals, spaced otherwise", "from_user", " ANA NUSTES  PELAEZ "],
    ["the name with combining accents", "from_user", "Ana Ñustes Peláez".normalize("NFD")],
    ["the business name", "to_user", "cafe nandu s.a.s."],
    ["the person behind the business", "to_user", "luis gomez"],
  ];
  it.each(names)("takes %s", async (_, field, name) => {
    expect((await pay({ [field]: name })).status).toBe(201);
  });

  it("refuses a name that is another's, and says which", async () => {
    expect(await refusalOf(await pay({ from_user: "Luis Gómez" }))).toEqual(["name_mismatch", "/from_user"]);
    const both = await pay({ from_user: "Café Ñandú", to_user: "Ana" });
    expect(await refusalOf(both)).toEqual(["name_mismatch", "/from_user", "/to_user"]);
  });
});

describe("details", () => {
  const texts: readonly (readonly [string, string])[] = [
    ["numbers no double holds", '{"n":0.1000000000000000055,"big":123456789012345678901234567890,"e":1e400}'],
    ["the spelling of numbers that one holds", '{"n":10}'],
    ["prototype names", '{"__proto__":{"a":1},"constructor":"x","toString":null,"hasOwnProperty":[]}'],
    ["text of every plane", '{"😀":"\u2028 é \ud83d\ude00 \\u0001"}'],
    ["the escape of NUL as six characters", '{"path":"C:\\\\u0000x"}'],
    ["an order of names", '{"z":1,"a":2,"m":{"y":1,"b":2}}'],
    ["a qr that is no code", '{"qr":"000201 is how it starts"}'],
    ["a qr that is an object", '{"qr":{"payload":"000201"}}'],
    ["emptiness", "{}"],
    ["64 keys", `{${Array.from({ length: 64 }, (_, n) => `"k${n}":${n}`).join()}}`],
    ["60 levels", `{"a":${"[".repeat(60)}${"]".repeat(60)}}`],
  ];
  it.each(texts)("come back exactly: %s", async (_, details) => {
    const text = `{"amount":1,"from_user_id":"${ana}","to_user_id":"${shop}","details":${details}}`;
    const answer = await (await raw("createTransaction", { text })).text();
    const canonical = details.startsWith('{"😀"') ? JSON.stringify(JSON.parse(details)) : details;
    expect(answer).toContain(`"details":${canonical},`);
    const { id } = JSON.parse(answer);
    expect(await (await raw("transaction", { query: { id } })).text()).toBe(answer);
  });

  const refused: readonly (readonly [string, string])[] = [
    ["a list", "[]"],
    ["null", "null"],
    ["a number beyond doubles", "1e400"],
    ["65 keys", `{${Array.from({ length: 65 }, (_, n) => `"k${n}":${n}`).join()}}`],
    ["more than 16 KiB", `{"a":"${"é".repeat(8_200)}"}`],
    ["NUL in a text", '{"a":"x\\u0000"}'],
    ["NUL in a name", '{"a\\u0000":1}'],
  ];
  it.each(refused)("are refused: %s", async (_, details) => {
    const text = `{"amount":1,"from_user_id":"${ana}","to_user_id":"${shop}","details":${details}}`;
    expect(await refusalOf(await raw("createTransaction", { text }))).toEqual(["invalid_request", "/details"]);
  });
});

describe("the date", () => {
  const soon = new Date(Date.now() + 23 * HOUR_MS);
  const local = new Date(soon.getTime() - 5 * HOUR_MS).toISOString().slice(0, 19);
  const taken: readonly (readonly [string, string])[] = [
    ["2026-03-31", "2026-03-31T05:00:00.000Z"],
    ["2026-03-31T14:05", "2026-03-31T19:05:00.000Z"],
    ["2026-03-31 14:05:06", "2026-03-31T19:05:06.000Z"],
    ["2026-03-31T14:05:06.123456789", "2026-03-31T19:05:06.123Z"],
    ["2026-03-31t14:05:06.5z", "2026-03-31T14:05:06.500Z"],
    ["2026-03-31T14:05-0530", "2026-03-31T19:35:00.000Z"],
    ["1900-01-01T00:00:00Z", "1900-01-01T00:00:00.000Z"],
    ["2024-02-29", "2024-02-29T05:00:00.000Z"],
    [local, `${soon.toISOString().slice(0, 19)}.000Z`],
  ];
  it.each(taken)("%s is read in the business time zone unless it has an offset", async (date, expected) => {
    expect(await (await pay({ date })).json()).toMatchObject({ date: expected });
  });

  const refused = [
    ..."2026-02-29 2026-13-01 2026-1-1 20260331 2026-03-31T24:00 2026-03-31T14:60 2026-03-31T14 yesterday".split(" "),
    ..."0000-01-01T00:00:00Z 0099-01-01 9999-12-31T23:59:59-23:59 2026-03-31T14:05+99:00 2026-03-31T14:05+05:60".split(
      " ",
    ),
    "",
    new Date(Date.now() + 25 * HOUR_MS).toISOString(),
  ];
  it.each(refused)("%s is refused", async (date) => {
    expect(new Set(await refusalOf(await pay({ date })))).toEqual(new Set(["invalid_request", "/date"]));
  });

  it("is now when none is sent", async () => {
    const { date, created_at } = await (await pay()).json();
    expect(date).toBe(created_at);
  });
});

describe("create-transaction refuses, in this order", () => {
  it("a forged QR, unknown users, another's payer, names", async () => {
    const other = await service.anEntity("Other");
    const theirs = await aUser(other, { quota: 10 });
    const before = await standing(service);
    const forged = { details: { qr: "0002010005co.qp" } };
    const faults = { from_user_id: theirs.id, to_user_id: NOBODY, from_user: "Nobody" };
    expect(await refusalOf(await pay({ ...forged, ...faults }))).toEqual(["qr_not_authentic"]);
    expect(await refusalOf(await pay({ status: "pending", ...forged, ...faults }))).toEqual(["qr_not_authentic"]);
    expect(await refusalOf(await pay(faults))).toEqual(["user_not_found"]);
    expect(await refusalOf(await pay({ ...faults, to_user_id: shop }))).toEqual(["payer_not_yours"]);
    expect(await refusalOf(await pay({ from_user: "Nobody" }))).toEqual(["name_mismatch", "/from_user"]);
    expect(await refusalOf(await pay({ from_user_id: NOBODY }))).toEqual(["user_not_found"]);
    expect(await standing(service)).toEqual(before);
  });
});
