import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { serviceContract } from "../../src/contract/service/service.ts";
import { aService, aUser, type TestEntity, type TestService } from "../support/service.ts";
import {
  type OperationName,
  problemOf,
  type RawClient,
  rawClient,
  refusalOf,
  standing,
} from "../support/service-calls.ts";

let service: TestService;
let fintech: TestEntity;
let raw: RawClient;
let ana: string;
let shop: string;

beforeAll(async () => {
  service = await aService();
  fintech = await service.anEntity();
  raw = await rawClient(service, fintech);
  [ana, shop] = [(await aUser(fintech, { quota: 100_000 })).id, (await aUser(fintech)).id];
});
afterAll(() => service.stop());

/** The JSON of a body in which one field is the given text, as it stands. */
function bodyWith(fields: Readonly<Record<string, unknown>>, name: string, json: string): string {
  const others = Object.entries(fields).filter(([field]) => field !== name);
  return `{${[...others.map(([field, value]) => `"${field}":${JSON.stringify(value)}`), `"${name}":${json}`].join()}}`;
}

const properBodies = (): Partial<Record<OperationName, Record<string, unknown>>> => ({
  createUser: { name: "Ana", nit: "bad-1", phone: "3105556677" },
  addQuota: { id: ana, amount: "1", loan_type: "default", payment_date: "2900-01-01" },
  createTransaction: { amount: 1, from_user_id: ana, to_user_id: shop },
  createPaymentTransaction: { from_user_id: ana, payments: [{ amount: 1, to_user_id: shop }] },
  createRechargeTransaction: { amount: 1, from_user_id: ana, to_user_id: shop },
  createTransactionQr: { amount: 1, to_user_id: shop },
  createLedgerTransaction: { amount: 1, from_user_id: ana, to_user_id: shop },
  cancelTransactionQr: { reference: "7K3M9QXT2V4FW" },
});

describe("an amount", () => {
  const wrong: readonly (readonly [string, RegExp])[] = [
    ["1e400", /15 significant digits/],
    ["-1e400", /15 significant digits/],
    ["0.1000000000000000055", /15 significant digits/],
    ["12345678901234567890", /15 significant digits/],
    ["1234567890123456", /15 significant digits/],
    ["10000000000000", /at most 9999999999999\.99/],
    ["1e21", /at most 9999999999999\.99/],
    ["1e308", /too long/],
    ["1e-7", /at most 2 decimals/],
    ["0.001", /at most 2 decimals/],
    ["0", /greater than zero/],
    ["-0", /greater than zero/],
    ["0e99", /greater than zero/],
    ["-5", /greater than zero/],
    ['"NaN"', /must be a JSON number/],
    ['"10"', /must be a JSON number/],
    ["null", /must be a JSON number/],
    ["true", /must be a JSON number/],
    ["[10]", /must be a JSON number/],
    ["{}", /must be a JSON number/],
    [`1${"0".repeat(100_000)}1`, /15 significant digits/],
    [`1.${"0".repeat(200_000)}1`, /15 significant digits/],
  ];
  const tried = wrong.map(([json, sentence]) => ({ shown: json.slice(0, 30), json, sentence }));
  it.each(tried)("of $shown is refused with a sentence that helps", async ({ json, sentence }) => {
    const before = await standing(service);
    for (const name of ["createTransaction", "createRechargeTransaction", "createTransactionQr"] as const) {
      const started = performance.now();
      const response = await raw(name, { text: bodyWith(properBodies()[name] ?? {}, "amount", json) });
      const { code, errors } = await problemOf(response);
      expect([code, errors?.length, errors?.[0]?.pointer]).toEqual(["invalid_request", 1, "/amount"]);
      expect(errors?.[0]?.detail).toMatch(sentence);
      expect(performance.now() - started).toBeLessThan(1_000);
    }
    expect(await standing(service)).toEqual(before);
  });

  it.each(["1e3", "1000.00", "1.0e3", "1000"])("of %s is a thousand", async (json) => {
    const text = bodyWith(properBodies().createTransaction ?? {}, "amount", json);
    expect(await (await raw("createTransaction", { text })).json()).toMatchObject({ amount: 1000, status: "approved" });
  });

  it("as text of any length is judged at once", async () => {
    for (const amount of [
      `1${"0".repeat(250_000)}1`,
      "0".repeat(250_000),
      `0.${"0".repeat(250_000)}`,
      "9".repeat(99),
    ]) {
      const started = performance.now();
      const response = await raw("addQuota", { body: { ...properBodies().addQuota, amount } });
      expect(await refusalOf(response)).toEqual(["invalid_request", "/amount"]);
      expect(performance.now() - started).toBeLessThan(1_000);
    }
  });
});

