import type { TransactionQrAnswer } from "../../../src/contract/service/qr.ts";
import type { Call, Reply } from "../../../src/contract/shared/handler.ts";
import type { Operation } from "../../../src/contract/shared/operation.ts";
import { qrSvg } from "../../../src/qr-matrix.ts";
import { qrPng } from "./qr-png.ts";

/** The form of the answer that a call asks for. */
type Wish = Pick<Call<Operation, unknown>, "mediaType" | "isMinimal">;

function headersOf(qr: TransactionQrAnswer): Record<string, string> {
  return {
    "Payment-Check-Code": qr.check_code,
    ...(qr.reference === undefined ? {} : { "Payment-Reference": qr.reference }),
    ...(qr.expires_at === undefined ? {} : { "Payment-Expires": qr.expires_at }),
    ...(qr.expires_in === undefined ? {} : { "Payment-Expires-In": String(qr.expires_in) }),
  };
}

function mediaOf({ payload, to_user: payee }: TransactionQrAnswer, mediaType: string): Reply<unknown>["media"] {
  if (mediaType === "image/svg+xml") return { type: mediaType, content: qrSvg(payload, { title: `QR: ${payee}` }) };
  if (mediaType === "image/png") return { type: mediaType, content: qrPng(payload) };
  return undefined;
}

function dataUrl(payload: string): string {
  return `data:image/png;base64,${Buffer.from(qrPng(payload)).toString("base64")}`;
}

/**
 * Completes the answer of a made QR as the caller's `Accept` asks: an image with the facts in headers, or JSON with the
 * image inside, unless a minimal answer is asked for. Drawing takes longer than all else of a QR, so it is done by
 * whoever serves the request, apart from the writer.
 */
export function drawQr(reply: Reply<TransactionQrAnswer>, { mediaType, isMinimal }: Wish): Reply<TransactionQrAnswer> {
  const { body } = reply;
  const headers = headersOf(body);
  const media = mediaOf(body, mediaType);
  if (media !== undefined) return { ...reply, headers, media };
  return { ...reply, headers, body: isMinimal ? body : { ...body, image: dataUrl(body.payload) } };
}
