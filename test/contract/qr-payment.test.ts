import { generateKeyPairSync, sign } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { emvChecksum } from "../../src/qr-payload/emv-data-objects.ts";
import { encodeQrPayload } from "../../src/qr-payload.ts";
import { aService, aUser, type TestEntity, type TestService } from "../support/service.ts";
import { expectSoundBooks, type RawClient, rawClient, refusalOf, standing } from "../support/service-calls.ts";

const PIX = "00020126330014br.gov.bcb.pix0111123456789095204000053039865802BR5903Ana6006Brasil62070503***63041D3D";

let service: TestService;
let fintech: TestEntity;
let raw: RawClient;
let ana: string;
let eva: string;
let shop: string;

beforeAll(async () => {
  service = await aService();
  fintech = await service.anEntity();
  raw = await rawClient(service, fintech);
  ana = (await aUser(fintech, { name: "Ana", quota: 100_000 })).id;
  eva = (await aUser(fintech, { name: "Eva", quota: 100_000 })).id;
  shop = (await aUser(fintech, { name: "Shop" })).id;
});
afterAll(() => service.stop());

async function aQr(more: object = {}) {
  const body = { amount: 40, to_user_id: shop, details: { order: "A-1", exact: 0.1 }, ...more };
  const made = (await fintech.client.createTransactionQr({ body })).body;
  return { ...made, reference: made.reference ?? "" };
}

const pay = (qr: unknown, more: object = {}) =>
  raw("createTransaction", { body: { amount: 40, from_user_id: ana, to_user_id: shop, details: { qr }, ...more } });

/** The payload with one text for another and a checksum that is right again: what a forger can do without the key. */
function tampered(payload: string, change: (unchecked: string) => string): string {
  const unchecked = `${change(payload.slice(0, -8))}6304`;
  return unchecked + emvChecksum(unchecked);
}

/**
 * A sticker of the shop, signed with a key that this process has not read: another one made it, of version 0.1, which
 * wrote no category and its signature in field 80.
 */
async function stickerOfAnotherProcess(): Promise<string> {
  const { publicKey, privateKey } = generateKeyPairSync("ed25519");
  const { x = "" } = publicKey.export({ format: "jwk" });
  await service.sql`
    insert into service.signing_keys (kid, purpose, public_key, sealed_private_key, not_before, not_after)
    values ('New1', 'qr', ${Buffer.from(x, "base64url")}, '', now() - interval '2 hours', now() - interval '1 hour')`;
  const currency = { code: "COP", numeric: "170", digits: 2 };
  const fields = { guid: "co.qp", payeeId: shop, payee: "Shop", payeeNit: "1", city: "Bogota", currency };
  const made = await encodeQrPayload({ ...fields, keyId: "New1", purpose: "purchase" }, (bytes) =>
    sign(null, bytes, privateKey),
  );
  return made.payload;
}

