import { css } from "../shared/css.ts";

/** Styles of `<user-quota>` alone, which lay out its content; the card itself has the shared styles. */
export const userQuotaStyles = css`
  .row {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 12px;
    min-width: 0;
  }
  .grow {
    flex: 1 1 7.5em;
    min-width: 0;
  }
  .status {
    display: flex;
    gap: 6px;
    align-items: center;
    padding: 4px 10px 4px 6px;
    border: 1px solid currentColor;
    border-radius: 16px;
    font-size: 0.8125em;
    font-weight: 600;
  }
  .eye {
    align-self: start;
    padding: 0 13px;
  }
  .eye[aria-pressed="true"] {
    padding: 0 11px;
    border-width: 3px;
    background: var(--brand);
    color: var(--on-brand);
  }
  .meter {
    display: block;
    width: 100%;
    height: 8px;
    margin-top: 4px;
    border-radius: 4px;
    background: var(--line);
    color: var(--brand);
    fill: currentColor;
  }
  :host(:dir(rtl)) .meter {
    transform: scaleX(-1);
  }
  ul {
    margin: 4px 0 0;
    padding: 0;
    list-style: none;
  }
  li {
    min-height: 64px;
    padding: 8px 0;
  }
  li + li {
    border-top: 1px solid var(--line);
  }
  .avatar {
    display: grid;
    flex: none;
    place-content: center;
    width: 40px;
    height: 40px;
    border-radius: 50%;
    background: var(--paper);
    font-weight: 600;
  }
  b {
    font-weight: 600;
    font-variant-numeric: tabular-nums;
  }
  .sum {
    margin-inline-start: auto;
    text-align: end;
  }
  .rejected b {
    color: var(--ink-soft);
    text-decoration: line-through;
  }
  .bones {
    display: grid;
    gap: inherit;
    animation: breathe 1.6s ease-in-out infinite alternate;
    forced-color-adjust: none;
  }
  .bones :is(p, b, .avatar, .button, .meter) {
    border-color: var(--line);
    border-radius: 8px;
    background: var(--line);
  }
  .bones * {
    color: transparent !important;
    fill: none;
  }
  @media (forced-colors: active) {
    .meter {
      border: 1px solid;
      color: CanvasText;
    }
  }
`;
