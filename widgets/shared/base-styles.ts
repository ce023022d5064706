import { css } from "./css.ts";

/** Name, light and dark colour of each token: as one text, which compresses to half of ten declarations. */
const PALETTE =
  "paper f7f6f2 0e1513 surface fff 17211e ink 12201c eef4f1 ink-soft 52635d a3b5ae line dfe3dd 2a3733 " +
  "brand 0b6e5f 57d3b8 on-brand fff 06231d good 1d7a46 6fdc9a warn 8a5a00 f0bf5c bad b3261e ff8a80";

/**
 * Design tokens of every element, as custom properties. A page overrides any of them as `--cupo-NAME`; without that
 * they follow the `color-scheme` that applies to the element, not the system's, so that a light page stays light.
 * Without `light-dark()`, as in Safari before 17.5, they are the light ones alone.
 */
export const TOKENS = PALETTE.replace(
  /(\S+) (\S+) (\S+)/g,
  css`--$1: var(--cupo-$1, ${
    globalThis.CSS?.supports("not (color:light-dark(red,red))") ? "#$2" : css`light-dark(#$2, #$3)`
  });`,
);

/**
 * Shared look of every element. Letters grow with the person's choice (`1rem`), and keep their size on a page that
 * makes `1rem` small.
 */
export const baseStyles = css`
  :host {
    display: block;
    position: relative;
    max-width: 400px;
    color: var(--ink);
    font: 400 max(16px, 1rem) / 1.4 var(--cupo-font, system-ui, sans-serif);
    text-align: start;
  }
  :host([hidden]) {
    display: none;
  }
  * {
    box-sizing: border-box;
  }
  p {
    margin: 0;
  }
  .icon {
    flex: none;
    width: 1.25em;
    height: 1.25em;
    fill: none;
    stroke: currentColor;
    stroke-width: 2;
    stroke-linecap: round;
    stroke-linejoin: round;
  }
  .button {
    display: inline-flex;
    align-items: center;
    justify-content: center;
    gap: 8px;
    min-height: 48px;
    padding: 8px 16px;
    border: 1px solid var(--line);
    border-radius: 12px;
    background: none;
    color: var(--brand);
    font: inherit;
    font-weight: 600;
    text-align: center;
    text-decoration: none;
    cursor: pointer;
  }
  .button.primary {
    border-color: var(--brand);
    background: var(--brand);
    color: var(--on-brand);
  }
  .button:hover {
    border-color: var(--ink);
  }
  :focus-visible {
    outline: 3px solid var(--brand);
    outline-offset: 2px;
  }
  .unseen {
    position: absolute;
    width: 1px;
    height: 1px;
    overflow: hidden;
    clip-path: inset(50%);
    white-space: nowrap;
  }
`;
