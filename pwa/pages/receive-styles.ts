import { css } from "lit";

/** Styles of Receive: the code as large as the phone allows, its payee above and its check code below. */
export const receiveStyles = css`
  :host {
    display: grid;
    gap: 16px;
    padding: 0 16px var(--cupo-keyboard, 0px);
  }
  header {
    margin-bottom: -8px;
  }
  .sheet {
    display: grid;
    justify-items: center;
    gap: 8px;
    text-align: center;
  }
  .payee {
    font-size: 1.375rem;
    line-height: 1.75rem;
    font-weight: 650;
    overflow-wrap: anywhere;
  }
  .plate,
  .blank {
    width: min(100%, 44dvh);
    margin-top: 4px;
  }
  .blank {
    aspect-ratio: 1;
    border-radius: 16px;
    background: var(--cupo-line);
    opacity: 0.4;
  }
  .check {
    display: flex;
    align-items: baseline;
    gap: 12px;
  }
  .check .code {
    font-size: 1.375rem;
    line-height: 1.75rem;
  }
  .waiting {
    display: flex;
    align-items: center;
    gap: 8px;
    color: var(--cupo-ink-soft);
  }
  .waiting [role="timer"] {
    font-variant-numeric: tabular-nums;
  }
  .pulse {
    width: 8px;
    height: 8px;
    border-radius: 50%;
    background: var(--cupo-brand);
    animation: pulse 2s ease-out infinite;
  }
  @keyframes pulse {
    50% {
      opacity: 0.25;
    }
  }
  .arrived {
    padding: 48px 16px;
  }
  .beside {
    display: flex;
    gap: 8px;
  }
  .beside > :first-child {
    flex: 1;
  }
  .beside .only {
    width: 48px;
    padding: 0;
  }
  @media (prefers-reduced-motion: reduce) {
    .pulse {
      animation: none;
    }
  }
`;
