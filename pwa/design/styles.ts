import { css, unsafeCSS } from "lit";
import { avatarStyles } from "../../widgets/shared/avatar.ts";

/** Base styles of every element of the app: type, focus, icons and amounts. */
export const base = css`
  :host {
    box-sizing: border-box;
    color: var(--cupo-ink);
  }
  :host([hidden]) {
    display: none;
  }
  *,
  *::before,
  *::after {
    box-sizing: border-box;
  }
  h1,
  h2,
  p,
  ul,
  ol,
  dl,
  dd {
    margin: 0;
    padding: 0;
  }
  ul,
  ol {
    list-style: none;
  }
  h1,
  header > p {
    font-size: 1.375rem;
    line-height: 1.75rem;
    font-weight: 650;
    letter-spacing: -0.01em;
  }
  h1:focus {
    outline: none;
  }
  /* The head of a page: its name at the same place on each, between the buttons that it has. */
  header {
    display: flex;
    gap: 4px;
    min-height: 56px;
    padding-top: 8px;
  }
  header > :is(h1, p, div) {
    flex: 1;
    min-width: 0;
    padding-top: 10px;
    overflow-wrap: anywhere;
  }
  header > .round:first-child {
    margin-inline-start: -12px;
  }
  header > :not(:first-child).round {
    margin-inline-end: -12px;
  }
  h2 {
    font-size: 0.9375rem;
    line-height: 1.25rem;
    font-weight: 600;
  }
  a {
    color: var(--cupo-brand);
    text-underline-offset: 3px;
  }
  /* Over whatever ground a link, a row or a button has. */
  :is(a, button:not(:disabled)):is(:active, [pressed]) {
    box-shadow: inset 0 0 0 100vmax color-mix(in srgb, currentColor 12%, #0000);
  }
  :focus-visible {
    outline: 3px solid var(--cupo-brand);
    outline-offset: 2px;
  }
  .soft {
    color: var(--cupo-ink-soft);
  }
  .small {
    font-size: 0.9375rem;
    line-height: 1.25rem;
  }
  .tiny {
    font-size: 0.8125rem;
    line-height: 1.125rem;
  }
  .icon {
    display: inline-grid;
    flex: none;
    vertical-align: -0.2em;
  }
  .icon svg {
    width: 1.25em;
    height: 1.25em;
  }
  .good {
    color: var(--cupo-good);
  }
  .warn {
    color: var(--cupo-warn);
  }
  .bad {
    color: var(--cupo-bad);
  }
  .visually-hidden {
    position: absolute;
    width: 1px;
    height: 1px;
    overflow: hidden;
    clip-path: inset(50%);
    white-space: nowrap;
  }
`;

/** Styles of buttons and of links that look like one: 48 px high, 12 px round; `.primary` at most once on a page. */
export const controls = css`
  button,
  .button {
    display: inline-flex;
    align-items: center;
    justify-content: center;
    gap: 8px;
    min-height: 48px;
    min-width: 48px;
    padding: 0 16px;
    border: 1px solid var(--cupo-line);
    border-radius: 12px;
    background: var(--cupo-surface);
    color: var(--cupo-ink);
    font: inherit;
    font-size: 1.0625rem;
    font-weight: 600;
    text-decoration: none;
    cursor: pointer;
    touch-action: manipulation;
    transition: transform 180ms ease-out;
  }
  button:not(:disabled):is(:active, [pressed]) {
    transform: scale(0.98);
  }
  button:disabled {
    cursor: default;
  }
  .primary {
    border-color: var(--cupo-brand);
    background: var(--cupo-brand);
    color: var(--cupo-on-brand);
  }
  .large {
    min-height: 56px;
    width: 100%;
    border-radius: 16px;
  }
  .plain {
    border-color: transparent;
    background: none;
  }
  .round {
    width: 48px;
    padding: 0;
    border-radius: 50%;
  }
  .link {
    min-height: 48px;
    padding: 0 4px;
    border: 0;
    background: none;
    color: var(--cupo-brand);
    font-size: 0.9375rem;
  }
  input,
  textarea,
  select {
    width: 100%;
    min-height: 48px;
    padding: 8px 16px;
    border: 1px solid var(--cupo-ink-soft);
    border-radius: 12px;
    background: var(--cupo-surface);
    color: inherit;
    font: inherit;
    /* Below 16 px Safari on an iPhone zooms the page in when the field gets the focus. */
    font-size: max(16px, 1.0625rem);
  }
  select {
    padding-inline: 12px;
  }
  .actions {
    display: flex;
    flex-direction: column;
    gap: 8px;
  }
  .pair {
    display: grid;
    grid-template-columns: 1fr 1fr;
    gap: 8px;
  }
  @container (max-width: 18rem) {
    button,
    .button {
      padding-block: 4px;
    }
    .pair {
      grid-template-columns: minmax(0, 1fr);
    }
  }
  @media (prefers-reduced-motion: reduce) {
    button {
      transition: none;
    }
    button:not(:disabled):is(:active, [pressed]) {
      transform: none;
    }
  }
  @media (forced-colors: active) {
    .primary {
      border: 2px solid ButtonText;
    }
  }
`;

/** Styles of cards, of lists of name and value, and of the avatar letter. */
export const surfaces = css`
  ${unsafeCSS(avatarStyles)}
  .card {
    padding: 16px;
    border: 1px solid var(--cupo-line);
    border-radius: 16px;
    background: var(--cupo-surface);
  }
  .facts {
    display: grid;
    grid-template-columns: auto 1fr;
    gap: 12px 16px;
    align-items: baseline;
    font-size: 0.9375rem;
    line-height: 1.25rem;
  }
  .facts dt {
    color: var(--cupo-ink-soft);
  }
  .facts dd {
    text-align: end;
    font-variant-numeric: tabular-nums;
    overflow-wrap: anywhere;
  }
  .code {
    font-family: ui-monospace, "Roboto Mono", Menlo, monospace;
    font-weight: 600;
    letter-spacing: 0.24em;
    margin-inline-end: -0.24em;
  }
  .reference {
    font-family: ui-monospace, "Roboto Mono", Menlo, monospace;
    white-space: nowrap;
  }
  .note {
    display: flex;
    gap: 8px;
    align-items: flex-start;
    font-size: 0.9375rem;
    line-height: 1.25rem;
    overflow-wrap: anywhere;
  }
  @container (max-width: 18rem) {
    .facts {
      grid-template-columns: minmax(0, 1fr);
    }
    .facts dd {
      margin-top: -12px;
      text-align: start;
    }
    .reference {
      white-space: normal;
    }
  }
`;
