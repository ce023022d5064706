import { css } from "lit";

/** Styles of the summary page. */
export const summaryStyles = css`
  :host {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: 16px;
    padding: 0 16px;
  }
  header {
    margin-bottom: -8px;
  }
  .card,
  .month {
    display: grid;
    gap: 4px;
  }
  .card h2 {
    margin: 20px 0 12px;
  }
  .sum {
    display: grid;
  }
  table {
    width: 100%;
    border-collapse: collapse;
    font-size: 0.9375rem;
    line-height: 1.25rem;
  }
  caption {
    padding: 8px 0;
    font-weight: 600;
    text-align: start;
  }
  th,
  td {
    padding: 12px 0;
    border-bottom: 1px solid var(--cupo-line);
    text-align: start;
    vertical-align: baseline;
    font-weight: 400;
  }
  th + th,
  th + td,
  td + td {
    padding-inline-start: 12px;
  }
  thead th {
    padding-top: 0;
    padding-bottom: 8px;
    font-size: 0.8125rem;
    line-height: 1.125rem;
    color: var(--cupo-ink-soft);
  }
  tbody th {
    overflow-wrap: anywhere;
  }
  tbody th span {
    display: block;
  }
  tfoot th,
  tfoot td {
    border-bottom: 0;
    font-weight: 650;
  }
  .number {
    text-align: end;
    font-variant-numeric: tabular-nums;
    white-space: nowrap;
  }
  .more {
    width: 100%;
  }
  @container (max-width: 18rem) {
    thead {
      display: none;
    }
    tr :is(th, td) {
      display: block;
      padding: 4px 0;
      border-bottom: 0;
    }
    tr {
      border-bottom: 1px solid var(--cupo-line);
    }
    td.number {
      text-align: start;
    }
    td.number::before {
      content: attr(data-name) ": ";
      color: var(--cupo-ink-soft);
    }
  }
  .blank {
    display: grid;
    gap: 16px;
  }
  .blank span {
    height: 360px;
    border: 1px solid var(--cupo-line);
    border-radius: 16px;
    background: var(--cupo-surface);
  }
  .blank span:last-child {
    height: 120px;
  }
`;
