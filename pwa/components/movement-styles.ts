import { css } from "lit";

/**
 * Styles of a list of movements: rows with an avatar letter, name, time and amount, below day headings that stick to
 * the top.
 */
export const movementStyles = css`
  :host {
    display: block;
  }
  h2 {
    padding: 16px 0 8px;
    background: var(--cupo-paper);
    color: var(--cupo-ink-soft);
    font-size: 0.8125rem;
    line-height: 1rem;
  }
  /* Only near the screen: hundreds of sticky headings cost every frame of scrolling more than all else. */
  .near h2 {
    position: sticky;
    top: 0;
    z-index: 1;
  }
  h2::first-letter {
    text-transform: uppercase;
  }
  h2 span {
    float: right;
    font-variant-numeric: tabular-nums;
  }
  .rows {
    border: 1px solid var(--cupo-line);
    border-radius: 16px;
    background: var(--cupo-surface);
    overflow: clip;
  }
  .part {
    contain: layout style;
  }
  /* As high as its rows will be, until it has been drawn once and its height is known. */
  .part:empty {
    height: calc(var(--rows) * var(--row, 69px));
  }
  .part + .part,
  li + li {
    border-top: 1px solid var(--cupo-line);
  }
  .row {
    display: grid;
    grid-template-columns: 44px 1fr auto;
    grid-template-rows: auto auto;
    gap: 2px 12px;
    align-items: baseline;
    align-content: center;
    min-height: 68px;
    padding: 12px;
    color: inherit;
    text-decoration: none;
  }
  .row:focus-visible {
    outline-offset: -3px;
    border-radius: 16px;
  }
  .avatar {
    grid-area: 1 / 1 / 3 / 2;
    align-self: center;
  }
  .name {
    grid-area: 1 / 2 / 2 / 3;
  }
  .under {
    grid-area: 2 / 2 / 3 / 4;
  }
  .name,
  .under {
    min-width: 0;
    overflow: hidden;
  }
  .name {
    display: -webkit-box;
    -webkit-box-orient: vertical;
    -webkit-line-clamp: 2;
    line-height: 1.25rem;
    overflow-wrap: anywhere;
  }
  .under {
    font-size: 0.8125rem;
    line-height: 1.125rem;
    color: var(--cupo-ink-soft);
  }
  .under .icon {
    font-size: 0.6875rem;
  }
  .amount {
    grid-area: 1 / 3 / 2 / 4;
    text-align: end;
    font-weight: 600;
    font-variant-numeric: tabular-nums;
    line-height: 1.25rem;
    white-space: nowrap;
  }
  .amount .icon {
    font-size: 0.8125rem;
  }
  .struck {
    color: var(--cupo-ink-soft);
    text-decoration: line-through;
    font-weight: 400;
  }
  @container (max-width: 18rem) {
    .row {
      grid-template-columns: 44px minmax(0, 1fr);
    }
    .name {
      display: block;
    }
    .under {
      grid-area: 2 / 2;
    }
    .amount {
      grid-area: 3 / 2;
      justify-self: start;
    }
  }
  @media (hover: hover) {
    .row:hover {
      background: var(--cupo-paper);
    }
  }
`;
