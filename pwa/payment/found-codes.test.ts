import { describe, expect, test } from "vitest";
import { createPaymentReference } from "../../src/payment-reference.ts";
import { FoundCodes } from "./found-codes.ts";

const GUID = "co.qp";
const WIFI = "WIFI:T:WPA;S:Cafe;;";
const [A, B, C] = [1, 2, 3].map((fill) => createPaymentReference((length) => new Uint8Array(length).fill(fill))) as [
  string,
  string,
  string,
];
const codeOf = (reference: string) => ({ reference });

describe("codes before the camera", () => {
  test("one is confirmed once, however often it is seen, alone or beside others", () => {
    const found = new FoundCodes();
    expect(found.seen([A], GUID)).toEqual({ confirm: codeOf(A) });
    for (const texts of [[A, WIFI], [A], [B], [A, B]]) expect(found.seen(texts, GUID).confirm).toBeUndefined();
  });

  test("another code is told as what it is where there is no payment code, and left alone where there is one", () => {
    expect(new FoundCodes().seen([WIFI], GUID)).toEqual({ problem: { failure: "not_a_code" } });
    expect(new FoundCodes().seen([WIFI, A], GUID)).toEqual({ confirm: codeOf(A) });
  });

  test("of several the person chooses: none is confirmed by itself, moved or taken away meanwhile", () => {
    const found = new FoundCodes();
    expect(found.seen([A, WIFI, B], GUID)).toEqual({});
    for (const texts of [[A], [WIFI], [C], [C, A]]) expect(found.seen(texts, GUID)).toEqual({});
    expect(found.choices).toEqual([A, B, C].map(codeOf));
    expect(found.confirm(codeOf(B))).toEqual({ confirm: codeOf(B) });
    expect(found.confirm(codeOf(A))).toEqual({});
  });
});

test("a text or image that the person gives while choosing decides, and one without a code changes no choice", () => {
  const found = new FoundCodes();
  found.given([A, B, A], GUID);
  expect(found.given([WIFI], GUID)).toEqual({ problem: { failure: "not_a_code" } });
  expect(found.choices).toEqual([A, B].map(codeOf));
  expect(found.given([C], GUID)).toEqual({ confirm: codeOf(C) });
});
