import { css } from "./css.ts";

/** Styles that the cards of all elements share: layout, notices, outcomes, amounts and their animations. */
export const cardStyles = css`
  /* The sentences run from left to right also where the page does not; the layout follows the page. */
  :is(p, dt, label, summary, button) {
    unicode-bidi: plaintext;
  }
  :host(:dir(rtl)) {
    text-align: right;
  }
  .card {
    display: grid;
    gap: 16px;
    padding: 16px;
    border: 1px solid var(--line);
    border-radius: 16px;
    background: var(--surface);
    overflow-wrap: anywhere;
  }
  .soft {
    color: var(--ink-soft);
  }
  .small {
    font-size: 0.8125em;
  }
  .name {
    color: var(--ink);
    font-size: 1.0625em;
    font-weight: 600;
  }
  .amount {
    container-type: inline-size;
    width: 100%;
    color: var(--ink);
    font-size: 2.125em;
    font-weight: 650;
    line-height: 1.15;
    font-variant-numeric: tabular-nums;
  }
  /* A bold digit is up to 0.7 wide, and what stands between digits half of that: 0.62 is enough for all of them. */
  .amount bdi {
    font-size: min(1em, 100cqi / var(--length) / 0.62);
    white-space: nowrap;
  }
  .amount small {
    font-size: max(13px, 0.5em);
    font-weight: 600;
  }
  .notice {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 8px 12px;
    padding: 12px;
    border: 1px solid currentColor;
    border-radius: 12px;
  }
  .notice p {
    flex: 1 1 11em;
    color: var(--ink);
  }
  .outcome {
    display: grid;
    justify-items: center;
    gap: 8px;
    padding: 24px 8px;
    text-align: center;
  }
  .outcome .icon {
    width: 72px;
    height: 72px;
    padding: 16px;
    border-radius: 50%;
    background: color-mix(in srgb, currentColor 12%, #0000);
  }
  .title {
    color: var(--ink);
    font-size: 1.375em;
    font-weight: 700;
    line-height: 1.25;
  }
  .outcome p {
    text-wrap: balance;
  }
  .good {
    color: var(--good);
  }
  .warn {
    color: var(--warn);
  }
  .bad {
    color: var(--bad);
  }
  @keyframes breathe {
    to {
      opacity: var(--faint, 0.7);
    }
  }
  @media (prefers-reduced-motion: reduce) {
    * {
      animation: none !important;
      transition: none !important;
    }
  }
`;
