import { css } from "lit";

/** Styles of the forms of Transfer and Refund, to be used together with those of Confirm. */
export const transferStyles = css`
  .fields {
    align-content: start;
    gap: 16px;
    padding-top: 16px;
  }
  .choices {
    grid-template-columns: 1fr 1fr;
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
