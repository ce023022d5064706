import { ApiError, type ErrorCode } from "../../src/contract/shared/errors.ts";

/** Why the broker refuses a passkey: it is not valid here, there may be a copy of it, or the account is frozen. */
export type PasskeyRefusal = "refused" | "copied" | "frozen";

const byCode: Readonly<Partial<Record<ErrorCode, PasskeyRefusal>>> = Object.freeze({
  passkey_refused: "refused",
  passkey_copied: "copied",
  account_frozen: "frozen",
});

/** Returns why the broker refused a passkey, from the error of its answer; undefined for any other error. */
export function refusedPasskey(error: unknown): PasskeyRefusal | undefined {
  return error instanceof ApiError ? byCode[error.code] : undefined;
}
