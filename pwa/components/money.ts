import { css, html, type TemplateResult } from "lit";
import { type MoneyParts, moneyParts } from "../format/money-format.ts";

/**
 * Styles of {@link money}: big tabular digits, a smaller currency sign; long sums step down a size, never wrap, and
 * grow with the person's letters as far as the page is wide.
 */
export const moneyStyles = css`
  .money {
    display: inline-flex;
    align-items: baseline;
    direction: ltr;
    font-size: min(3rem, 13.4vw);
    line-height: min(3.5rem, 15.6vw);
    font-weight: 650;
    font-variant-numeric: tabular-nums;
    white-space: nowrap;
  }
  .money .symbol {
    font-size: clamp(0.5em, 1.0625rem, 1em);
    font-weight: 500;
    line-height: 1;
    color: var(--cupo-ink-soft);
  }
  .money.middle {
    font-size: min(2.125rem, max(34px, 9vw));
    line-height: min(2.5rem, max(40px, 11vw));
  }
  .money.short {
    font-size: min(1.375rem, max(22px, 6vw));
  }
`;

function sizeOf({ symbol, digits }: MoneyParts): string {
  // The symbol is half as large as the digits.
  const length = digits.length + symbol.length / 2;
  if (length > 13) return "short";
  return length > 10 ? "middle" : "";
}

/** Renders a big amount that screen readers read as one text; within a card it is `middle`, or smaller. */
export function money(amount: number | string, currency: string, largest: "" | "middle" = ""): TemplateResult {
  const parts = moneyParts(amount, currency);
  return html`<span class="money ${sizeOf(parts) || largest}"
    ><small class="symbol">${parts.sign}${parts.symbol}${"\u00a0"}</small><span>${parts.digits}</span></span
  >`;
}
