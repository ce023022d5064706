import { generateKeyPairSync, sign as signBytes } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { encodeQrPayload, MAX_QR_INPUT, parseQrPayload } from "../qr-payload.ts";
import { emvChecksum, writeEmvDataObject as write } from "./emv-data-objects.ts";
import { nameEmvScheme } from "./emv-scheme.ts";

const GUID = "co.qp";
const { privateKey } = generateKeyPairSync("ed25519");
const { payload: PAYLOAD } = await encodeQrPayload(
  {
    guid: GUID,
    payeeId: "0190a5c2-7b1e-7c3a-9f10-2233445566ff",
    payee: "100% Jugos # 1",
    payeeNit: "900123456",
    city: "Bogota",
    merchantCategory: "5999",
    currency: { numeric: "170", digits: 2 },
    amountMinor: 2_500_000n,
    reference: "7K3M9QXT2V4FW",
    expiresAt: 1_800_000_000,
    keyId: "k1",
    purpose: "purchase",
  },
  (bytes) => signBytes(null, bytes, privateKey),
);

function checked(unchecked: string): string {
  return `${unchecked}6304${emvChecksum(`${unchecked}6304`)}`;
}

const PIX = checked(`000201${write("26", "0014br.gov.bcb.pix0105x@y.z")}5204000053039865802BR5903Ana6003Rio`);

