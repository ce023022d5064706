/** The part of `qrcode` that computes modules and draws nothing: 8 KB gzip instead of the whole. It ships no types. */
declare module "qrcode/lib/core/qrcode.js" {
  interface QrSegment {
    data: string;
    mode: "byte";
  }
  interface QrSymbol {
    modules: { size: number; get(row: number, column: number): number };
    version: number;
  }
  const qrcode: { create(segments: QrSegment[], options: { errorCorrectionLevel: "M" }): QrSymbol };
  export default qrcode;
}
