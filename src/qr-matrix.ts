import qrcode from "qrcode/lib/core/qrcode.js";

/** Light modules around a code that ISO/IEC 18004 §6.3.8 asks for, and that scanners rely on. */
export const QUIET_ZONE = 4;

const SVG_PIXELS_PER_MODULE = 8;

/** The modules of a QR code without its quiet zone. */
export interface QrMatrix {
  readonly size: number;
  isDark(row: number, column: number): boolean;
}

/**
 * Computes the QR code of a payload: byte mode, as EMVCo asks, and error correction level M.
 * Throws when the payload is empty or longer than a QR code holds (2 331 bytes).
 */
export function qrMatrix(payload: string): QrMatrix {
  if (payload === "") throw new RangeError("a QR code needs a payload");
  const { modules } = qrcode.create([{ data: payload, mode: "byte" }], { errorCorrectionLevel: "M" });
  return { size: modules.size, isDark: (row, column) => modules.get(row, column) === 1 };
}

/** One SVG path of all dark modules, a rectangle for each horizontal run; one unit a module, origin at the first. */
export function qrPath(matrix: QrMatrix): string {
  const runs: string[] = [];
  for (let row = 0; row < matrix.size; row++) {
    for (let column = 0; column < matrix.size; column++) {
      if (!matrix.isDark(row, column)) continue;
      const start = column;
      while (column + 1 < matrix.size && matrix.isDark(row, column + 1)) column++;
      const length = column - start + 1;
      runs.push(`M${start} ${row}h${length}v1h-${length}z`);
    }
  }
  return runs.join("");
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
