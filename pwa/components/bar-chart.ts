import { css, html, type TemplateResult } from "lit";

/** One bar: what it is of, how long it is, and its figure as people read it. */
export interface Bar {
  readonly name: string;
  readonly value: number;
  readonly text: string;
}

/** Styles of {@link barChart}: one colour, a hairline ground, and figures beside the names. */
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
    font-size: 15px;
    line-height: 20px;
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
    grid-column: 1 / 3;
    display: block;
    width: 100%;
    height: 8px;
    border-radius: 4px;
    background: var(--cupo-line);
  }
  .chart .bar {
    fill: var(--cupo-brand);
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

/** Bars, the longest for the largest. Each says its name and figure as text, so that nobody has to see the bar. */
export function barChart(bars: readonly Bar[], label: string): TemplateResult {
  const largest = Math.max(...bars.map(({ value }) => value), 0);
  const share = (value: number): string => (largest > 0 ? `${Math.max(1, (100 * value) / largest)}%` : "0%");
  return html`<ol class="chart" aria-label=${label}>
    ${bars.map(
      ({ name, text, value }) => html`<li>
        <span class="name">${name}</span>
        <span class="figure">${text}</span>
        <svg class="track" aria-hidden="true"><rect class="bar" width=${share(value)} height="8" rx="4" /></svg>
      </li>`,
    )}
  </ol>`;
}
