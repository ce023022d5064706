import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { extractQrPayload, qrPayloadLink } from "./extract-qr-payload.ts";

/** Extraction looks at the form alone: the signs that a link must escape are what matters here. */
const PAYLOAD = "0002015914100% Jugos # 1?5802CO63041234";
const PIX = "00020126180014br.gov.bcb.pix63041234";

describe("finding the code in what a person gives", () => {
  test("the code itself, also with blanks around it", () => {
    expect(extractQrPayload(` ${PAYLOAD}\n`)).toEqual({ kind: "payload", payload: PAYLOAD });
    expect(extractQrPayload(PIX)).toEqual({ kind: "payload", payload: PIX });
  });

  test("the link of the app, escaped or not", () => {
    const origin = "https://pay.example";
    expect(extractQrPayload(qrPayloadLink(origin, PAYLOAD))).toEqual({ kind: "link", payload: PAYLOAD, origin });
    expect(extractQrPayload(`${origin}/p#${encodeURIComponent(PAYLOAD)}`)).toEqual({
      kind: "link",
      payload: PAYLOAD,
      origin,
    });
    expect(new URL(qrPayloadLink(origin, PAYLOAD)).href).toBe(qrPayloadLink(origin, PAYLOAD));
    expect(extractQrPayload("http://localhost:4000/p?lang=es#000201")).toMatchObject({
      kind: "link",
      payload: "000201",
    });
  });

  test("a typed reference, and one mistyped", () => {
    expect(extractQrPayload("7k3m-9qxt-2v4f-w")).toEqual({ kind: "reference", reference: "7K3M9QXT2V4FW" });
    expect(extractQrPayload("7k3m-9qxt-2v4f-x")).toEqual({ kind: "mistyped_reference" });
  });

  test("anything else is unknown, and any string gives an answer", () => {
    for (const text of [
      "",
      "hola",
      "https://pay.example/",
      "https://pay.example/q#000201",
      "javascript:1",
      "x".repeat(5000),
    ]) {
      expect(extractQrPayload(text), text.slice(0, 40)).toEqual({ kind: "unknown" });
    }
    fc.assert(
      fc.property(
        fc.string({ unit: "binary" }),
        (text) => typeof extractQrPayload(`https://a/p#${text}`).kind === "string",
      ),
    );
  });
});
