import { inflateSync } from "node:zlib";
import jsqr from "jsqr";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parseQrPayload } from "../../src/qr-payload.ts";
import { aService, aUser, type TestEntity, type TestService } from "../support/service.ts";
import { NOBODY, type RawClient, rawClient, refusalOf, standing } from "../support/service-calls.ts";

const REFERENCE = /^[0-9A-HJKMNP-TV-Z]{13}$/;
const CHECK_CODE = /^[0-9A-HJKMNP-TV-Z]{4}$/;

let service: TestService;
let fintech: TestEntity;
let raw: RawClient;
let ana: string;
let shop: string;

beforeAll(async () => {
  service = await aService();
  fintech = await service.anEntity();
  raw = await rawClient(service, fintech);
  ana = (await aUser(fintech, { name: "Ana", quota: 100_000 })).id;
  const body = { name: "Luis", business_name: "Café Ñandú", nit: "SHOP-1", phone: "3201112233" };
  const place = { payment_data: { city: "Medellín" } };
  shop = (await fintech.client.createUser({ body: { ...body, ...place } })).body.id;
});
afterAll(() => service.stop());

/** The text of a one-bit greyscale PNG's QR, as a phone reads it. */
function readPng(png: Uint8Array): string | undefined {
  const view = Buffer.from(png);
  const width = view.readUInt32BE(16);
  const start = view.indexOf("IDAT") + 4;
  const lines = inflateSync(view.subarray(start, start + view.readUInt32BE(start - 8)));
  const stride = 1 + Math.ceil(width / 8);
  const pixels = new Uint8ClampedArray(width * width * 4).fill(255);
  for (let at = 0; at < width * width; at++) {
    const [row, column] = [Math.floor(at / width), at % width];
    const isWhite = ((lines[row * stride + 1 + (column >> 3)] ?? 0) >> (7 - (column & 7))) & 1;
    pixels.fill(isWhite * 255, at * 4, at * 4 + 3);
  }
  return jsqr(pixels, width, width, { inversionAttempts: "dontInvert" })?.data;
}

function fieldsOf(payload: string) {
  const parsed = parseQrPayload(payload, "co.qp");
  if (parsed.kind !== "cupo") throw new Error(`the payload is ${parsed.kind}`);
  return parsed.fields;
}