describe("paying by QR", () => {
  it("reads the keys anew before it calls a code of another process forged", async () => {
    const sticker = await stickerOfAnotherProcess();
    expect(sticker).toContain("80990005co.qp0186");
    service.advance(2);
    const response = await pay(sticker);
    expect(response.status).toBe(201);
    expect(await response.json()).toMatchObject({ kind: "qr", status: "approved" });
  });

  it("takes the QR's reference, keeps both details, and is of kind qr", async () => {
    const qr = await aQr();
    const response = await pay(qr.payload, { details: { qr: qr.payload, table: 4 } });
    expect(response.status).toBe(201);
    expect(await response.json()).toMatchObject({
      kind: "qr",
      status: "approved",
      reference: qr.reference,
      details: { qr: qr.payload, table: 4 },
      qr_details: { order: "A-1", exact: 0.1 },
    });
    expect(await refusalOf(await pay(qr.payload))).toEqual(["qr_already_paid"]);
  });

  it.each([
    ["before", (payload: string) => ` ${payload}`],
    ["behind", (payload: string) => `${payload}\r\n`],
    ["around", (payload: string) => `\t\u00a0${payload}\ufeff `],
  ])("drops white space %s the code, and answers the details as they were sent", async (_, padded) => {
    const { payload, reference } = await aQr();
    const qr = padded(payload);
    const response = await pay(qr);
    expect(response.status).toBe(201);
    expect(await response.json()).toMatchObject({ kind: "qr", status: "approved", reference, details: { qr } });
    expect(await refusalOf(await pay(payload))).toEqual(["qr_already_paid"]);
  });

  it("leaves the QR payable after a rejected attempt, which gets a reference of its own", async () => {
    const poor = await aUser(fintech);
    const qr = await aQr();
    const rejected = await (await pay(qr.payload, { from_user_id: poor.id })).json();
    expect(rejected).toMatchObject({ status: "rejected", reason: "insufficient_balance", kind: "qr" });
    expect(rejected.reference).not.toBe(qr.reference);
    const recorded = await (await pay(qr.payload, { status: "rejected" })).json();
    expect(recorded.reference).not.toBe(qr.reference);
    expect((await fintech.client.transactionQr({ query: { reference: qr.reference } })).body.state).toBe("unpaid");
    expect(await (await pay(qr.payload)).json()).toMatchObject({ status: "approved", reference: qr.reference });
  });

  it("by a static code takes any amount, any number of times, each with its own reference", async () => {
    const { payload } = (await fintech.client.createTransactionQr({ body: { to_user_id: shop } })).body;
    const first = await (await pay(payload, { amount: 1 })).json();
    const second = await (await pay(payload, { amount: 2.5 })).json();
    expect([first.kind, first.status, second.status]).toEqual(["qr", "approved", "approved"]);
    expect(first.reference).not.toBe(second.reference);
    expect(await refusalOf(await pay(payload, { to_user_id: eva }))).toEqual(["qr_mismatch"]);
  });

  it("is the fixed payer's alone", async () => {
    const qr = await aQr({ from_user_id: eva });
    expect(await refusalOf(await pay(qr.payload))).toEqual(["qr_other_payer"]);
    expect((await pay(qr.payload, { from_user_id: eva })).status).toBe(201);
  });

  it("is open to an entity that made neither the QR nor the payee", async () => {
    const other = await service.anEntity("Other");
    const payer = await aUser(other, { quota: 50 });
    const qr = await aQr();
    const body = { amount: 40, from_user_id: payer.id, to_user_id: shop, details: { qr: qr.payload } };
    const { body: paid } = await other.client.createTransaction({ body });
    expect(paid).toMatchObject({ status: "approved", reference: qr.reference, from_balance_after: 10 });
    expect(paid).not.toHaveProperty("to_balance_after");
    await expectSoundBooks(service);
  });

  it("refuses in this order: another payee or amount, another payer, cancelled, paid, expired", async () => {
    const [cancelled, paid] = [await aQr({ from_user_id: eva }), await aQr()];
    const late = await aQr({ expires_in: 30 });
    await fintech.client.cancelTransactionQr({ body: { reference: cancelled.reference } });
    await pay(paid.payload);
    service.advance(31);
    const before = await standing(service);
    expect(await refusalOf(await pay(cancelled.payload, { amount: 41 }))).toEqual(["qr_mismatch"]);
    expect(await refusalOf(await pay(cancelled.payload, { amount: 39.99 }))).toEqual(["qr_mismatch"]);
    expect(await refusalOf(await pay(cancelled.payload, { to_user_id: eva }))).toEqual(["qr_mismatch"]);
    expect(await refusalOf(await pay(cancelled.payload))).toEqual(["qr_other_payer"]);
    expect(await refusalOf(await pay(cancelled.payload, { from_user_id: eva }))).toEqual(["qr_cancelled"]);
    expect(await refusalOf(await pay(paid.payload))).toEqual(["qr_already_paid"]);
    expect(await refusalOf(await pay(late.payload))).toEqual(["qr_expired"]);
    expect(await standing(service)).toEqual(before);
  });
});

