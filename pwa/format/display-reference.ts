import { formatPaymentReference, parsePaymentReference } from "../../src/payment-reference.ts";

/** A reference as people see it, `7K3M-9QXT-2V4F-W`; one of another service, which has its own form, as it is. */
export function displayReference(reference: string): string {
  const parsed = parsePaymentReference(reference);
  return parsed.ok ? formatPaymentReference(parsed.reference) : reference;
}
