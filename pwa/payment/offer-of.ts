import { amountToNumber } from "../../src/money.ts";
import { parseQrPayload } from "../../src/qr-payload.ts";

/** The payment that a code asks for. */
export interface Offer {
  readonly payee: string;
  /** In currency units; absent in a code without an amount. */
  readonly amount?: number;
  /** Absent in a code that can be paid more than once. */
  readonly reference?: string;
  /** Unix time in seconds. */
  readonly expiresAt?: number;
}

/** Returns the payment that a code asks for, unverified; undefined if the payload is no code of this service. */
export function offerOf(payload: string, guid: string): Offer | undefined {
  const parsed = parseQrPayload(payload, guid);
  if (parsed.kind !== "cupo") return undefined;
  const { payee, amountMinor, currency, reference, expiresAt } = parsed.fields;
  return {
    payee,
    ...(amountMinor === undefined ? {} : { amount: amountToNumber(amountMinor, currency.digits) }),
    ...(reference === undefined ? {} : { reference }),
    ...(expiresAt === undefined ? {} : { expiresAt }),
  };
}
