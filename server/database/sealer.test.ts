import { randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import { createSealer, SealError } from "./sealer.ts";

const KEY = randomBytes(32);
const PLAIN = Buffer.from("a private key of thirty-two byte");
const sealer = createSealer(KEY, randomBytes);

describe("a sealer", () => {
  it("opens what it sealed, also in another process with the same key", () => {
    const sealed = sealer.seal("qr-signing-key", "k1", PLAIN);
    expect(Buffer.from(createSealer(KEY, randomBytes).open("qr-signing-key", "k1", sealed))).toEqual(PLAIN);
  });

  it("never writes the same bytes twice, and never the plain ones", () => {
    const sealed = [1, 2].map(() => Buffer.from(sealer.seal("qr-signing-key", "k1", PLAIN)));
    expect(sealed[0]).not.toEqual(sealed[1]);
    expect(sealed.map((bytes) => bytes.includes(PLAIN.subarray(0, 8)))).toEqual([false, false]);
  });

  it("does not open with another key, and says what to do", () => {
    const sealed = sealer.seal("token-signing-key", "k1", PLAIN);
    const other = createSealer(randomBytes(32), randomBytes);
    expect(() => other.open("token-signing-key", "k1", sealed)).toThrow(SealError);
    expect(() => other.open("token-signing-key", "k1", sealed)).toThrow(/CUPO_KEY.*Start with the key that/);
  });

  it("opens nothing under another purpose or name", () => {
    const sealed = sealer.seal("token-signing-key", "k1", PLAIN);
    expect(() => sealer.open("qr-signing-key", "k1", sealed)).toThrow(SealError);
    expect(() => sealer.open("token-signing-key", "k2", sealed)).toThrow(SealError);
  });

  it("opens nothing that was altered or cut at any byte", () => {
    const sealed = Buffer.from(sealer.seal("token-signing-key", "k1", PLAIN));
    for (const index of sealed.keys()) {
      const altered = Buffer.from(sealed);
      altered.writeUInt8((altered[index] ?? 0) ^ 1, index);
      expect(() => sealer.open("token-signing-key", "k1", altered)).toThrow(SealError);
      expect(() => sealer.open("token-signing-key", "k1", sealed.subarray(0, index))).toThrow(SealError);
    }
  });

  it("takes a key of 32 bytes and no other", () => {
    expect(() => createSealer(randomBytes(31), randomBytes)).toThrow(SealError);
  });
});
