import { describe, expect, it } from "vitest";
import { unlocks } from "./unlocks.ts";

const question = { challenge: "YXNrZWQ", origin: "https://cupo.example", passkeyId: "key-1" };

function assertion({ flags = 0x05, id = "key-1", challenge = question.challenge, origin = question.origin } = {}) {
  const data = Buffer.concat([Buffer.alloc(32, 7), Buffer.from([flags, 0, 0, 0, 1])]);
  const client = JSON.stringify({ type: "webauthn.get", challenge, origin });
  return {
    id,
    response: {
      authenticatorData: data.toString("base64url"),
      clientDataJSON: Buffer.from(client).toString("base64url"),
    },
  };
}

describe("an assertion", () => {
  it("opens the lock when the device has verified the person", () => {
    expect(unlocks(assertion(), question)).toBe(true);
    expect(unlocks(assertion({ flags: 0x01 }), question)).toBe(false);
  });

  it("opens it for the passkey of this device alone, where that is known", () => {
    expect(unlocks(assertion({ id: "key-2" }), question)).toBe(false);
    expect(unlocks(assertion({ id: "key-2" }), { ...question, passkeyId: undefined })).toBe(true);
  });

  it("opens nothing when it answers another question or another page", () => {
    expect(unlocks(assertion({ challenge: "b2xk" }), question)).toBe(false);
    expect(unlocks(assertion({ origin: "https://other.example" }), question)).toBe(false);
    expect(unlocks({ id: "key-1", response: { clientDataJSON: "e30" } }, question)).toBe(false);
  });
});
