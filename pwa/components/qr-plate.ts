import { css, html, type TemplateResult } from "lit";
import { qrMatrix } from "../../src/qr-matrix.ts";
import { QUIET_ZONE, qrPath } from "../../src/qr-path.ts";

/** Styles of {@link qrPlate}: white in both themes and in forced colours, or no camera reads it. */
export const qrPlateStyles = css`
  .plate {
    display: block;
    width: 100%;
    max-width: 320px;
    border-radius: 16px;
    background: #fff;
    forced-color-adjust: none;
  }
  .plate path {
    fill: #000;
  }
`;

/** Renders a payload as a QR code: an SVG image whose dark modules are one path, with the quiet zone around it. */
export function qrPlate(payload: string, label: string): TemplateResult {
  const matrix = qrMatrix(payload);
  const width = matrix.size + 2 * QUIET_ZONE;
  return html`<svg
    class="plate"
    role="img"
    aria-label=${label}
    viewBox="${-QUIET_ZONE} ${-QUIET_ZONE} ${width} ${width}"
    shape-rendering="crispEdges"
  >
    <path d=${qrPath(matrix)} />
  </svg>`;
}
