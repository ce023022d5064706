import { generateKeyPairSync, sign } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ApiError } from "../../../../src/contract/shared/errors.ts";
import { encodeQrPayload, parseQrPayload, type QrPayloadFields } from "../../../../src/qr-payload.ts";
import {
  aBroker,
  anOrder,
  ORIGIN,
  type PersonClient,
  SHOP_ORIGIN,
  type TestBroker,
} from "../../../../test/support/broker.ts";
import { aUser } from "../../../../test/support/service.ts";

let broker: TestBroker;
let ana: PersonClient;
beforeAll(async () => {
  broker = await aBroker();
  ana = await broker.as("payer");
});
afterAll(() => broker.stop());

async function aCode(amount = 25_000) {
  const { session } = await anOrder(broker, { amount });
  return (await broker.widget(session).widgetSession({})).body;
}

/** A code with the same fields but for some, signed with a key of a stranger's own. */
async function forged(payload: string, changes: Partial<QrPayloadFields>): Promise<string> {
  const parsed = parseQrPayload(payload, "co.qp");
  if (parsed.kind !== "cupo") throw new Error("not a code of ours");
  const { privateKey } = generateKeyPairSync("ed25519");
  return (await encodeQrPayload({ ...parsed.fields, ...changes }, (bytes) => sign(null, bytes, privateKey))).payload;
}

async function refusal(body: object): Promise<ApiError> {
  const error = await ana.createScan({ body }).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof ApiError)) throw new Error("the scan was not refused");
  return error;
}

describe("a scan", () => {
  it("tells who is paid, how much, and the check code, as the service knows them", async () => {
    const { payload, reference, check_code } = await aCode();
    const { body } = await ana.createScan({ body: { payload } });
    expect(body).toMatchObject({
      ...{ kind: "dynamic", state: "unpaid", payee: "Café La Esquina", payee_id: broker.shop.id, amount: 25_000 },
      ...{ currency: "COP", reference, check_code, payload, own: false },
    });
    expect(body.expires_in).toBeGreaterThan(800);
  });

  it("finds the same code by its reference, however it is typed, and by its link", async () => {
    const { payload, reference, app_link } = await aCode();
    const typed = `${reference.slice(0, 4)}-${reference.slice(4, 8)}-${reference.slice(8, 12)}-${reference.slice(12)}`;
    for (const body of [{ reference: typed.toLowerCase() }, { link: app_link }, { payload: ` ${payload}\n` }]) {
      expect((await ana.createScan({ body })).body.payload).toBe(payload);
    }
  });

  it("knows the person's own code", async () => {
    const { body: qr } = await ana.createMyQr({ body: { amount: 5 } });
    expect((await ana.createScan({ body: { payload: qr.payload } })).body.own).toBe(true);
  });

  it("names the payee of a static code as it is now, and its check code", async () => {
    const shop = await broker.as("merchant");
    const { body: qr } = await shop.createMyQr({ body: {} });
    const { body } = await ana.createScan({ body: { payload: qr.payload } });
    expect(body).toMatchObject({
      kind: "static",
      payee: "Café La Esquina",
      check_code: qr.check_code,
      state: "unpaid",
    });
    expect(body.amount).toBeUndefined();
    expect(body.reference).toBeUndefined();
  });

  it("says that a code was paid, was cancelled or has expired", async () => {
    const { session, session_id } = await anOrder(broker, { expires_in: 30 });
    const { payload } = (await broker.widget(session).widgetSession({})).body;
    await broker.merchant.cancelSession({ params: { session_id } });
    expect((await ana.createScan({ body: { payload } })).body.state).toBe("cancelled");
    const lapsed = await anOrder(broker, { expires_in: 30 });
    broker.advance(31);
    expect((await ana.createScan({ body: { reference: lapsed.reference } })).body.state).toBe("expired");
  });

  it("refuses a code whose payee was exchanged, also with a checksum and a signature of its own", async () => {
    const thief = await aUser(broker.entity, { name: "Thief" });
    const { payload } = await aCode();
    for (const changes of [{ payeeId: thief.id }, { amountMinor: 1n }, { expiresAt: 4_102_444_800 }]) {
      const error = await refusal({ payload: await forged(payload, changes) });
      expect(error.code).toBe("qr_not_authentic");
      expect(error.detail).toMatch(/altered/);
    }
  });

  it("refuses a static code that a stranger signed", async () => {
    const shop = await broker.as("merchant");
    const { body: qr } = await shop.createMyQr({ body: {} });
    expect((await refusal({ payload: await forged(qr.payload, {}) })).code).toBe("qr_not_authentic");
  });

  it("calls a code that names an unknown key one of another service, not forged", async () => {
    const { payload } = await aCode();
    const error = await refusal({ payload: await forged(payload, { keyId: "zz9" }) });
    expect(error.detail).toMatch(/another Cupo service/);
  });

  it.each([
    [
      "a PIX code",
      "00020126360014br.gov.bcb.pix0114+55119999999995204000053039865802BR5903ANA6009SAO PAULO63049A4B",
      /PIX/,
    ],
    ["a web page", "https://example.com/", /neither a payment code/],
    ["nothing at all", "hello", /neither a payment code/],
    ["half a code", "00020101021226", /damaged/],
  ])("says in a sentence what it is: %s", async (_name, payload, sentence) => {
    const error = await refusal({ payload: withChecksum(payload) });
    expect(error.code).toBe("qr_not_authentic");
    expect(error.detail).toMatch(sentence);
  });

  it("says that a reference is mistyped, or that nobody has it", async () => {
    expect((await refusal({ payload: "7K3M-9QXT-2V4F-A" })).detail).toMatch(/mistyped/);
    expect((await refusal({ reference: "7K3M-9QXT-2V4F-A" })).code).toBe("invalid_request");
    expect((await refusal({ reference: "7K3M9QXT2V4FW" })).code).toBe("qr_not_found");
  });

  it("takes exactly one of payload, reference and link", async () => {
    expect((await refusal({})).code).toBe("invalid_request");
    expect((await refusal({ payload: "a", link: "b" })).code).toBe("invalid_request");
  });
});

