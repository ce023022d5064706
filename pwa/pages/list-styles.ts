import { css } from "lit";

/** Styles of the pages that list movements. */
export const listStyles = css`
  :host {
    display: block;
    padding: 0 16px;
  }
  .ways {
    display: flex;
    flex-wrap: wrap;
    gap: 0 24px;
  }
  .ways a {
    display: inline-flex;
    align-items: center;
    min-height: 48px;
    font-size: 0.9375rem;
    font-weight: 600;
    text-decoration: none;
  }
  fieldset {
    margin-top: 8px;
  }
  header > .round:not(:last-child) {
    margin-inline-end: 0;
  }
  header p {
    min-height: 1.125rem;
  }
  /* Its place is the second line's, which would move the page. */
  .as-of .icon {
    display: none;
  }
  .find {
    display: grid;
    grid-template-columns: 1fr 48px;
    gap: 8px;
    margin-top: 8px;
  }
  .field {
    position: relative;
    display: block;
  }
  .field .icon {
    position: absolute;
    inset: 0 auto 0 16px;
    align-content: center;
    color: var(--cupo-ink-soft);
    pointer-events: none;
  }
  .field input {
    padding-inline-start: 48px;
    border-color: var(--cupo-line);
    border-radius: 12px;
  }
  .field input::placeholder {
    color: var(--cupo-ink-soft);
    opacity: 1;
  }
  .find .round {
    border-radius: 12px;
  }
  .pair {
    margin-top: 8px;
  }
  select {
    padding-block: 0;
    border-color: var(--cupo-line);
  }
  .older {
    padding: 24px 0;
    text-align: center;
  }
  .blank {
    display: grid;
    gap: 1px;
    margin-top: 40px;
    border: 1px solid var(--cupo-line);
    border-radius: 16px;
    background: var(--cupo-line);
    overflow: hidden;
  }
  .blank span {
    height: 68px;
    background: var(--cupo-surface);
  }
  .skip {
    margin-top: 8px;
  }
  .skip:not(:focus) {
    position: absolute;
    clip-path: inset(50%);
  }
  @container (max-width: 18rem) {
    .field .icon {
      display: none;
    }
    .field input {
      padding-inline-start: 16px;
    }
    .field input::placeholder {
      font-size: 0.8em;
    }
  }
`;
