import { css, html, type TemplateResult } from "lit";

/** One bar: its name, its value, and the value formatted for display. */
export interface Bar {
  readonly name: string;
  readonly value: number;
  readonly text: string;
}

/** Styles of {@link barChart}: one colour, a track in the hairline colour, and figures beside the names. */
export const barChartStyles = css`
  .chart {
    display: grid;
    gap: 16px;
    margin: 0;
  }
  .chart li {
    display: grid;
    grid-template-columns: minmax(0, 1fr) auto;
    gap: 4px 12px;
    align-items: baseline;
    font-size: 0.9375rem;
    line-height: 1.25rem;
  }
  .chart .name {
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  .chart .figure {
    font-weight: 600;
    font-variant-numeric: tabular-nums;
  }
  .chart .track {
    grid-column: 1 / -1;
    display: block;
    width: 100%;
    height: 8px;
    border-radius: 4px;
    background: var(--cupo-line);
  }
  .chart .bar {
    fill: var(--cupo-brand);
  }
  @container (max-width: 18rem) {
    .chart li {
      grid-template-columns: minmax(0, 1fr);
    }
    .chart .name {
      white-space: normal;
    }
  }
  @media (forced-colors: active) {
    .chart .track {
      border: 1px solid CanvasText;
    }
    .chart .bar {
      fill: Highlight;
    }
  }
`;

/** Renders bars in proportion to the largest value. Names and values are also text, so that nobody has to see a bar. */
export function barChart(bars: readonly Bar[], label: string): TemplateResult {
  const largest = Math.max(...bars.map(({ value }) => value), 0);
  const share = (value: number): string => (largest > 0 ? `${Math.max(1, (100 * value) / largest)}%` : "0%");
  return html`<ol class="chart" aria-label=${label}>
    ${bars.map(
      ({ name, text, value }) => html`<li>
        <span class="name">${name}</span>
        <span class="figure"><bdi>${text}</bdi></span>
        <svg class="track" aria-hidden="true"><rect class="bar" width=${share(value)} height="8" rx="4" /></svg>
      </li>`,
    )}
  </ol>`;
}
