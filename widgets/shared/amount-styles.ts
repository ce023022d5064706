import { css } from "./css.ts";

/** Declarations of the digits of a big amount, in app and elements: 48 px where a page is about it, 34 in a card. */
export const amountStyle = css`
  font-weight: 650;
  letter-spacing: -0.02em;
  font-variant-numeric: tabular-nums;
`;

/** Declarations of the currency beside them: smaller, and never too small to read. */
export const currencyStyle = css`
  font-size: max(13px, 0.5em);
  font-weight: 500;
  letter-spacing: 0;
`;
