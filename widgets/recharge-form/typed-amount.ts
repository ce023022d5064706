import type { RechargeSession } from "../../src/contract/broker/broker.ts";

/** Returns the largest amount, in currency units, that the till may sell now; infinite without any limit. */
export function mostOf({
  max_amount = Number.POSITIVE_INFINITY,
  left_to_sell = Number.POSITIVE_INFINITY,
}: RechargeSession): number {
  return Math.min(max_amount, left_to_sell);
}

/**
 * Reads an amount as the locale writes it, `25.000` or `1.234,50`; `undefined` for what it does not write so, because
 * `25.00` must not become two thousand five hundred, nor `25,000` become twenty-five.
 */
export function typedAmount(text: string, locale: string): number | undefined {
  const [, group, , , , decimal] = (1234.5).toLocaleString(locale, { useGrouping: "always" });
  const written = new RegExp(`^(\\d{1,3}(?:[${group}]\\d{3})+|\\d{1,12})(?:[${decimal}](\\d{1,2}))?$`);
  const [, whole, fraction = "0"] = written.exec(text.replace(/[\s$]/g, "")) ?? [];
  return whole === undefined ? undefined : Number(`${whole.replace(/\D/g, "")}.${fraction}`);
}
