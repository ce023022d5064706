import { html, type TemplateResult } from "lit";

/**
 * Renders Cupo's logo in the colour of the text around it: a coupon's notched square that is also the finder of a QR
 * code.
 */
export function mark(): TemplateResult {
  return html`<svg class="mark" viewBox="8 8 80 80" fill="currentColor" aria-hidden="true">
    <path
      fill-rule="evenodd"
      d="M32 8h32a24 24 0 0 1 24 24v7a9 9 0 0 0 0 18v7a24 24 0 0 1-24 24H32A24 24 0 0 1 8 64V32A24 24 0 0 1 32 8z
        m4 16a12 12 0 0 0-12 12v24a12 12 0 0 0 12 12h24a12 12 0 0 0 12-12V36a12 12 0 0 0-12-12z"
    />
    <rect x="38" y="38" width="20" height="20" rx="6" />
  </svg>`;
}
