import { css } from "lit";
import { questionStyles } from "../components/question.ts";

/** Styles of the profile's sections: a card each, with rows and the buttons for each row beside it. */
export const profileStyles = css`
  :host {
    display: block;
  }
  .card {
    display: grid;
    gap: 12px;
  }
  .card > h2 {
    font-size: 1.0625rem;
    line-height: 1.5rem;
  }
  .rows > li {
    display: grid;
    gap: 8px;
    padding: 12px 0;
    border-top: 1px solid var(--cupo-line);
  }
  .rows > li:first-child {
    border-top: 0;
    padding-top: 0;
  }
  .rows > li:last-child {
    padding-bottom: 0;
  }
  .row {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 4px 12px;
  }
  .what {
    flex: 1 1 9.375rem;
    min-width: 0;
    overflow-wrap: anywhere;
  }
  .what .title {
    font-weight: 600;
  }
  .badge {
    display: inline-block;
    padding: 0 8px;
    border: 1px solid var(--cupo-good);
    border-radius: 999px;
    color: var(--cupo-good);
    font-size: 0.8125rem;
    line-height: 1.25rem;
  }
  button {
    font-size: 0.9375rem;
  }
  .hold {
    min-height: 64px;
  }
  form {
    display: grid;
    gap: 12px;
  }
  form label {
    display: grid;
    gap: 8px;
    font-size: 0.9375rem;
    line-height: 1.25rem;
    font-weight: 600;
  }
  ${questionStyles}
  .failure:not(:has(p)) {
    display: none;
  }
  .newcomer {
    padding: 12px;
    border: 1px solid var(--cupo-warn);
    border-radius: 12px;
  }
  .invitation {
    display: grid;
    justify-items: center;
    gap: 12px;
    text-align: center;
  }
  .invitation .plate {
    max-width: 240px;
  }
  .invitation .digits {
    font-size: min(2.125rem, max(34px, 9vw));
    line-height: 2.5rem;
    letter-spacing: 0.16em;
    margin-inline-end: -0.16em;
    font-variant-numeric: tabular-nums;
  }
`;
