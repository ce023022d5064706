import { type CSSResultGroup, css, unsafeCSS } from "lit";
import { SUCCESS, successStyles } from "../../widgets/shared/success-mark.ts";


/** The icon of success, as SVG text: what the mark of a payment that was made is, in the size of a line. */
export const Success =
  `<svg viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" ` +
  `stroke-linejoin="round"><path d="${SUCCESS}"/></svg>`;

/** Styles of the mark itself, `successMark`; it stands at once under reduced motion. */
export const successMarkStyles: CSSResultGroup = [
  unsafeCSS(successStyles),
  css`
    @media (prefers-reduced-motion: reduce) {
      .success {
        animation: none;
      }
    }
  `,
];
