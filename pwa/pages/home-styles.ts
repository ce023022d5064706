import { css } from "lit";

/** The look of Home: the quota first and biggest. */
export const homeStyles = css`
  :host {
    display: grid;
    gap: 16px;
    padding: 12px 16px 0;
  }
  header,
  .row {
    display: flex;
    align-items: center;
    justify-content: space-between;
    gap: 12px;
  }
  header {
    margin-bottom: -12px;
    min-height: 48px;
  }
  header button {
    margin-inline-end: -12px;
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
    font-size: 15px;
    font-weight: 600;
    text-decoration: none;
  }
`;
