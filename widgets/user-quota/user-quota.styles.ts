import { avatarStyles } from "../shared/avatar.ts";
import { css } from "../shared/css.ts";
import { selectedStyle } from "../shared/selected-style.ts";

/** Styles of `<user-quota>` alone, which lay out its content; the card itself has the shared styles. */
export const userQuotaStyles = css`
  ${avatarStyles}
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
    ${selectedStyle}
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
  b {
    font-weight: 600;
    font-variant-numeric: tabular-nums;
  }
  .sum {
    margin-inline-start: auto;
    text-align: end;
  }
  :is(.rejected, .reversed) b {
    color: var(--ink-soft);
    text-decoration: line-through;
  }
  .bones {
    display: grid;
    gap: inherit;
    animation: breathe 1.6s infinite alternate;
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
    .eye[aria-pressed="true"] {
      border-width: 3px;
    }
    .meter {
      border: 1px solid;
      color: CanvasText;
    }
  }
`;