describe("create-transaction-qr", () => {
  it("reserves a reference for an amount: JSON with payload, image, check code and 900 seconds", async () => {
    const asked = Date.now();
    const body = { amount: 25_000.5, to_user_id: shop, details: { order: "7" } };
    const { body: qr, status } = await fintech.client.createTransactionQr({ body });
    expect(status).toBe(201);
    expect(qr).toEqual({
      reference: expect.stringMatching(REFERENCE),
      payload: expect.stringMatching(/^000201010212/),
      image: expect.stringMatching(/^data:image\/png;base64,/),
      expires_at: expect.stringMatching(/:\d\d\.000Z$/),
      expires_in: expect.any(Number),
      check_code: expect.stringMatching(CHECK_CODE),
      ...{ to_user_id: shop, to_user: "Café Ñandú", amount: 25_000.5, currency: "COP" },
    });
    expect(qr.expires_in).toBeGreaterThanOrEqual(899);
    expect(qr.expires_in).toBeLessThanOrEqual(900);
    expect(Math.abs(Date.parse(qr.expires_at ?? "") - asked - 900_000)).toBeLessThan(5_000);
    expect(readPng(Buffer.from(qr.image?.slice(22) ?? "", "base64"))).toBe(qr.payload);
    expect(fieldsOf(qr.payload)).toMatchObject({
      amountMinor: 2_500_050n,
      reference: qr.reference,
      payee: "Cafe Nandu",
      payeeNit: "SHOP1",
      payeeId: shop,
      city: "Medellin",
      currency: { numeric: "170" },
      expiresAt: Date.parse(qr.expires_at ?? "") / 1000,
    });
  });

  it("says in ASCII who is paid, in which city, and the category that the payee's creator gave", async () => {
    const places: [string, Record<string, unknown>, object][] = [
      [
        "Παντοπωλείο",
        { city: "Αθήνα", mcc: "5812" },
        { payee: "Pantopoleio", city: "Athina", merchantCategory: "5812" },
      ],
      ["Tienda 北", { city: "🏙️", mcc: 5411 }, { payee: "Tienda Bei", city: "Bogota", merchantCategory: "5411" }],
      ["Tienda", { mcc: "0000" }, { payee: "Tienda", merchantCategory: "5999" }],
      ["Tienda", { mcc: 742 }, { payee: "Tienda", merchantCategory: "0742" }],
      ["Tienda", { mcc: { toString: 1 } }, { payee: "Tienda", merchantCategory: "5999" }],
      ["Tienda", { mcc: "shop" }, { payee: "Tienda", merchantCategory: "5999" }],
    ];
    for (const [index, [name, paymentData, carried]] of places.entries()) {
      const body = { name, nit: `SHOP-${index}NIT1`, phone: `320111224${index}`, payment_data: paymentData };
      const { id } = (await fintech.client.createUser({ body })).body;
      const { body: qr } = await fintech.client.createTransactionQr({ body: { to_user_id: id } });
      expect(qr.payload).toContain("86990005co.qp0186");
      expect(fieldsOf(qr.payload)).toMatchObject(carried);
    }
  });

  it("calls a payee by their NIT whose name, from before names needed a letter, is nothing in ASCII", async () => {
    const body = { name: "Pato", nit: "SHOP-9NIT1", phone: "3201112249" };
    const { id } = (await fintech.client.createUser({ body })).body;
    await service.sql`update service.users set name = '🦆' where id = ${id}`;
    const { body: qr } = await fintech.client.createTransactionQr({ body: { to_user_id: id } });
    expect(fieldsOf(qr.payload)).toMatchObject({ payee: "USER NIT1" });
  });

  it("registers no payment", async () => {
    const { body: qr } = await fintech.client.createTransactionQr({ body: { amount: 5, to_user_id: shop } });
    const rows = await service.sql`select 1 from service.transactions where reference = ${qr.reference ?? ""}`;
    expect(rows).toHaveLength(0);
  });

  it("makes a static code without an amount: no reference, no expiry, nothing reserved", async () => {
    const before = await standing(service);
    const { body: qr } = await fintech.client.createTransactionQr({ body: { to_user_id: shop } });
    expect(Object.keys(qr).sort()).toEqual(["check_code", "currency", "image", "payload", "to_user", "to_user_id"]);
    expect(qr.payload).toMatch(/^000201010211/);
    expect(fieldsOf(qr.payload)).not.toHaveProperty("amountMinor");
    const image = await raw("createTransactionQr", { body: { to_user_id: shop }, headers: { accept: "image/png" } });
    expect(image.headers.get("payment-check-code")).toMatch(CHECK_CODE);
    for (const name of ["payment-reference", "payment-expires", "payment-expires-in"]) {
      expect(image.headers.get(name)).toBeNull();
    }
    expect(await standing(service)).toEqual(before);
  });

  it("leaves the image out of JSON for a caller that refuses images", async () => {
    const headers = { accept: "application/json", prefer: "return=minimal" };
    const response = await raw("createTransactionQr", { body: { amount: 1, to_user_id: shop }, headers });
    expect(response.headers.get("content-type")).toBe("application/json");
    const qr = await response.json();
    expect(qr).toMatchObject({ reference: expect.stringMatching(REFERENCE), payload: expect.any(String) });
    expect(qr).not.toHaveProperty("image");
  });

  const accepts: readonly (readonly [string | null, string])[] = [
    [null, "image/png"],
    ["*/*", "image/png"],
    ["image/*", "image/png"],
    ["image/svg+xml", "image/svg+xml"],
    ["image/png;q=0.1, image/svg+xml;q=0.9", "image/svg+xml"],
    ["application/json", "application/json"],
    ["application/json, text/plain", "application/json"],
    ["application/json, */*", "image/png"],
    ["application/json, image/*", "image/png"],
    ["IMAGE/PNG", "image/png"],
    [",,;;q=x,image/png;q=banana", "image/png"],
  ];
  it.each(accepts)("answers Accept: %s with %s", async (accept, type) => {
    const response = await raw("createTransactionQr", { body: { amount: 1, to_user_id: shop }, headers: { accept } });
    expect([response.status, response.headers.get("content-type")]).toEqual([201, type]);
    expect(response.headers.get("vary")).toBe("Accept");
  });

  it.each(["text/html", "application/xml, text/*", "image/gif", "image/png;q=0"])("has no %s: 406", async (accept) => {
    const before = await standing(service);
    const response = await raw("createTransactionQr", { body: { amount: 1, to_user_id: shop }, headers: { accept } });
    expect(await refusalOf(response)).toEqual(["not_acceptable"]);
    expect(await standing(service)).toEqual(before);
  });

  it("carries the same facts in the headers of its images, which a phone can read", async () => {
    const body = { amount: 12, to_user_id: shop, expires_in: 60 };
    for (const accept of ["image/png", "image/svg+xml"]) {
      const response = await raw("createTransactionQr", { body, headers: { accept } });
      const reference = response.headers.get("payment-reference") ?? "";
      const { body: standingQr } = await fintech.client.transactionQr({ query: { reference } });
      expect(response.headers.get("payment-expires")).toBe(standingQr.expires_at);
      expect(response.headers.get("payment-check-code")).toBe(standingQr.check_code);
      expect(Number(response.headers.get("payment-expires-in"))).toBeGreaterThan(55);
      if (accept === "image/png") {
        expect(readPng(new Uint8Array(await response.arrayBuffer()))).toBe(standingQr.payload);
      } else expect(await response.text()).toMatch(/^<svg [\s\S]*Café Ñandú[\s\S]*<\/svg>\s*$/);
    }
  });
});

