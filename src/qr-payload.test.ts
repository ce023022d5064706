import { generateKeyPairSync, sign as signBytes } from "node:crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createPaymentReference } from "./payment-reference.ts";
import { emvChecksum } from "./qr-payload/emv-data-objects.ts";
import {
  type CupoQrPayload,
  checkCode,
  encodeQrPayload,
  parseQrPayload,
  type QrPayloadError,
  type QrPayloadFields,
  verifyQrPayload,
} from "./qr-payload.ts";

const GUID = "co.qp";
const EXPIRES_AT = 1_800_000_000;
const { privateKey, publicKey } = generateKeyPairSync("ed25519");
const sign = (bytes: Uint8Array): Uint8Array => signBytes(null, bytes, privateKey);
const keys = [{ kid: "k1", publicKey: publicKey.export({ format: "jwk" }).x ?? "" }];

const STATIC: QrPayloadFields = {
  guid: GUID,
  payeeId: "0190a5c2-7b1e-7c3a-9f10-2233445566ff",
  payee: "Panaderia El Nandu",
  payeeNit: "900123456-7",
  city: "Medellin",
  merchantCategory: "5999",
  currency: { numeric: "170", digits: 2 },
  keyId: "k1",
  purpose: "purchase",
};
const DYNAMIC: QrPayloadFields = {
  ...STATIC,
  merchantCategory: "5812",
  amountMinor: 2_500_050n,
  reference: "7K3M9QXT2V4FW",
  expiresAt: EXPIRES_AT,
  terminal: "CAJA-01",
  purpose: "recharge",
};

async function payloadOf(fields: QrPayloadFields): Promise<string> {
  return (await encodeQrPayload(fields, sign)).payload;
}

function cupo(text: string): CupoQrPayload {
  const parsed = parseQrPayload(text, GUID);
  if (parsed.kind !== "cupo") throw new Error(`not ours: ${JSON.stringify(parsed)}`);
  return parsed;
}

function withChecksum(text: string): string {
  const unchecked = text.slice(0, -4);
  return unchecked + emvChecksum(unchecked);
}

async function refusal(fields: QrPayloadFields): Promise<Pick<QrPayloadError, "code" | "path">> {
  const outcome = await encodeQrPayload(fields, sign).then(
    ({ payload }) => ({ code: payload, path: "made all the same" }),
    ({ code, path }: QrPayloadError) => ({ code, path }),
  );
  return outcome as Pick<QrPayloadError, "code" | "path">;
}

const anyFields: fc.Arbitrary<QrPayloadFields> = fc
  .record({
    payeeId: fc.uuid(),
    payee: fc.stringMatching(/^[\x21-\x7e](?:[\x20-\x7e]{0,23}[\x21-\x7e])?$/),
    payeeNit: fc.option(fc.stringMatching(/^[0-9A-Za-z.-]{1,20}$/), { nil: undefined }),
    city: fc.stringMatching(/^[\x21-\x7e](?:[\x20-\x7e]{0,13}[\x21-\x7e])?$/),
    merchantCategory: fc.option(fc.stringMatching(/^[0-9]{4}$/), { nil: undefined }),
    currency: fc.constantFrom({ numeric: "170", digits: 2 }, { numeric: "152", digits: 0 }),
    keyId: fc.stringMatching(/^[A-Za-z0-9_-]{1,4}$/),
    terminal: fc.option(fc.stringMatching(/^[\x21-\x7e]{1,8}$/), { nil: undefined }),
    purpose: fc.constantFrom("purchase" as const, "recharge" as const),
    dynamic: fc.option(
      fc.record({
        amountMinor: fc.bigInt(1n, 10n ** 12n - 1n),
        reference: fc.uint8Array({ minLength: 12, maxLength: 12 }).map((bytes) => createPaymentReference(() => bytes)),
        expiresAt: fc.integer({ min: 1, max: 4_000_000_000 }),
      }),
      { nil: {} },
    ),
  })
  .map(({ dynamic, merchantCategory, payeeNit, terminal, ...rest }) => ({
    guid: GUID,
    ...rest,
    ...(payeeNit === undefined ? {} : { payeeNit }),
    ...(merchantCategory === undefined || merchantCategory === "0000" ? {} : { merchantCategory }),
    ...(terminal === undefined ? {} : { terminal }),
    ...dynamic,
  }));

