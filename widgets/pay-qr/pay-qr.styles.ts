import { css } from "lit";

/** How `<pay-qr>` is laid out; colours and controls come from the shared look. */
export const payQrStyles = css`
  :host {
    position: relative;
    max-width: 400px;
  }
  /* The sentences run from left to right also where the page does not; the layout follows the page. */
  p,
  dt {
    unicode-bidi: plaintext;
  }
  :host(:dir(rtl)) :is(dt, .hint, .notice p) {
    text-align: right;
  }
  :host(:dir(rtl)) .facts > :last-child:not(:first-child) dt {
    text-align: left;
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
    font-size: 13px;
  }
  header {
    display: grid;
    gap: 4px;
    text-align: center;
  }
  .payee {
    color: var(--ink);
    font-size: 17px;
    font-weight: 600;
  }
  .amount {
    font-size: 34px;
    font-weight: 700;
    line-height: 1.15;
    font-variant-numeric: tabular-nums;
    letter-spacing: -0.01em;
  }
  .amount small {
    color: var(--ink-soft);
    font-size: 17px;
    font-weight: 600;
  }
  /* As wide as four pixels a module take, plus its own edge, which keeps it apart from a white card. */
  .plate {
    justify-self: center;
    width: 100%;
    max-width: calc(var(--modules) * 4px + 14px);
    /* Less, and the rounded corners would cut into the quiet zone. */
    padding: 6px;
    border: 1px solid #dfe3dd;
    border-radius: 16px;
    background: #fff;
    forced-color-adjust: none;
    transition: opacity 180ms ease-out;
  }
  /* Whole pixels a module: modules of uneven width are what decoders fail on when the place is narrow. */
  .plate svg {
    display: block;
    width: round(down, 100%, calc(var(--modules) * 1px));
    max-width: 100%;
    height: auto;
    margin: auto;
  }
  .plate.veiled {
    opacity: 0.15;
  }
  .blank {
    display: grid;
    place-content: center;
    aspect-ratio: 1;
    border: 1px solid var(--line);
    border-radius: 16px;
    background: var(--paper);
    color: var(--ink-soft);
    animation: breathe 1.6s ease-in-out infinite alternate;
  }
  .facts {
    display: grid;
    grid-template-columns: 1fr auto;
    gap: 16px;
    margin: 0;
  }
  .facts > :last-child:not(:first-child) {
    text-align: end;
  }
  dd {
    margin: 0;
    font-size: 22px;
    font-weight: 600;
    line-height: 1.3;
    font-variant-numeric: tabular-nums;
  }
  .hint {
    font-size: 13px;
    font-weight: 400;
    unicode-bidi: plaintext;
  }
  .code {
    display: inline-block;
    letter-spacing: 0.2em;
    margin-inline-end: -0.2em;
  }
  .late {
    color: var(--warn);
  }
  .notice {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 8px 12px;
    padding: 12px;
    border: 1px solid currentColor;
    border-radius: 12px;
    color: var(--warn);
  }
  .notice p {
    flex: 1 1 180px;
    color: var(--ink);
  }
  .actions {
    display: grid;
    grid-template-columns: repeat(auto-fit, minmax(min(175px, 100%), 1fr));
    gap: 8px;
  }
  .actions .button {
    padding-inline: 8px;
  }
  textarea {
    grid-column: 1 / -1;
    width: 100%;
    min-height: 96px;
    padding: 12px;
    border: 1px solid var(--ink-soft);
    border-radius: 12px;
    background: var(--paper);
    color: var(--ink);
    font: 13px / 1.4 ui-monospace, monospace;
    resize: none;
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
    background: color-mix(in srgb, currentColor 12%, transparent);
  }
  .title {
    color: var(--ink);
    font-size: 22px;
    font-weight: 700;
    line-height: 1.25;
  }
  .outcome p {
    color: var(--ink-soft);
    text-wrap: balance;
  }
  .outcome .title,
  .outcome .amount {
    color: var(--ink);
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
  .good .icon path {
    stroke-dasharray: 1;
    animation: draw 360ms ease-out 90ms backwards;
  }
  /* On a phone the code is opened rather than scanned: there the app is the one action of the card. */
  @media (pointer: coarse) {
    .open {
      border-color: var(--brand);
      background: var(--brand);
      color: var(--on-brand);
    }
  }
  @keyframes breathe {
    to {
      opacity: 0.55;
    }
  }
  @keyframes draw {
    from {
      stroke-dashoffset: 1;
    }
  }
  @media (prefers-reduced-motion: reduce) {
    * {
      animation: none !important;
      transition: none !important;
    }
  }
  @media (forced-colors: active) {
    .button,
    .notice {
      border-color: currentColor;
    }
  }
`;
