import { describe, expect, test } from "vitest";
import { readCode } from "./read-code.ts";

describe("what a text is, without asking anybody", () => {
  test.each([
    ["a reference with an error", "7K3M-9QXT-2V4F-0", "mistyped_reference"],
    ["an address", "https://example.com/", "not_a_code"],
    ["a code whose last characters are lost", "00020101021126", "damaged_code"],
    ["nothing", "", "not_a_code"],
  ])("%s gets its own sentence", (_name, text, failure) => {
    expect(readCode(text, "co.qp")).toEqual({ ok: false, problem: { failure } });
  });

  test("a sound code of another scheme is named", () => {
    const account = "0014br.gov.bcb.pix0114+5511999999999";
    const pix = `0002012636${account}5204000053039865802BR5904Loja6009Sao Paulo62070503***6304`;
    const read = readCode(pix + checksum(pix), "co.qp");
    expect(read).toEqual({ ok: false, problem: { failure: "foreign_code", scheme: "PIX" } });
  });
});

/** CRC-16/CCITT-FALSE, by its definition. */
function checksum(text: string): string {
  let crc = 0xffff;
  for (const byte of new TextEncoder().encode(text)) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit++) crc = crc & 0x8000 ? ((crc << 1) ^ 0x1021) & 0xffff : (crc << 1) & 0xffff;
  }
  return crc.toString(16).toUpperCase().padStart(4, "0");
}
