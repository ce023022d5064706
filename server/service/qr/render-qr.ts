import type { TransactionQrAnswer } from "../../../src/contract/service/qr.ts";
import type { Reply } from "../../../src/contract/shared/handler.ts";
import { qrSvg } from "../../../src/qr-matrix.ts";
import { secondsUntil } from "../transactions/find-qr.ts";
import { qrPng } from "./qr-png.ts";

/** The kept part of a QR's answer: all but its image and its age, which are made anew. */
export interface StoredQr {
  readonly reference?: string;
  readonly payload: string;
  readonly check_code: string;
  readonly expires_at?: string;
  /** Named in the image's title; no part of the answer. */
  readonly payee: string;
}

function headersOf(qr: Omit<StoredQr, "payee">, expiresIn: number | undefined): Record<string, string> {
  return {
    "Payment-Check-Code": qr.check_code,
    ...(qr.reference === undefined ? {} : { "Payment-Reference": qr.reference }),
    ...(qr.expires_at === undefined ? {} : { "Payment-Expires": qr.expires_at }),
    ...(expiresIn === undefined ? {} : { "Payment-Expires-In": String(expiresIn) }),
  };
}

function mediaOf(payload: string, mediaType: string, payee: string): Reply<unknown>["media"] {
  if (mediaType === "image/svg+xml") return { type: mediaType, content: qrSvg(payload, { title: `QR: ${payee}` }) };
  if (mediaType === "image/png") return { type: mediaType, content: qrPng(payload) };
  return undefined;
}

/** Draws a QR as the caller's `Accept` asks: an image with the facts in headers, or JSON with the image inside. */
export function renderQr({ payee, ...qr }: StoredQr, mediaType: string, now: Date): Reply<TransactionQrAnswer> {
  const expiresIn = qr.expires_at === undefined ? undefined : secondsUntil(new Date(qr.expires_at), now);
  const media = mediaOf(qr.payload, mediaType, payee);
  const image = media === undefined ? `data:image/png;base64,${Buffer.from(qrPng(qr.payload)).toString("base64")}` : "";
  const body = { ...qr, image, ...(expiresIn === undefined ? {} : { expires_in: expiresIn }) };
  return { body, headers: headersOf(qr, expiresIn), ...(media === undefined ? {} : { media }) };
}
