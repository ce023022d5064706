import { css } from "lit";

/**
 * Styles of the pages that approve (Confirm, Transfer, Refund) and of their receipt: payee and amount at one place from
 * the first to the last of them, the one action under the thumb.
 */
export const confirmStyles = css`
  :host {
    display: grid;
    grid-template-rows: auto 1fr auto;
    align-self: stretch;
    padding-bottom: var(--cupo-keyboard, 0px);
  }
  header {
    padding-inline: 16px;
  }
  .form {
    grid-row: 2 / 4;
    display: grid;
    grid-template-rows: 1fr auto;
    min-width: 0;
  }
  .body {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    align-content: start;
    gap: 24px;
    padding: clamp(8px, 6dvh, 64px) 16px 24px;
  }
  .body.middle {
    align-content: center;
    padding-top: 8px;
  }
  .who {
    display: grid;
    justify-items: center;
    gap: 4px;
    font: inherit;
    letter-spacing: inherit;
    text-align: center;
  }
  .who .avatar {
    margin-bottom: 8px;
  }
  .who .payee {
    font-size: 1.375rem;
    line-height: 1.75rem;
    font-weight: 650;
    overflow-wrap: anywhere;
  }
  .who .blank {
    display: inline-block;
    width: 8em;
    height: 0.8em;
    border-radius: 8px;
    background: var(--cupo-line);
  }
  .who .money {
    margin-top: 12px;
  }
  .foot {
    position: sticky;
    bottom: var(--cupo-keyboard, 0px);
    display: grid;
    gap: 8px;
    padding: 12px 16px calc(16px + env(safe-area-inset-bottom));
    background: var(--cupo-paper);
    text-align: center;
  }
  .foot .note {
    margin-bottom: 8px;
    text-align: start;
  }
  /* A field that is scrolled into view stays clear of the foot, which a keyboard lifts. */
  .form :focus {
    scroll-margin-bottom: calc(var(--cupo-keyboard, 0px) + 160px);
  }
  .foot.still {
    position: static;
  }
  /* A phone on its side, or one with large letters, has no room for what would stay. */
  @media (max-height: 479px) {
    .foot {
      position: static;
    }
  }
  @container (max-width: 18rem) {
    .foot {
      position: static;
    }
  }
  .close {
    gap: 16px;
  }
  .close .who .avatar {
    display: none;
  }
  .close .notice {
    grid-template-columns: auto 1fr;
    justify-items: start;
    gap: 0 12px;
    padding: 16px;
    border: 1px solid var(--cupo-line);
    border-radius: 16px;
    background: var(--cupo-surface);
    text-align: start;
  }
  .close .notice .sign {
    grid-row: 1 / 3;
    width: 40px;
    height: 40px;
    margin: 0;
    border-radius: 12px;
  }
  .close .notice h2 {
    font-size: 1.0625rem;
    line-height: 1.5rem;
  }
  .facts .hint {
    grid-column: 1 / -1;
    margin-top: -8px;
    color: var(--cupo-ink-soft);
    font-size: 0.8125rem;
    line-height: 1.125rem;
    text-align: start;
  }
`;
