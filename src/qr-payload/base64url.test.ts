import fc from "fast-check";
import { expect, test } from "vitest";
import { base64UrlToUuid, fromBase64Url, toBase64Url, uuidToBase64Url } from "./base64url.ts";

test("a UUID survives its 22 characters, and only one writing is accepted", () => {
  fc.assert(fc.property(fc.uuid(), (uuid) => base64UrlToUuid(uuidToBase64Url(uuid) ?? "") === uuid));
  expect(uuidToBase64Url("0190A5C2-7B1E-7C3A-9F10-2233445566FF")).toBe("AZClwnsefDqfECIzRFVm_w");
  expect(base64UrlToUuid("AZClwnsefDqfECIzRFVm_x")).toBeUndefined();
  expect(uuidToBase64Url("0190a5c2")).toBeUndefined();
  for (const text of ["A", "=", "AA==", "A+", "é", "AB"]) expect(fromBase64Url(text), text).toBeUndefined();
  fc.assert(
    fc.property(fc.uint8Array(), (bytes) => {
      expect(fromBase64Url(toBase64Url(bytes))).toEqual(bytes);
    }),
  );
});
