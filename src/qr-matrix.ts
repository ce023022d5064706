import qrcode from "qrcode/lib/core/qrcode.js";
import { type QrMatrix, QUIET_ZONE, qrPath } from "./qr-path.ts";

const SVG_PIXELS_PER_MODULE = 8;

/**
 * Computes the QR code of a payload: byte mode, as EMVCo asks, and error correction level M.
 * Throws when the payload is empty or longer than a QR code holds (2 331 bytes).
 */
export function qrMatrix(payload: string): QrMatrix {
  if (payload === "") throw new RangeError("a QR code needs a payload");
  const { modules } = qrcode.create([{ data: payload, mode: "byte" }], { errorCorrectionLevel: "M" });
  return { size: modules.size, isDark: (row, column) => modules.get(row, column) === 1 };
}

/** A standalone SVG image of a payload: black on its own white plate with the quiet zone, named by `title`. */
export function qrSvg(payload: string, options: { title: string }): string {
  const matrix = qrMatrix(payload);
  const width = matrix.size + 2 * QUIET_ZONE;
  const pixels = width * SVG_PIXELS_PER_MODULE;
  const box = `${-QUIET_ZONE} ${-QUIET_ZONE} ${width} ${width}`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${pixels}" height="${pixels}" viewBox="${box}" role="img"`,
    ` shape-rendering="crispEdges"><title>${escapeXml(options.title)}</title>`,
    `<path fill="#fff" d="M${-QUIET_ZONE} ${-QUIET_ZONE}h${width}v${width}h-${width}z"/>`,
    `<path fill="#000" d="${qrPath(matrix)}"/></svg>`,
  ].join("");
}

const XML_ESCAPES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;" };

/** Escapes text for XML 1.0, and drops the characters that XML cannot carry in any form. */
function escapeXml(text: string): string {
  const carried = text.toWellFormed().replace(/[^\t\n\r\x20-\uFFFD\u{10000}-\u{10FFFF}]/gu, "");
  return carried.replace(/[&<>]/g, (character) => XML_ESCAPES[character] ?? "");
}
