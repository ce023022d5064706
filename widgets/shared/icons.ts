import { type SVGTemplateResult, svg } from "lit";

/** Outlines from lucide (ISC licence), 24 units square; only those that more than one element shows. */
const outlines = Object.freeze({
  check: svg`<path d="M20 6 9 17l-5-5" pathLength="1"/>`,
  clock: svg`<circle cx="12" cy="12" r="10"/><path d="M12 6v6l4 2"/>`,
  cancelled: svg`<circle cx="12" cy="12" r="10"/><path d="m15 9-6 6m0-6 6 6"/>`,
  warning: svg`<circle cx="12" cy="12" r="10"/><path d="M12 8v4m0 4h.01"/>`,
  offline: svg`<path d="M12 20h.01M8.5 16.429a5 5 0 0 1 7 0M5 12.859a10 10 0 0 1 5.17-2.69m8.83 2.69a10 10 0 0
    0-2.007-1.523M2 8.82a15 15 0 0 1 4.177-2.643M22 8.82a15 15 0 0 0-11.288-3.764M2 2l20 20"/>`,
});

/** Name of an outline. */
export type IconName = keyof typeof outlines;

/** An icon beside a word that says the same: never seen by a screen reader. */
export function icon(name: IconName): SVGTemplateResult {
  return drawIcon(outlines[name]);
}

/** As {@link icon}, for an outline that one element alone shows. */
export function drawIcon(outline: SVGTemplateResult): SVGTemplateResult {
  return svg`<svg class="icon" viewBox="0 0 24 24" aria-hidden="true">${outline}</svg>`;
}
