/** Why a code cannot be made: the amount has no room in field 54, or a field has a value that no code may carry. */
export type QrPayloadErrorCode = "amount_too_large_for_qr" | "invalid_qr_field";

/** Thrown when a code is made from what it cannot say; `path` is the EMV field, such as `54` or `62-05`. */
export class QrPayloadError extends Error {
  override readonly name = "QrPayloadError";
  readonly code: QrPayloadErrorCode;
  readonly path: string;

  constructor(code: QrPayloadErrorCode, path: string, message: string) {
    super(message);
    this.code = code;
    this.path = path;
  }
}
