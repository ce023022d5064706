import { css } from "lit";

/** Styles of a receipt, on the screen and on paper: of its own page, and of the page that verifies one. */
export const receiptPageStyles = css`
  :host {
    display: block;
    padding: 0 16px calc(24px + env(safe-area-inset-bottom));
  }
  .who {
    display: grid;
    justify-items: center;
    gap: 4px;
    padding: 8px 0 24px;
    text-align: center;
  }
  .who .avatar {
    margin-bottom: 8px;
  }
  .who h1 {
    max-width: 100%;
    overflow-wrap: anywhere;
    text-wrap: balance;
  }
  .who .money {
    margin-top: 12px;
  }
  .struck .money {
    color: var(--cupo-ink-soft);
  }
  .struck .money > :not(.symbol) {
    text-decoration: line-through;
    text-decoration-thickness: 2px;
  }
  .state {
    display: inline-flex;
    align-items: center;
    gap: 8px;
    margin-top: 8px;
    padding: 4px 12px;
    border: 1px solid var(--cupo-line);
    border-radius: 999px;
    background: var(--cupo-surface);
    font-size: 0.9375rem;
    font-weight: 600;
  }
  .why {
    max-width: 36ch;
    margin-top: 8px;
    text-wrap: balance;
  }
  .facts dd {
    white-space: pre-line;
  }
  .facts dt {
    align-self: start;
  }
  .proof {
    display: grid;
    justify-items: center;
    gap: 12px;
    margin-top: 16px;
    text-align: center;
  }
  .proof .plate {
    max-width: 216px;
  }
  .code {
    font-size: min(1.375rem, max(22px, 9vw));
    line-height: 1.75rem;
  }
  .proof .soft {
    max-width: 36ch;
    text-wrap: balance;
  }
  .acts {
    display: grid;
    gap: 8px;
    margin-top: 24px;
  }
  .brand {
    display: none;
  }
  .blank {
    display: grid;
    justify-items: center;
    gap: 12px;
    padding-top: 8px;
  }
  .blank span {
    border-radius: 16px;
    background: var(--cupo-surface);
    width: 60%;
    height: 28px;
  }
  .blank span:first-child {
    width: 64px;
    height: 64px;
  }
  .blank span:last-child {
    width: 100%;
    height: 220px;
    margin-top: 24px;
  }
  @media print {
    :host {
      /* Ink on white, whatever the screen's theme is: the tokens follow the scheme where they are used. */
      color-scheme: light;
      --cupo-paper: #ffffff;
      padding: 24px 0 0;
      break-inside: avoid;
    }
    header,
    .acts,
    .screen {
      display: none;
    }
    .brand {
      display: flex;
      align-items: center;
      gap: 8px;
      padding-bottom: 16px;
      font-weight: 650;
    }
    .brand .mark {
      width: 28px;
      height: 28px;
      color: var(--cupo-brand);
      print-color-adjust: exact;
    }
    .proof .plate {
      max-width: 50mm;
    }
    .plate {
      print-color-adjust: exact;
    }
  }
`;