describe("a text field", () => {
  const textFields: readonly (readonly [OperationName, string])[] = [
    ...["name", "nit", "phone", "address", "business_name", "email", "image"].map(
      (field) => ["createUser", field] as const,
    ),
    ...["amount", "id", "nit", "loan_type", "payment_date"].map((field) => ["addQuota", field] as const),
    ...["date", "from_user", "from_user_id", "status", "to_user"].map((field) => ["createTransaction", field] as const),
    ...["date", "from_user_id", "to_user_id"].map((field) => ["createLedgerTransaction", field] as const),
    ...["date", "from_user", "from_user_id", "status", "to_user"].map(
      (field) => ["createRechargeTransaction", field] as const,
    ),
    ...["from_user", "from_user_id"].map((field) => ["createPaymentTransaction", field] as const),
    ...["date", "to_user", "to_user_id"].map((field) => ["createTransactionQr", field] as const),
    ["cancelTransactionQr", "reference"],
  ];
  const texts: readonly (readonly [string, string])[] = [
    ["NUL", '"a\\u0000b"'],
    ["NUL in an https address", '"https://example.com/\\u0000"'],
    ["NUL in an e-mail address", '"a\\u0000@example.com"'],
    ["half a surrogate pair", '"a\\ud800b"'],
    ["the other half", '"\\udfff"'],
    ["blanks", '" \\u00a0\\t "'],
    ["nothing", '""'],
    ["a number", "7"],
    ["null", "null"],
    ["a list", '["a"]'],
    ["an object", '{"a":"b"}'],
    ["a number no double holds", "1e999"],
    ["200 000 characters", `"${"a".repeat(200_000)}"`],
  ];
  it.each(texts)("with %s is refused, wherever it is", async (_, json) => {
    const before = await standing(service);
    for (const [name, field] of textFields) {
      const response = await raw(name, { text: bodyWith(properBodies()[name] ?? {}, field, json) });
      expect([name, ...new Set(await refusalOf(response))]).toEqual([name, "invalid_request", `/${field}`]);
    }
    expect(await standing(service)).toEqual(before);
  });

  it("keeps whatever else people write: quotes, backslashes, emoji, other scripts, controls", async () => {
    const name = `O'Neill "Bobby"; drop table \\users\\ -- 😀 中文`;
    const address = "Calle 1\n# 2 \u0001\u007f ‏עברית‏";
    const made = (await fintech.client.createUser({ body: { name, address, nit: "odd-1", phone: "3105550001" } })).body;
    expect(made).toMatchObject({ name, address });
    expect((await fintech.client.user({ query: { id: made.id } })).body.name).toBe(name);
    const qr = await fintech.client.createTransactionQr({ body: { amount: 1, to_user_id: made.id, to_user: name } });
    expect(qr.status).toBe(201);
    const hebrew = { name: 'עברית "ב" 😀', nit: "odd-3", phone: "3105550003" };
    expect((await fintech.client.createUser({ body: hebrew })).body.name).toBe(hebrew.name);
    const nameless = { name: "中文", nit: "odd-2", phone: "3105550002", payment_data: { city: "東京" } };
    const payee = (await fintech.client.createUser({ body: nameless })).body.id;
    expect((await fintech.client.createTransactionQr({ body: { to_user_id: payee } })).status).toBe(201);
  });
});

