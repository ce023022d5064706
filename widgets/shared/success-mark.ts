import { html, type TemplateResult } from "lit";
import { css } from "./css.ts";

/** Outline of success (SVG path data, 24 units square): a check within that of Cupo's logo; small, it is an icon. */
export const SUCCESS =
  "M8 2h8a6 6 0 0 1 6 6v1.5a2.5 2.5 0 0 0 0 5V16a6 6 0 0 1-6 6H8a6 6 0 0 1-6-6V8a6 6 0 0 1 6-6M7.8 12.2l2.9 2.9 5.8-6.3";

/** Styles of {@link successMark}, which draws itself once; app and elements stop it under reduced motion. */
export const successStyles = css`
  .success {
    width: 72px;
    height: 72px;
    fill: none;
    stroke: currentColor;
    stroke-width: 1.5;
    stroke-linecap: round;
    stroke-linejoin: round;
    stroke-dasharray: 1;
    animation: draw 480ms ease-out backwards;
  }
  @keyframes draw {
    from {
      stroke-dashoffset: 1;
    }
  }
`;

/** Renders the mark of a payment that was made or has arrived. */
export function successMark(): TemplateResult {
  return html`<svg class="success good" viewBox="0 0 24 24" aria-hidden="true">
    <path pathLength="1" d=${SUCCESS}></path>
  </svg>`;
}
