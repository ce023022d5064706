import { describe, expect, it } from "vitest";
import { passkeyFaultOf } from "./passkey-fault.ts";

describe("why no passkey came", () => {
  it.each([
    ["NotAllowedError", "cancelled"],
    ["AbortError", "cancelled"],
    ["InvalidStateError", "already"],
    ["NotSupportedError", "unsupported"],
    ["ConstraintError", "unsupported"],
    ["SecurityError", "insecure"],
  ])("%s is %s", (name, fault) => {
    expect(passkeyFaultOf(new DOMException("", name))).toBe(fault);
  });

  it("is no excuse for a bug", () => {
    const bug = new TypeError("challenge is undefined");
    expect(() => passkeyFaultOf(bug)).toThrow(bug);
    expect(() => passkeyFaultOf(new DOMException("", "toString"))).toThrow();
  });
});
