import { css } from "lit";

/** Styles of the page that asks for consent to show the quota: as on Confirm, the answer is under the thumb. */
export const grantStyles = css`
  :host {
    display: grid;
    grid-template-rows: 1fr auto;
    align-self: stretch;
  }
  .notice {
    align-content: start;
  }
  .question {
    display: grid;
    align-content: start;
    gap: 16px;
    padding: 24px 16px 16px;
  }
  .who {
    display: grid;
    justify-items: center;
    gap: 12px;
    text-align: center;
  }
  h1 {
    max-width: 100%;
    overflow-wrap: anywhere;
    text-wrap: balance;
  }
  .card {
    display: grid;
    gap: 12px;
  }
  .origin {
    overflow-wrap: anywhere;
  }
  .foot {
    position: sticky;
    bottom: 0;
    padding: 12px 16px calc(16px + env(safe-area-inset-bottom));
    background: var(--cupo-paper);
  }
  @container (max-width: 18rem) {
    .foot {
      position: static;
    }
  }
`;
