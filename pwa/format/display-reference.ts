import { formatPaymentReference, parsePaymentReference } from "../../src/payment-reference.ts";

/**
 * Formats a payment reference as people see it, `7K3M-9QXT-2V4F-W`; a reference of another service, which has another
 * form, is returned unchanged.
 */
export function displayReference(reference: string): string {
  const parsed = parsePaymentReference(reference);
  return parsed.ok ? formatPaymentReference(parsed.reference) : reference;
}
