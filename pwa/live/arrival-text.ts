import type { AppContext } from "../context/app-context.ts";

/** Returns the sentence that is said of money that arrives, with its currency in words; without a hidden amount. */
export function arrivalText(
  { session, words }: Pick<AppContext, "session" | "words">,
  { amount, currency }: { readonly amount?: number; readonly currency: string },
): string {
  const { receive, tag } = words;
  if (amount === undefined || session.masked) return receive.paidTitle;
  const options = { style: "currency", currency, currencyDisplay: "name", minimumFractionDigits: 0 } as const;
  return receive.paid(new Intl.NumberFormat(tag, options).format(amount));
}