describe("an unknown field", () => {
  it("is refused beside every other fault, also under a prototype's name", async () => {
    const names = ["__proto__", "constructor", "prototype", "toString", "hasOwnProperty", "", "a/b", "a~b", "Amount"];
    const pointers = [
      "/__proto__",
      "/constructor",
      "/prototype",
      "/toString",
      "/hasOwnProperty",
      "/",
      "/a~1b",
      "/a~0b",
      "/Amount",
    ];
    const extra = names.map((name) => `${JSON.stringify(name)}:{"a":1}`).join();
    for (const [operation, body] of Object.entries(properBodies()) as [OperationName, object][]) {
      const text = `${JSON.stringify(body).slice(0, -1)},${extra}}`;
      expect(await refusalOf(await raw(operation, { text }))).toEqual(["invalid_request", ...pointers.sort()]);
    }
  });

  it("that the service itself assigns says so, and one with another name says which", async () => {
    const sent = { ...properBodies().createTransaction, id: "1", reference: "2", created_at: "3" };
    const { errors } = await problemOf(await raw("createTransaction", { body: sent }));
    expect(Object.fromEntries(errors?.map(({ pointer, detail }) => [pointer, detail]) ?? [])).toEqual({
      "/id": "is assigned by the service: leave it out",
      "/reference": "is assigned by the service: leave it out",
      "/created_at": "is not known here: check the spelling or leave it out",
    });
    const change = { id: ana, quota: 5, business_name: "x" };
    const { errors: misplaced } = await problemOf(await raw("updateUser", { body: change }));
    expect(misplaced).toEqual([
      { pointer: "/quota", detail: "is changed by add-quota and discharge-quota" },
      { pointer: "/business_name", detail: "is spelled bussines_name in update-user" },
    ]);
  });
});

describe("a name that is sent twice", () => {
  it("is refused with its place in every writing operation, and nothing happens", async () => {
    const before = await standing(service);
    const names = (Object.keys(serviceContract) as OperationName[]).filter((name) => "body" in serviceContract[name]);
    for (const name of names) {
      const proper = JSON.stringify({ amount: 1, ...properBodies()[name] }).slice(1);
      for (const [text, pointer] of [
        [`{"amount":5000,${proper}`, "/amount"],
        [`{"\\u0061mount":1,${proper}`, "/amount"],
        [`{"details":{"a":[1,{"b/c":1,"b/c":1}]},${proper}`, "/details/a/1/b~1c"],
        [`{"__proto__":1,"__proto__":1,${proper}`, "/__proto__"],
      ] as const) {
        const { code, detail, errors } = await problemOf(await raw(name, { text }));
        expect([name, code, errors]).toEqual([
          name,
          "malformed_json",
          [{ pointer, detail: expect.stringMatching(/once/) }],
        ]);
        expect(detail).toMatch(/send each name once/);
      }
    }
    expect(await standing(service)).toEqual(before);
  });
});

describe("a problem document", () => {
  it("lists a hundred faults and counts the rest, however many there are", async () => {
    const payments = `[${"{},".repeat(80_000)}{}]`;
    const text = `{"from_user_id":"${ana}","payments":${payments}}`;
    const { code, errors = [] } = await problemOf(await raw("createPaymentTransaction", { text }));
    expect([code, errors.length]).toEqual(["invalid_request", 101]);
    expect(errors.at(-1)?.detail).toMatch(/^and \d+ more faults$/);
    const fields = Object.fromEntries(Array.from({ length: 150 }, (_, index) => [`field${index}`, 1]));
    const { errors: unknown = [] } = await problemOf(await raw("createTransaction", { body: fields }));
    expect(unknown).toHaveLength(101);
  });

  it("echoes nothing of what was sent", async () => {
    const secret = "s3cret-value";
    const body = {
      amount: secret,
      from_user_id: secret,
      to_user_id: secret,
      date: secret,
      status: secret,
      details: secret,
    };
    const text = await (await raw("createTransaction", { body })).text();
    expect(text).not.toContain(secret);
    const token = await raw("createTransaction", { body, headers: { authorization: `Bearer ${secret}` } });
    expect(await token.text()).not.toContain(secret);
    expect(await (await raw("user", { query: { id: secret } })).text()).not.toContain(secret);
    expect(await (await raw("createTransaction", { text: `{"a": ${secret}}` })).text()).not.toContain(secret);
  });
});
