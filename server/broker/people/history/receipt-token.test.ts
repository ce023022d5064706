import { randomBytes } from "node:crypto";
import { v7 } from "uuid";
import { describe, expect, it } from "vitest";
import { createReceiptTokens, type ReceiptFacts } from "./receipt-token.ts";

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

const facts: ReceiptFacts = {
  kind: "qr",
  id: v7(),
  payerId: v7(),
  payeeId: v7(),
  amountMinor: 2_500_050n,
  createdAt: new Date("2026-03-31T14:05:00.123Z"),
  reference: "7K3M9QXT2V4FW",
};
const tokens = createReceiptTokens(randomBytes(32));

describe("a receipt", () => {
  it("is read as it was written, of every kind and of the largest amount", () => {
    for (const kind of ["payment", "batch", "recharge", "qr", "refund", "transfer"] as const) {
      const whole = { ...facts, kind, amountMinor: 10n ** 15n - 1n };
      const { receipt, check_code: checkCode } = tokens.write(whole);
      expect(tokens.read(receipt)).toEqual({ ...whole, checkCode });
    }
  });

  it("carries the ids of neither payer nor payee, however its bytes are read", () => {
    const { receipt } = tokens.write(facts);
    const bytes = Buffer.from(receipt, "base64url");
    for (const id of [facts.payerId, facts.payeeId]) {
      const raw = Buffer.from(id.replaceAll("-", ""), "hex");
      expect(bytes.indexOf(raw)).toBe(-1);
      // The first six bytes are the time at which the user was made, which nobody may read either.
      expect(bytes.indexOf(raw.subarray(0, 6), 1 + 16)).toBe(-1);
    }
    const [own, other] = [facts, { ...facts, id: v7() }].map((each) => tokens.write(each).receipt.slice(23, 60));
    expect(own).not.toBe(other);
  });

  it("of the first version, whose ids were in clear, is read with the check code that it had", () => {
    const receipt =
      "EwGZDB5bKn0QikFvK5w9AAQBmQweWyp9EIpBbyucPQACAZkMHlsqfRCKQW8rnD0AAwAAAAAAJiXSAZ1ENkNb" +
      "N0szTTlRWFQyVjRGV0E_aVLT5ZFxtAldmGybLug";
    expect(createReceiptTokens(new Uint8Array(32)).read(receipt)).toEqual({
      ...{ kind: "qr", id: "01990c1e-5b2a-7d10-8a41-6f2b9c3d0004", checkCode: "56NXQE5J", reference: "7K3M9QXT2V4FW" },
      payerId: "01990c1e-5b2a-7d10-8a41-6f2b9c3d0002",
      payeeId: "01990c1e-5b2a-7d10-8a41-6f2b9c3d0003",
      amountMinor: 2_500_050n,
      createdAt: new Date("2026-03-31T14:05:00.123Z"),
    });
  });

  it("has a check code of eight characters that nobody confuses, and another one for another payment", () => {
    const first = tokens.write(facts).check_code;
    expect(first).toMatch(/^[0-9A-HJKMNP-TV-Z]{8}$/);
    expect(tokens.write({ ...facts, amountMinor: facts.amountMinor + 1n }).check_code).not.toBe(first);
    expect(tokens.write(facts).check_code).toBe(first);
  });

  it("is refused once any one of its characters is another", () => {
    const { receipt } = tokens.write(facts);
    const taken: string[] = [];
    for (let at = 0; at < receipt.length; at++) {
      for (const character of ALPHABET) {
        if (character === receipt[at]) continue;
        const altered = receipt.slice(0, at) + character + receipt.slice(at + 1);
        if (tokens.read(altered) !== undefined) taken.push(altered);
      }
    }
    expect(taken).toEqual([]);
  });

  it("is refused when it was cut, lengthened, padded or put in pieces", () => {
    const { receipt } = tokens.write(facts);
    for (const altered of ["", receipt.slice(1), receipt.slice(0, -1), `${receipt}A`, `${receipt}=`, ` ${receipt}`]) {
      expect(tokens.read(altered), altered).toBeUndefined();
    }
    expect(tokens.read(receipt.slice(0, 20))).toBeUndefined();
  });

  it("is refused by whoever has another key", () => {
    const { receipt } = createReceiptTokens(randomBytes(32)).write(facts);
    expect(tokens.read(receipt)).toBeUndefined();
  });

  it("fits a QR code that a phone reads from paper", () => {
    expect(tokens.write(facts).receipt.length).toBeLessThanOrEqual(123);
  });
});
