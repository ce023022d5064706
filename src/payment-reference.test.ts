import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  CROCKFORD_ALPHABET,
  createPaymentReference,
  formatPaymentReference,
  parsePaymentReference,
} from "./payment-reference.ts";

const KNOWN = "7K3M9QXT2V4FW";
const anyReference = fc
  .uint8Array({ minLength: 12, maxLength: 12 })
  .map((bytes) => createPaymentReference(() => bytes));

function withCharacter(text: string, index: number, character: string): string {
  return text.slice(0, index) + character + text.slice(index + 1);
}

function withSwap(text: string, left: number, right: number): string {
  const swapped = withCharacter(text, left, text.charAt(right));
  return withCharacter(swapped, right, text.charAt(left));
}

function expectErrorsFound(reference: string): void {
  for (let left = 0; left < reference.length; left++) {
    for (const character of CROCKFORD_ALPHABET) {
      if (character === reference[left]) continue;
      const wrong = withCharacter(reference, left, character);
      expect(parsePaymentReference(wrong), wrong).toEqual({ ok: false, fault: "mistyped" });
    }
    for (let right = left + 1; right < reference.length; right++) {
      if (reference[left] === reference[right]) continue;
      const wrong = withSwap(reference, left, right);
      expect(parsePaymentReference(wrong), wrong).toEqual({ ok: false, fault: "mistyped" });
    }
  }
}

describe("payment reference", () => {
  test("the check character of 7K3M9QXT2V4F is W", () => {
    const bytes = Uint8Array.from("7K3M9QXT2V4F", (character) => CROCKFORD_ALPHABET.indexOf(character));
    expect(createPaymentReference(() => bytes)).toBe(KNOWN);
    expect(parsePaymentReference(KNOWN)).toEqual({ ok: true, reference: KNOWN });
  });

  test("people see it in groups, and what they see reads back", () => {
    expect(formatPaymentReference(KNOWN)).toBe("7K3M-9QXT-2V4F-W");
    fc.assert(
      fc.property(anyReference, (reference) => {
        expect(parsePaymentReference(formatPaymentReference(reference))).toEqual({ ok: true, reference });
      }),
    );
  });

  test("every single wrong character and every swap of two is called mistyped", () => {
    for (const reference of [KNOWN, "0000000000000", createPaymentReference(() => new Uint8Array(12).fill(31))]) {
      expectErrorsFound(reference);
    }
    fc.assert(fc.property(anyReference, expectErrorsFound), { numRuns: 20 });
  });

  test("hyphens, spaces, small letters, and I, L, O for digits are accepted", () => {
    expect(parsePaymentReference("  7k3m-9qxt 2v4f–w\n")).toEqual({ ok: true, reference: KNOWN });
    const ones = createPaymentReference(() => Uint8Array.of(1, 1, 1, 0, 0, 0, 1, 1, 1, 0, 0, 0));
    const typed = `iIl oOo LL1 0O0 ${ones.charAt(12)}`;
    expect(parsePaymentReference(typed)).toEqual({ ok: true, reference: ones });
  });

  test("another length, U, other signs and long texts are malformed", () => {
    const wrong = ["", "7K3M9QXT2V4F", `${KNOWN}W`, "7K3M9QXT2V4FU", "7K3M9QXT2V4F_", "７K3M9QXT2V4FW", "ı".repeat(13)];
    for (const text of [...wrong, " ".repeat(100_000) + KNOWN]) {
      expect(parsePaymentReference(text), text.slice(0, 40)).toEqual({ ok: false, fault: "malformed" });
    }
  });

  test("any string gives an answer", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => typeof parsePaymentReference(text).ok === "boolean"),
    );
  });

  test("a random source that gives too few bytes is refused, and so is formatting what is no reference", () => {
    expect(() => createPaymentReference(() => new Uint8Array(3))).toThrow(RangeError);
    expect(() => formatPaymentReference("7k3m")).toThrow(RangeError);
  });

  test("twelve random characters are uniform over the alphabet", () => {
    const bytes = Uint8Array.from({ length: 256 }, (_, index) => index);
    const counts = new Map<string, number>();
    for (let start = 0; start < 252; start += 12) {
      const reference = createPaymentReference(() => bytes.slice(start, start + 12));
      for (const character of reference.slice(0, 12)) counts.set(character, (counts.get(character) ?? 0) + 1);
    }
    expect(counts.size).toBe(32);
    expect(Math.max(...counts.values()) - Math.min(...counts.values())).toBeLessThanOrEqual(1);
  });
});