describe("reading a scanned text", () => {
  test("the checksum of 123456789 is 29B1", () => {
    expect(emvChecksum("123456789")).toBe("29B1");
    expect(emvChecksum("")).toBe("FFFF");
  });

  test("what is no EMV code is not called damaged", () => {
    expect(parseQrPayload("", GUID)).toEqual({ kind: "not_emv", position: 0 });
    expect(parseQrPayload("000202", GUID)).toEqual({ kind: "not_emv", position: 5 });
    expect(parseQrPayload("0002", GUID)).toEqual({ kind: "not_emv", position: 4 });
    expect(parseQrPayload("upi://pay?pa=x@y", GUID)).toEqual({ kind: "not_emv", position: 0 });
    expect(parseQrPayload("x".repeat(5000), GUID)).toEqual({ kind: "not_emv", position: 0 });
  });

  test("each fault of the structure is told with its position", () => {
    const faults: [string, string, number][] = [
      ["00020101", "truncated", 6],
      ["0002015", "truncated", 6],
      ["0002015912Ana", "truncated", 6],
      ["0002015A03Ana", "bad_id", 6],
      ["00020159x3Ana", "bad_length", 8],
      ["0002015900", "bad_length", 8],
      ["0002015903Ana5903Ana", "duplicate_id", 13],
      ["000201000201", "duplicate_id", 6],
      ["0002015903Ana", "checksum_missing", 13],
      ["00020163040000" + "5903Ana", "checksum_missing", 6],
      ["0002016303000", "checksum_missing", 6],
      ["0002015903Ana63040000", "checksum_wrong", 17],
      [checked(`000201${write("26", "0005co.q")}`), "truncated", 10],
      [checked(`000201${write("26", "0003abc0003abc")}`), "duplicate_id", 17],
      [checked(`000201${write("62", "05xxabc")}`), "bad_length", 12],
      [`000201${"9".repeat(MAX_QR_INPUT)}`, "too_long", MAX_QR_INPUT],
    ];
    for (const [text, reason, position] of faults) {
      expect(parseQrPayload(text, GUID), text).toEqual({ kind: "damaged", reason, position });
    }
  });

  test("a template of another scheme's own may hold any text, and ours may not", () => {
    const own = checked(`000201${write("26", "0014br.gov.bcb.pix")}${write("85", "a")}`);
    expect(parseQrPayload(own, GUID)).toEqual({ kind: "foreign", scheme: "PIX" });
    const atSignature = PAYLOAD.lastIndexOf("86990005co.qp");
    const ours = checked(PAYLOAD.slice(0, atSignature) + write("86", "a"));
    expect(parseQrPayload(ours, GUID)).toMatchObject({ kind: "damaged", reason: "not_canonical" });
  });

  test("every beginning of a code is refused, and so is anything after it", () => {
    for (let length = 0; length < PAYLOAD.length; length++) {
      expect(parseQrPayload(PAYLOAD.slice(0, length), GUID).kind).toMatch(/^(?:damaged|not_emv)$/);
    }
    for (const tail of [" ", "\n", "0", "5903Ana", "63040000"]) {
      expect(parseQrPayload(PAYLOAD + tail, GUID).kind, tail).toBe("damaged");
    }
  });

  test("our code with a field more, in another order or written otherwise is refused at that place", () => {
    const unchecked = PAYLOAD.slice(0, -8);
    const atSignature = unchecked.lastIndexOf("86990005co.qp");
    const changed: [string, string, number][] = [
      [unchecked.replace("5802CO", "5802BR"), "field_invalid", unchecked.indexOf("5802CO") + 4],
      [unchecked.replace("540525000", "540825000.00"), "not_canonical", unchecked.indexOf("540525000") + 3],
      [unchecked.replace("010212", "010211"), "not_canonical", unchecked.indexOf("010212") + 5],
      [unchecked.slice(0, atSignature), "field_missing", atSignature],
      [unchecked.replace("86990005co.qp", "86990005co.qq"), "not_canonical", atSignature + 12],
      [`${unchecked.slice(0, atSignature)}61041101${unchecked.slice(atSignature)}`, "not_canonical", atSignature],
    ];
    for (const [text, reason, position] of changed) {
      expect(parseQrPayload(checked(text), GUID), text).toEqual({ kind: "damaged", reason, position });
    }
  });

  test("a Cupo code of another deployment is foreign here", () => {
    expect(parseQrPayload(PAYLOAD, "other")).toMatchObject({ kind: "foreign", scheme: "EMV", country: "CO" });
  });

  test("our identifier over the signature of another deployment's code does not make it ours", () => {
    const signedPart = PAYLOAD.slice(0, PAYLOAD.lastIndexOf("86990005co.qp"));
    const position = signedPart.indexOf(GUID);
    for (const guid of ["other", "a.longer.identifier"]) {
      const mixed = checked(signedPart + write("86", write("00", guid) + write("01", "A".repeat(70))));
      expect(parseQrPayload(mixed, guid), guid).toEqual({ kind: "damaged", reason: "field_invalid", position });
    }
  });

  test("a sound code of another scheme is named; a damaged one is not", () => {
    expect(parseQrPayload(PIX, GUID)).toEqual({ kind: "foreign", scheme: "PIX", country: "BR", merchant: "Ana" });
    expect(parseQrPayload(PIX.replace("Ana", "Ann"), GUID)).toMatchObject({
      kind: "damaged",
      reason: "checksum_wrong",
    });
  });

  test("lengths count characters, not bytes, and positions too", () => {
    const chinese = checked("0002015906最佳🚚运输a");
    expect(parseQrPayload(chinese, GUID)).toEqual({ kind: "foreign", scheme: "EMV", merchant: "最佳🚚运输a" });
    expect(parseQrPayload("0002015902🚚🚚5X", GUID)).toMatchObject({
      kind: "damaged",
      reason: "truncated",
      position: 12,
    });
  });

  test("national schemes and card networks are known by their signs", () => {
    const named = (guid: string, country: string) =>
      nameEmvScheme({ root: new Map([["58", country]]), guids: new Map([["26", guid]]) });
    expect(named("BR.GOV.BCB.PIX", "BR")).toBe("PIX");
    expect(named("CO.COM.RBM.LLA", "CO")).toBe("Bre-B/EASPBV");
    expect(named("A000000677010111", "TH")).toBe("PromptPay");
    expect(named("A000000524", "IN")).toBe("UPI");
    expect(named("SG.PAYNOW", "SG")).toBe("PayNow (SGQR)");
    expect(named("ana@bank", "KH")).toBe("KHQR");
    expect(named("ID.CO.QRIS.WWW", "ID")).toBe("QRIS");
    expect(named("A000000727", "VN")).toBe("VietQR");
    expect(nameEmvScheme({ root: new Map([["15", "x"]]), guids: new Map() })).toBe("UnionPay");
    const wallets = new Map([
      ["26", "com.grab"],
      ["27", "SG.PAYNOW"],
      ["51", "SG.SGQR"],
    ]);
    expect(nameEmvScheme({ root: new Map(), guids: wallets })).toBe("SGQR");
  });

  test("any string gives an answer, with a position inside it", () => {
    const pieces = fc.constantFrom(
      "00",
      "02",
      "01",
      "26",
      "05",
      "63",
      "04",
      "80",
      "86",
      "99",
      "62",
      GUID,
      PIX,
      PAYLOAD,
      "é🚚",
      "\ud800",
    );
    const anyText = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.array(pieces).map((list) => `000201${list.join("")}`),
      fc.array(pieces).map((list) => checked(`000201${list.join("")}`)),
      fc
        .tuple(fc.nat(PAYLOAD.length), fc.string({ unit: "binary", maxLength: 3 }))
        .map(([at, text]) => checked((PAYLOAD.slice(0, at) + text + PAYLOAD.slice(at + text.length)).slice(0, -8))),
    );
    fc.assert(
      fc.property(anyText, fc.constantFrom(GUID, "", "a.very.long.identifier"), (text, guid) => {
        const parsed = parseQrPayload(text, guid);
        if ("position" in parsed) {
          expect(parsed.position).toBeGreaterThanOrEqual(0);
          expect(parsed.position).toBeLessThanOrEqual(text.length);
        }
      }),
      { numRuns: 2000 },
    );
  });
});

