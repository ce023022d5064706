import { amountToNumber } from "../../src/money.ts";
import { parseQrPayload } from "../../src/qr-payload.ts";

/** The payment that a code asks for. */
export interface Offer {
  /** The payee's name in full: no more than its mask is shown to whoever does not know it already. */
  readonly payee: string;
  readonly payeeId: string;
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
  const { payee, payeeId, amountMinor, currency, reference, expiresAt } = parsed.fields;
  return {
    payee,
    payeeId,
    ...(amountMinor === undefined ? {} : { amount: amountToNumber(amountMinor, currency.digits) }),
    ...(reference === undefined ? {} : { reference }),
    ...(expiresAt === undefined ? {} : { expiresAt }),
  };
}