/** CRC-16/CCITT-FALSE in place of the one at the end, so that a test vector is judged by what it says. */
function withChecksum(payload: string): string {
  if (!/6304[0-9A-F]{4}$/.test(payload)) return payload;
  let crc = 0xffff;
  for (const byte of Buffer.from(payload.slice(0, -4))) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit += 1) crc = crc & 0x8000 ? ((crc << 1) ^ 0x1021) & 0xffff : (crc << 1) & 0xffff;
  }
  return payload.slice(0, -4) + crc.toString(16).toUpperCase().padStart(4, "0");
}

describe("one's own code", () => {
  it("is paid by another, and says so to its owner alone", async () => {
    const ben = await broker.as("other");
    const { body: qr } = await ana.createMyQr({ body: { amount: 12.5, note: "almuerzo" } });
    const reference = qr.reference ?? "";
    expect((await ana.myQr({ query: { reference } })).body.state).toBe("unpaid");
    const { id, payee, amount } = (await ben.openApproval({ body: { payload: qr.payload } })).body;
    await ben.confirmApproval({ params: { id }, body: { payee, amount, reference, demo: true } });
    expect((await ana.myQr({ query: { reference } })).body.state).toBe("paid");
    await expect(ben.myQr({ query: { reference } })).rejects.toMatchObject({ code: "qr_not_found" });
    expect((await ana.myReceived({ query: {} })).body[0]).toMatchObject({ amount: 12.5, note: "almuerzo" });
  });

  it("made twice with one key is one code; another amount under that key is another", async () => {
    const make = (amount: number) => ana.createMyQr({ body: { amount } }, { idempotencyKey: "qr-1" });
    const [first, again, other] = [await make(5), await make(5), await make(6)];
    expect(again.body.reference).toBe(first.body.reference);
    expect(other.body.reference).not.toBe(first.body.reference);
  });

  it("cannot hold more than a payment code can say", async () => {
    const body = { amount: 10_000_000_000 };
    await expect(ana.createMyQr({ body })).rejects.toMatchObject({ code: "amount_too_large_for_qr" });
  });
});

describe("the public keys", () => {
  it("are served to anyone, and verify a code without the broker", async () => {
    const { body } = await ana.qrKeys({});
    expect(body.guid).toBe("co.qp");
    expect(body.keys.length).toBeGreaterThan(0);
    const anyone = await broker.fetch(`${ORIGIN}/.well-known/cupo-qr-keys.json`, { headers: { origin: SHOP_ORIGIN } });
    expect(anyone.status).toBe(200);
  });
});
