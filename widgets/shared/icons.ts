import { type SVGTemplateResult, svg } from "lit";

/** Outlines from lucide (ISC licence), 24 units square; only what the widgets show, so that they carry no more. */
const outlines = Object.freeze({
  check: svg`<path d="M20 6 9 17l-5-5" pathLength="1"/>`,
  clock: svg`<circle cx="12" cy="12" r="10"/><path d="M12 6v6l4 2"/>`,
  cancelled: svg`<circle cx="12" cy="12" r="10"/><path d="m15 9-6 6m0-6 6 6"/>`,
  warning: svg`<circle cx="12" cy="12" r="10"/><path d="M12 8v4m0 4h.01"/>`,
  offline: svg`<path d="M12 20h.01M8.5 16.429a5 5 0 0 1 7 0M5 12.859a10 10 0 0 1 5.17-2.69m8.83 2.69a10 10 0 0
    0-2.007-1.523M2 8.82a15 15 0 0 1 4.177-2.643M22 8.82a15 15 0 0 0-11.288-3.764M2 2l20 20"/>`,
  copy: svg`<rect width="14" height="14" x="8" y="8" rx="2"/>
    <path d="M4 16c-1.1 0-2-.9-2-2V4c0-1.1.9-2 2-2h10c1.1 0 2 .9 2 2"/>`,
  open: svg`<path d="M15 3h6v6M10 14 21 3m-3 10v6a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2V8a2 2 0 0 1 2-2h6"/>`,
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
