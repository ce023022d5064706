import { css } from "lit";

/** Styles of the list of merchants that may show the person's quota. */
export const grantsStyles = css`
  :host {
    display: block;
    padding: 0 16px;
  }
  .grants {
    display: grid;
    gap: 12px;
    margin-top: 16px;
  }
  .grant {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 12px;
    padding: 16px;
    border: 1px solid var(--cupo-line);
    border-radius: 16px;
    background: var(--cupo-surface);
  }
  .grant > .asked {
    flex-basis: 100%;
  }
  .grant > div {
    flex: 1 1 160px;
    min-width: 0;
    overflow-wrap: anywhere;
  }
  .merchant {
    font-weight: 600;
  }
  @media (max-width: 429px) {
    .grant button {
      width: 100%;
    }
  }
`;