describe("create-transaction-qr refuses", () => {
  const cases: readonly (readonly [string, object, ...string[]])[] = [
    ["no payee", { to_user_id: undefined }, "invalid_request", "/to_user_id"],
    ["29 seconds", { expires_in: 29 }, "invalid_request", "/expires_in"],
    ["more than a day", { expires_in: 86_401 }, "invalid_request", "/expires_in"],
    ["half a second", { expires_in: 60.5 }, "invalid_request", "/expires_in"],
    ["an expiry of a static code", { amount: undefined, expires_in: 60 }, "invalid_request", "/expires_in"],
    ["a payer of a static code", { amount: undefined, from_user_id: NOBODY }, "invalid_request", "/from_user_id"],
    ["a payer's name alone", { from_user: "Ana" }, "invalid_request", "/from_user"],
    ["a reference of the caller's", { reference: "7K3M9QXT2V4FW" }, "invalid_request", "/reference"],
    ["a status of the past", { status: "rejected" }, "invalid_request", "/status"],
    [
      "more than a QR carries, before an unknown payee",
      { amount: 10_000_000_000, to_user_id: NOBODY },
      "amount_too_large_for_qr",
    ],
    ["an unknown payee", { to_user_id: NOBODY }, "user_not_found"],
    ["an unknown payer, before a wrong name", { from_user_id: NOBODY, to_user: "Eva" }, "user_not_found"],
    ["a name that is not the payee's", { to_user: "Eva" }, "name_mismatch", "/to_user"],
  ];
  it.each(cases.map(([law, change, ...refusal]) => ({ law, change, refusal })))("$law", async ({ change, refusal }) => {
    const before = await standing(service);
    const response = await raw("createTransactionQr", { body: { amount: 10, to_user_id: shop, ...change } });
    expect(await refusalOf(response)).toEqual(refusal);
    expect(await standing(service)).toEqual(before);
  });

  it("a payer's name that is another's, and the payee as payer", async () => {
    const named = await raw("createTransactionQr", {
      body: { amount: 10, to_user_id: shop, from_user_id: ana, from_user: "Eva", to_user: "LUIS" },
    });
    expect(await refusalOf(named)).toEqual(["name_mismatch", "/from_user"]);
    const self = { amount: 10, to_user_id: shop, from_user_id: shop.toUpperCase() };
    expect(await refusalOf(await raw("createTransactionQr", { body: self }))).toEqual([
      "invalid_request",
      "/to_user_id",
    ]);
  });

  it("nothing just inside: 9 999 999 999.99, 30 seconds, a day, the payer's name without accents", async () => {
    const body = {
      amount: 9_999_999_999.99,
      to_user_id: shop,
      to_user: "cafe nandu",
      from_user_id: ana,
      from_user: "ÁNA",
    };
    for (const expires_in of [30, 86_400]) {
      expect((await fintech.client.createTransactionQr({ body: { ...body, expires_in } })).status).toBe(201);
    }
  });
});