describe("making a payment code", () => {
  test("a static code says what the table of the standard says", async () => {
    const payload = await payloadOf(STATIC);
    const { signedPart } = cupo(payload);
    const account = "0005co.qp0122AZClwnsefDqfECIzRFVm_w0302k1";
    const rest = "5204599953031705802CO5918Panaderia El Nandu6008Medellin62210802001011900123456-7";
    expect(signedPart).toBe(`00020101021126${account.length}${account}${rest}`);
    expect(payload.slice(signedPart.length, signedPart.length + 17)).toBe("86990005co.qp0186");
    expect(payload).toMatch(/6304[0-9A-F]{4}$/);
  });

  test("a dynamic code carries amount, reference, expiry, terminal and purpose at their places", async () => {
    const { signedPart } = cupo(await payloadOf(DYNAMIC));
    expect(signedPart).toContain("010212");
    expect(signedPart).toContain(`0206${EXPIRES_AT.toString(36)}0302k1`);
    expect(signedPart).toContain("520458125303170540725000.5");
    expect(signedPart).toContain("05137K3M9QXT2V4FW0707CAJA-01080206");
  });

  test("what goes in comes out, and authentic", async () => {
    await fc.assert(
      fc.asyncProperty(anyFields, async (fields) => {
        const payload = await payloadOf(fields);
        const parsed = cupo(payload);
        expect(parsed.fields).toEqual(fields);
        const known = [{ kid: fields.keyId, publicKey: keys[0]?.publicKey ?? "" }];
        expect((await verifyQrPayload(parsed, known, 0)).authenticity).toBe("authentic");
        expect(await payloadOf(parsed.fields)).toBe(payload);
        expect(payload.length).toBeLessThanOrEqual(331);
        expect(payload).toMatch(/^[\x20-\x7e]+$/);
      }),
    );
  });

  test("the longest possible code has 330 characters", async () => {
    const payload = await payloadOf({
      ...DYNAMIC,
      payee: "W".repeat(25),
      payeeNit: "9".repeat(20),
      city: "W".repeat(15),
      amountMinor: 999_999_999_999n,
      expiresAt: 36 ** 7 - 1,
      keyId: "k234",
      terminal: "T2345678",
    });
    expect(payload).toHaveLength(330);
    expect(cupo(payload).fields.amountMinor).toBe(999_999_999_999n);
  });

  test("an amount above 9 999 999 999.99 has no room", async () => {
    expect(await refusal({ ...DYNAMIC, amountMinor: 10n ** 12n })).toEqual({
      code: "amount_too_large_for_qr",
      path: "54",
    });
    const pesosOfChile = { ...DYNAMIC, currency: { numeric: "152", digits: 0 } };
    expect(cupo(await payloadOf({ ...pesosOfChile, amountMinor: 10n ** 13n - 1n })).fields.amountMinor).toBe(
      10n ** 13n - 1n,
    );
    expect((await refusal({ ...pesosOfChile, amountMinor: 10n ** 13n })).code).toBe("amount_too_large_for_qr");
  });

  test("a field that no code may carry is refused by its path", async () => {
    const wrong: [string, Partial<QrPayloadFields>][] = [
      ["26-00", { guid: "too.long" }],
      ["26", { guid: "g".repeat(80) }],
      ["00", { guid: "" }],
      ["26-01", { payeeId: "not a uuid" }],
      ["26-02", { expiresAt: 0.5 }],
      ["26-02", { expiresAt: -5 }],
      ["26-02", { expiresAt: 36 ** 7 }],
      ["26-03", { keyId: "12345" }],
      ["52", { merchantCategory: "58" }],
      ["52", { merchantCategory: "0000" }],
      ["53", { currency: { numeric: "170", digits: 0 } }],
      ["53", { currency: { numeric: "999", digits: 2 } }],
      ["54", { amountMinor: 0n }],
      ["54", { amountMinor: -1n }],
      ["59", { payee: "Panadería" }],
      ["59", { payee: "W".repeat(26) }],
      ["59", { payee: "" }],
      ["60", { city: "北京" }],
      ["62-05", { reference: "7K3M9QXT2V4FX" }],
      ["62-07", { terminal: "nine char" }],
      ["62-10", { payeeNit: "900 123" }],
    ];
    for (const [path, change] of wrong) {
      expect(await refusal({ ...DYNAMIC, ...change }), path).toEqual({ code: "invalid_qr_field", path });
    }
  });

  test("amount, reference and expiry come together or not at all", async () => {
    const { amountMinor: _, ...withoutAmount } = DYNAMIC;
    expect((await refusal(withoutAmount)).path).toBe("62-05");
    expect((await refusal({ ...STATIC, expiresAt: EXPIRES_AT })).path).toBe("26-02");
    expect((await refusal({ ...STATIC, amountMinor: 100n, reference: "7K3M9QXT2V4FW" })).path).toBe("26-02");
  });

  test("a signer that gives no Ed25519 signature is a bug", async () => {
    await expect(encodeQrPayload(STATIC, () => new Uint8Array(63))).rejects.toThrow(RangeError);
  });

  test("the check code is four characters of the signature's hash, the same for payee and payer", async () => {
    const { payload, checkCode: shown } = await encodeQrPayload(DYNAMIC, sign);
    expect(shown).toMatch(/^[0-9A-HJKMNP-TV-Z]{4}$/);
    expect(await checkCode(cupo(payload).signature)).toBe(shown);
    // SHA-256 of nothing starts e3b0c: 11100 01110 11000 01100.
    expect(await checkCode(new Uint8Array())).toBe("WERC");
  });
});

