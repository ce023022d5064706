import { css, html, type TemplateResult } from "lit";
import Check from "lucide-static/dist/esm/icons/check.mjs";
import { icon } from "../design/icon.ts";

/** Styles of {@link paidMark}: the check draws itself once, and stands at once under reduced motion. */
export const paidMarkStyles = css`
  .paid-mark {
    display: grid;
    place-items: center;
    width: 72px;
    height: 72px;
    border-radius: 50%;
    background: color-mix(in srgb, currentColor 12%, transparent);
    font-size: 2rem;
  }
  .paid-mark path {
    stroke-dasharray: 24;
    animation: draw 480ms ease-out backwards;
  }
  @keyframes draw {
    from {
      stroke-dashoffset: 24;
    }
  }
  @media (prefers-reduced-motion: reduce) {
    .paid-mark path {
      animation: none;
    }
  }
`;

/** Renders the mark of a payment that was approved or has arrived: as the elements show it, the icon on its ground. */
export function paidMark(): TemplateResult {
  return html`<span class="paid-mark good">${icon(Check)}</span>`;
}
