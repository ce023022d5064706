import { html, type TemplateResult } from "lit";

/** Outlines from lucide (ISC licence), 24 units square, one path each; only those that several elements show. */
const outlines = {
  check: "M20 6 9 17l-5-5",
  clock: "M22 12a10 10 0 1 1-20 0 10 10 0 0 1 20 0M12 6v6l4 2",
  cancelled: "M22 12a10 10 0 1 1-20 0 10 10 0 0 1 20 0m-7-3-6 6m0-6 6 6",
  warning: "M22 12a10 10 0 1 1-20 0 10 10 0 0 1 20 0M12 8v4m0 4h.01",
  offline: "M12 20h.01M2 8.8a15 15 0 0 1 20 0M5 12.9a10 10 0 0 1 14 0M8.5 16.4a5 5 0 0 1 7 0M2 2l20 20",
};

/** Name of an icon that several elements show. */
export type IconName = keyof typeof outlines;

/** Renders an icon beside a word that says the same; hidden from screen readers. */
export function icon(name: IconName): TemplateResult {
  return drawIcon(outlines[name]);
}

/** Renders an icon from its outline (SVG path data), as {@link icon} does, where one element alone shows it. */
export function drawIcon(outline: string): TemplateResult {
  return html`<svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
    <path pathLength="1" d=${outline}></path>
  </svg>`;
}