describe("verifying a payment code", () => {
  test("expiry is told apart from authenticity, and a static code never expires", async () => {
    const dynamic = cupo(await payloadOf(DYNAMIC));
    expect(await verifyQrPayload(dynamic, keys, EXPIRES_AT - 1)).toEqual({ authenticity: "authentic", expired: false });
    expect(await verifyQrPayload(dynamic, keys, EXPIRES_AT)).toEqual({ authenticity: "authentic", expired: true });
    const printed = cupo(await payloadOf(STATIC));
    expect(await verifyQrPayload(printed, keys, 9e9)).toEqual({ authenticity: "authentic", expired: false });
  });

  test("a key that is not there or was revoked is unknown, a wrong key is forged", async () => {
    const parsed = cupo(await payloadOf(DYNAMIC));
    const other = generateKeyPairSync("ed25519").publicKey.export({ format: "jwk" }).x ?? "";
    const authenticity = async (list: Parameters<typeof verifyQrPayload>[1]) =>
      (await verifyQrPayload(parsed, list, 0)).authenticity;
    expect(await authenticity([])).toBe("unknown_key");
    expect(await authenticity(keys.map((key) => ({ ...key, kid: "k2" })))).toBe("unknown_key");
    expect(await authenticity(keys.map((key) => ({ ...key, revoked: true })))).toBe("unknown_key");
    expect(await authenticity([{ kid: "k1", publicKey: other }])).toBe("forged");
    expect(await authenticity([{ kid: "k1", publicKey: other }, ...keys])).toBe("authentic");
    await expect(authenticity([{ kid: "k1", publicKey: "short" }])).rejects.toThrow(TypeError);
  });

  test("every single wrong character is refused, as damage", async () => {
    for (const payload of [await payloadOf(STATIC), await payloadOf(DYNAMIC)]) {
      for (let index = 0; index < payload.length; index++) {
        for (let code = 0x20; code < 0x7f; code++) {
          const wrong = payload.slice(0, index) + String.fromCharCode(code) + payload.slice(index + 1);
          if (wrong === payload) continue;
          expect(parseQrPayload(wrong, GUID).kind, wrong).toMatch(/^(?:damaged|not_emv)$/);
        }
      }
    }
  }, 30_000);

  test("every single wrong character is refused when the checksum is made to fit", async () => {
    const payload = await payloadOf(DYNAMIC);
    const outcomes = new Map<string, number>();
    for (let index = 0; index < payload.length - 4; index++) {
      for (const character of "09AZaz_- .") {
        const wrong = withChecksum(payload.slice(0, index) + character + payload.slice(index + 1));
        if (wrong === payload) continue;
        const parsed = parseQrPayload(wrong, GUID);
        const outcome = parsed.kind === "cupo" ? (await verifyQrPayload(parsed, keys, 0)).authenticity : parsed.kind;
        outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
      }
    }
    expect([...outcomes.keys()].sort()).toEqual(["damaged", "forged", "not_emv", "unknown_key"]);
    expect(outcomes.get("forged")).toBeGreaterThan(1000);
  }, 30_000);

  test("spare bits of the signature's last character cannot be altered", async () => {
    const payload = await payloadOf(STATIC);
    const last = payload.length - 9;
    for (const character of "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_") {
      const wrong = withChecksum(payload.slice(0, last) + character + payload.slice(last + 1));
      if (wrong === payload) continue;
      const parsed = parseQrPayload(wrong, GUID);
      if (parsed.kind === "cupo") expect((await verifyQrPayload(parsed, keys, 0)).authenticity).toBe("forged");
      else expect(parsed).toMatchObject({ kind: "damaged", reason: "field_invalid" });
    }
  });

  test("a code that version 0.1 made is authentic, and its signature stays where it is", async () => {
    const account = "26410005co.qp0122AZClwnsefDqfECIzRFVm_w0302k1";
    const payee = "5204000053031705802CO5918Panaderia El Nandu6008Medellin62210802001011900123456-7";
    const signature = "SEdbY5MMePvoxvVnjFOSMdrjTsx6RpoiqMNLPfcmbVBZ7v4GWJWtRbJ8XfhdtRmZSbLK5H_C_7x1ZGlr6bByDA";
    const printed = `000201010211${account}${payee}80990005co.qp0186${signature}63044383`;
    const publicKey = "zaQnf89LwIGDvg8QBDvTFwsCsbd_7tFKQEf5lHCYqXI";
    const verdict = await verifyQrPayload(cupo(printed), [{ kid: "k1", publicKey }], 0);
    expect(verdict).toEqual({ authenticity: "authentic", expired: false });
    const moved = withChecksum(printed.replace("80990005co.qp", "86990005co.qp"));
    const back = withChecksum((await payloadOf(STATIC)).replace("86990005co.qp", "80990005co.qp"));
    for (const wrong of [moved, back]) {
      expect(parseQrPayload(wrong, GUID)).toMatchObject({ kind: "damaged", reason: "not_canonical" });
    }
  });

  test("a signature of one code does not fit another", async () => {
    const cheap = await payloadOf({ ...DYNAMIC, amountMinor: 100n });
    const { signedPart } = cupo(await payloadOf({ ...DYNAMIC, amountMinor: 900n }));
    const mixed = withChecksum(signedPart + cheap.slice(cupo(cheap).signedPart.length));
    expect((await verifyQrPayload(cupo(mixed), keys, 0)).authenticity).toBe("forged");
  });
});
