import { css } from "lit";

/** Styles of the forms of Transfer and Refund, to be used together with those of Confirm. */
export const transferStyles = css`
  .fields {
    align-content: start;
    gap: 16px;
    padding-top: 16px;
  }
  .ways {
    display: grid;
    grid-template-columns: 1fr 1fr;
    gap: 8px;
    margin: 0;
    padding: 0;
    border: 0;
  }
  .way {
    display: grid;
    cursor: pointer;
  }
  .way input {
    position: absolute;
    width: 1px;
    min-height: 0;
    height: 1px;
    opacity: 0;
  }
  .way span {
    display: grid;
    place-items: center;
    min-height: 48px;
    padding: 0 12px;
    border: 1px solid var(--cupo-line);
    border-radius: 12px;
    background: var(--cupo-surface);
    font-weight: 600;
  }
  .way input:checked + span {
    border: 2px solid var(--cupo-brand);
    color: var(--cupo-brand);
  }
  .way input:focus-visible + span {
    outline: 3px solid var(--cupo-brand);
    outline-offset: 2px;
  }
  .field {
    display: grid;
    gap: 8px;
  }
  .fields p:empty {
    display: none;
  }
  .left {
    margin-top: -12px;
  }
  .compare {
    margin-top: -16px;
    text-align: center;
    text-wrap: balance;
  }
`;
