import { css, html, svg, type TemplateResult } from "lit";

/** Styles of {@link paidMark}: the check draws itself once, and stands at once under reduced motion. */
export const paidMarkStyles = css`
  .paid-mark {
    width: 88px;
    height: 88px;
    color: var(--cupo-good);
  }
  .paid-mark path {
    fill: none;
    stroke: currentColor;
    stroke-width: 5;
    stroke-linecap: round;
    stroke-linejoin: round;
  }
  .paid-mark .check {
    stroke-dasharray: 60;
    animation: draw 480ms ease-out both;
  }
  @keyframes draw {
    from {
      stroke-dashoffset: 60;
    }
    to {
      stroke-dashoffset: 0;
    }
  }
  @media (prefers-reduced-motion: reduce) {
    .paid-mark .check {
      animation: none;
    }
  }
`;

const notchedSquare = svg`<path
  d="M30 6h28a24 24 0 0 1 24 24v5a9 9 0 0 0 0 18v5a24 24 0 0 1-24 24H30A24 24 0 0 1 6 58V30A24 24 0 0 1 30 6z"
/>`;

/** Renders a check mark within the outline of Cupo's logo, shown when a payment was approved or has arrived. */
export function paidMark(): TemplateResult {
  return html`<svg class="paid-mark" viewBox="0 0 88 88" aria-hidden="true">
    ${notchedSquare}${svg`<path class="check" d="M28 45l11 11 22-24" />`}
  </svg>`;
}
