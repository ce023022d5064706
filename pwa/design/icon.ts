import { html, type TemplateResult } from "lit";
import { unsafeSVG } from "lit/directives/unsafe-svg.js";

/**
 * Renders an icon of the lucide set (`lucide-static/dist/esm/icons/NAME.mjs`), in the size of its line and the colour
 * of its text. The SVG text is inserted as it is: never pass one from outside. Screen readers skip it: the words stand
 * beside it or in the button's label.
 */
export function icon(svg: string): TemplateResult {
  return html`<span class="icon" aria-hidden="true">${unsafeSVG(svg)}</span>`;
}
