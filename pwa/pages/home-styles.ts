import { css } from "lit";

/** Styles of Home: the quota comes first and is biggest. */
export const homeStyles = css`
  :host {
    display: grid;
    gap: 16px;
    padding: 0 16px;
  }
  .row {
    display: flex;
    align-items: center;
    justify-content: space-between;
    gap: 12px;
  }
  header {
    margin-bottom: -8px;
  }
  .as-of .icon {
    font-size: 0.6875rem;
  }
  .pair {
    grid-template-columns: repeat(auto-fit, minmax(min(100%, 9.25rem), 1fr));
  }
  .pair .button {
    font-size: 0.9375rem;
  }
  .pair .icon {
    color: var(--cupo-brand);
  }
  .warn-line {
    border-color: var(--cupo-warn);
  }
  .note p {
    text-wrap: pretty;
  }
  .note .link {
    padding: 0;
    margin-block: -4px;
  }
  .first-run {
    display: grid;
    gap: 16px;
  }
  .first-run ol {
    display: grid;
    gap: 8px;
    padding-inline-start: 1.25rem;
    list-style: decimal;
    font-size: 0.9375rem;
    line-height: 1.25rem;
  }
  .first-run li::marker {
    color: var(--cupo-ink-soft);
  }
  .blank {
    display: grid;
    gap: 1px;
    border: 1px solid var(--cupo-line);
    border-radius: 16px;
    background: var(--cupo-line);
    overflow: hidden;
  }
  .blank span {
    height: 68px;
    background: var(--cupo-surface);
  }
  .quota {
    display: grid;
    padding: 8px 16px;
  }
  .quota .row:first-child,
  .quota .row:last-child {
    min-height: 48px;
  }
  .quota .round {
    margin-inline-end: -12px;
  }
  .quota h2 {
    font-weight: 400;
  }
  .under {
    margin-top: 4px;
  }
  progress {
    appearance: none;
    display: block;
    width: 100%;
    height: 6px;
    margin: 12px 0 0;
    border: 0;
    border-radius: 3px;
    background: var(--cupo-line);
    overflow: hidden;
  }
  progress::-webkit-progress-bar {
    background: var(--cupo-line);
  }
  progress::-webkit-progress-value {
    background: var(--cupo-brand);
    border-radius: 3px;
  }
  progress::-moz-progress-bar {
    background: var(--cupo-brand);
    border-radius: 3px;
  }
  .refresh {
    min-width: 48px;
    margin-inline-end: -12px;
    color: var(--cupo-ink-soft);
  }
  .see-all {
    display: inline-flex;
    align-items: center;
    min-height: 48px;
    font-size: 0.9375rem;
    font-weight: 600;
    text-decoration: none;
  }
`;
