import { css } from "lit";

/** The look of the two pages about who may show the quota. */
export const grantStyles = css`
  :host {
    display: block;
    padding: 16px 16px calc(16px + env(safe-area-inset-bottom));
  }
  h1 {
    text-wrap: balance;
  }
  .card,
  .grants {
    display: grid;
    gap: 12px;
    margin-top: 16px;
  }
  .origin {
    overflow-wrap: anywhere;
  }
  .actions {
    margin-top: 24px;
  }
  .grant {
    display: flex;
    align-items: center;
    gap: 12px;
    padding: 12px 16px;
    border: 1px solid var(--cupo-line);
    border-radius: 16px;
    background: var(--cupo-surface);
  }
  .grant > div {
    flex: 1;
    min-width: 0;
    overflow-wrap: anywhere;
  }
  .merchant {
    font-weight: 600;
  }
`;
