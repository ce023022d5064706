import { css } from "./css.ts";

/** Styles of a card on which something is paid or sold: actions, placeholder, success. */
export const transactionStyles = css`
  .actions {
    display: flex;
    flex-wrap: wrap;
    gap: 8px;
  }
  .actions .button {
    flex: 1 auto;
    padding-inline: 8px;
  }
  .blank {
    display: grid;
    place-content: center;
    aspect-ratio: 1;
    border: 1px solid var(--line);
    border-radius: 16px;
    background: var(--paper);
    animation: breathe 1.6s infinite alternate;
  }
  .good .icon path {
    stroke-dasharray: 1;
    animation: draw 360ms ease-out 90ms backwards;
  }
  @keyframes draw {
    from {
      stroke-dashoffset: 1;
    }
  }
`;
