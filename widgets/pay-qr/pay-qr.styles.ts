import { css } from "../shared/css.ts";

/** Styles of `<pay-qr>` alone, which lay out its code; the rest of the card has the shared styles. */
export const payQrStyles = css`
  :host(:dir(rtl)) .left dt {
    text-align: left;
  }
  .head {
    display: grid;
    gap: 4px;
    text-align: center;
  }
  /* As wide as four pixels a module take, plus its own edge, which keeps it apart from a white card. */
  .plate {
    width: 100%;
    max-width: calc(var(--modules) * 4px + 14px);
    margin: 0 auto;
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
  .facts {
    display: grid;
    grid-template-columns: 1fr auto;
    gap: 16px;
    margin: 0;
  }
  .left {
    text-align: end;
  }
  dd {
    margin: 0;
    font-size: 1.375em;
    font-weight: 600;
    line-height: 1.3;
    font-variant-numeric: tabular-nums;
  }
  .hint {
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
  textarea {
    width: 100%;
    min-height: 96px;
    padding: 12px;
    border: 1px solid var(--ink-soft);
    border-radius: 12px;
    background: var(--paper);
    color: var(--ink);
    font: max(16px, 0.8125em) / 1.4 ui-monospace, monospace;
    resize: none;
  }
  summary {
    padding: 12px 0;
    cursor: pointer;
  }
  details .plate {
    margin-bottom: 12px;
  }
`;
