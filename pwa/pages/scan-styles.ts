import { css } from "lit";

/** Styles of Scan: the camera fills the page, the other ways to give a code lie under the thumb. */
export const scanStyles = css`
  :host {
    display: grid;
    grid-template-rows: auto 1fr auto;
    min-height: calc(100dvh - var(--cupo-keyboard, 0px));
  }
  header {
    padding: 8px 16px;
  }
  .view {
    position: relative;
    display: grid;
    place-items: center;
    margin: 0 16px;
    border: 1px solid var(--cupo-line);
    border-radius: 24px;
    background: var(--cupo-surface);
    overflow: hidden;
    /* Above a keyboard there is room for the field alone: its height outweighs the sum. */
    max-height: calc(9999px - 99 * var(--cupo-keyboard, 0px));
  }
  video {
    position: absolute;
    inset: 0;
    width: 100%;
    height: 100%;
    object-fit: cover;
    background: #000;
  }
  video[hidden] {
    visibility: hidden;
    display: block;
  }
  .finder {
    position: relative;
    width: min(70%, 46dvh);
    fill: none;
    stroke: #fff;
    stroke-width: 2.5;
    stroke-linecap: round;
    stroke-linejoin: round;
    filter: drop-shadow(0 0 2px rgb(0 0 0 / 60%));
  }
  .lead {
    color: var(--cupo-ink-soft);
  }
  .finder.read {
    background: rgb(6 13 11 / 40%);
    border-radius: 20%;
  }
  .finder + .lead {
    position: absolute;
    inset: auto 16px 20px;
    width: fit-content;
    margin: 0 auto;
    padding: 8px 16px;
    border-radius: 12px;
    background: rgb(6 13 11 / 78%);
    color: #fff;
    font-size: 0.9375rem;
    text-align: center;
  }
  .sheet {
    display: grid;
    gap: 12px;
    padding: 16px 16px calc(16px + env(safe-area-inset-bottom));
  }
  .said {
    padding: 12px 16px;
    border: 1px solid var(--cupo-warn);
    border-radius: 12px;
    background: var(--cupo-surface);
    font-size: 0.9375rem;
    line-height: 1.25rem;
  }
  .said strong {
    display: block;
  }
  .tools {
    position: absolute;
    inset: 12px 12px auto;
    display: grid;
    grid-auto-flow: column;
    grid-auto-columns: minmax(0, 1fr);
    gap: 8px;
  }
  .tools label {
    display: grid;
    grid-template-columns: auto minmax(0, 1fr);
    align-items: center;
    gap: 8px;
    min-height: 48px;
    padding-inline: 12px;
    border-radius: 12px;
    background: rgb(6 13 11 / 78%);
    color: #fff;
    font-weight: 400;
  }
  .tools :focus-visible {
    outline-color: #fff;
  }
  .tools input {
    height: 48px;
    padding: 0;
    border: 0;
    background: none;
    accent-color: #fff;
  }
  .tools select {
    /* The system's own look of a closed list is white in Safari, as its text is. */
    appearance: none;
    padding: 0;
    border: 0;
    background: none;
    font-size: 1rem;
    text-overflow: ellipsis;
  }
  .tools option {
    background: var(--cupo-surface);
    color: var(--cupo-ink);
  }
  .codes {
    display: grid;
    gap: 8px;
    max-height: 40dvh;
    overflow-y: auto;
  }
  .codes button {
    display: grid;
    grid-template-columns: minmax(0, 1fr) auto;
    gap: 2px 12px;
    min-height: 56px;
    padding: 10px 16px;
    text-align: start;
  }
  .codes .reference {
    grid-column: 1 / -1;
    font-weight: 400;
  }
  .codes .payee {
    overflow-wrap: anywhere;
    font-weight: 400;
  }
  .codes .sum {
    font-variant-numeric: tabular-nums;
  }
  .ways {
    display: grid;
    grid-template-columns: repeat(3, 1fr);
    gap: 8px;
  }
  .ways button {
    flex-direction: column;
    gap: 4px;
    min-height: 72px;
    padding: 8px 0;
    border-radius: 16px;
    font-size: 0.9375rem;
    line-height: 1.25rem;
  }
  @container (max-width: 18rem) {
    .ways {
      grid-template-columns: minmax(0, 1fr);
    }
    .ways button {
      flex-direction: row;
      min-height: 48px;
    }
  }
  form {
    display: grid;
    gap: 8px;
  }
  label {
    font-size: 0.9375rem;
    font-weight: 600;
  }
  textarea {
    resize: none;
    font-family: ui-monospace, "Roboto Mono", Menlo, monospace;
  }
`;