describe("a QR that is not authentic", () => {
  it("is one with any single character altered behind its start", async () => {
    const { payload } = await aQr();
    const before = await standing(service);
    const last = payload.lastIndexOf("6304");
    for (let at = 6; at < payload.length; at += at < last ? 3 : 1) {
      const character = payload.charAt(at) === "7" ? "8" : "7";
      const altered = payload.slice(0, at) + character + payload.slice(at + 1);
      expect([at, ...(await refusalOf(await pay(altered)))]).toEqual([at, "qr_not_authentic"]);
    }
    expect(await standing(service)).toEqual(before);
  });

  const forgeries: readonly (readonly [string, (unchecked: string) => string])[] = [
    ["amount", (text) => text.replace("540240", "540210")],
    ["payee's name", (text) => text.replace("5904Shop", "5904Evil")],
    ["city", (text) => text.replace("6006Bogota", "6006Madrid")],
    ["currency", (text) => text.replace("5303170", "5303840")],
    ["country", (text) => text.replace("5802CO", "5802PE")],
    ["category", (text) => text.replace("52045999", "52045411")],
    ["point of initiation", (text) => text.replace("010212", "010211")],
    ["reference", (text) => text.replace(/(0513)./, (found, id) => id + (found.endsWith("Z") ? "Y" : "Z"))],
    ["payee's id", (text) => text.replace(/(0122)./, (found, id) => id + (found.endsWith("A") ? "B" : "A"))],
    ["signature", (text) => text.slice(0, -4) + (text.endsWith("AAAA") ? "BBBA" : "AAAA")],
    ["order of the fields", (text) => text.replace(/(5303170)(5402\d\d)/, "$2$1")],
    ["length of one field", (text) => text.replace("5904Shop", "5905Shop ")],
  ];
  it.each(forgeries)("is one with another %s, though its checksum is right", async (_, change) => {
    const { payload } = await aQr();
    const forged = tampered(payload, change);
    expect(forged).not.toBe(payload);
    expect(await refusalOf(await pay(forged))).toEqual(["qr_not_authentic"]);
  });

  it("is one that another service signed, and one with text before its end or after it", async () => {
    const elsewhere = await aService();
    try {
      const their = await elsewhere.anEntity();
      const payee = await aUser(their);
      const { body } = await their.client.createTransactionQr({ body: { amount: 40, to_user_id: payee.id } });
      expect(await refusalOf(await pay(body.payload))).toEqual(["qr_not_authentic"]);
    } finally {
      await elsewhere.stop();
    }
    const { payload } = await aQr();
    for (const altered of [`${payload} .`, `${payload}${payload}`, payload.slice(0, -1), payload + "x".repeat(2_000)]) {
      expect(await refusalOf(await pay(altered))).toEqual(["qr_not_authentic"]);
    }
  });

  const broken: readonly (readonly [string, (payload: string) => string])[] = [
    ["without its first character", (payload) => payload.slice(1)],
    ["without its first field", (payload) => payload.slice(6)],
    ["behind other text", (payload) => `QR: ${payload}`],
    ["in the app's link", (payload) => `https://app.example/p#${payload}`],
    ["in two lines", (payload) => `${payload.slice(0, 80)}\n${payload.slice(80)}`],
  ];
  it.each(broken)("is one of ours %s: never an ordinary payment that leaves the code payable", async (_, change) => {
    const { payload } = await aQr();
    const before = await standing(service);
    expect(await refusalOf(await pay(change(payload)))).toEqual(["qr_not_authentic"]);
    expect(await standing(service)).toEqual(before);
  });
});

describe("details.qr that is no code of ours", () => {
  const ordinary: readonly (readonly [string, unknown])[] = [
    ["a PIX code", PIX],
    ["a PIX code behind a space", ` ${PIX}`],
    ["a damaged PIX code", PIX.slice(0, -1)],
    ["our GUID alone", "co.qp"],
    ["a sentence", "see the receipt"],
    ["a link", "https://app.example/p#000201"],
    ["a number", 201],
    ["a list", ["000201"]],
    ["nothing", null],
    ["emptiness", ""],
  ];
  it.each(ordinary)("is ordinary data: %s", async (_, qr) => {
    const response = await pay(qr);
    expect(response.status).toBe(201);
    expect(await response.json()).toMatchObject({ kind: "payment", status: "approved", details: { qr } });
  });

  it("under a prototype's name is ordinary data too", async () => {
    const { payload } = await aQr();
    const details = `{"__proto__":{"qr":${JSON.stringify(payload)}}}`;
    const text = `{"amount":40,"from_user_id":"${ana}","to_user_id":"${shop}","details":${details}}`;
    expect(await (await raw("createTransaction", { text })).json()).toMatchObject({ kind: "payment" });
  });
});