test("nothing here is bound to Node or to the DOM", () => {
  const files = readdirSync(import.meta.dirname).filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"));
  const paths = [...files.map((name) => new URL(name, import.meta.url)), new URL("../qr-payload.ts", import.meta.url)];
  for (const path of paths) {
    const text = readFileSync(path, "utf8");
    const specifiers = [...text.matchAll(/from "([^"]+)"/g)].map(([, specifier]) => specifier);
    expect(
      specifiers.filter((specifier) => !specifier?.startsWith(".")),
      path.pathname,
    ).toEqual([]);
    expect(text).not.toMatch(/\b(?:Buffer|process|window|document)\b\s*[.[(]/);
  }
});

interface Vector {
  payload: string;
  valid: boolean;
  source: string;
  scheme?: string;
}

const VECTORS = new URL("../../../shared/vectors/emv.json", import.meta.url);
const vectors: Vector[] = existsSync(VECTORS) ? JSON.parse(readFileSync(VECTORS, "utf8")) : [];
const EXPECTED_SCHEMES: Readonly<Record<string, string>> = {
  PIX: "PIX",
  QRIS: "QRIS",
  "KHQR (Bakong)": "KHQR",
  "PromptPay/Thai": "PromptPay",
  "UnionPay/KH": "UnionPay",
  "EASPBV-CO": "Bre-B/EASPBV",
  EMVCo: "EMV",
};

test("public payloads of other schemes are named when valid and called damaged when not", ({ skip }) => {
  skip(vectors.length === 0, "../shared/vectors/emv.json is not there");
  for (const { payload, valid, scheme, source } of vectors) {
    const parsed = parseQrPayload(payload, GUID);
    expect(parsed.kind, source).toBe(valid ? "foreign" : "damaged");
    const expected = EXPECTED_SCHEMES[scheme ?? ""];
    if (parsed.kind === "foreign" && expected !== undefined) expect(parsed.scheme, source).toBe(expected);
  }
});
