import { css } from "../shared/css.ts";
import { selectedStyle } from "../shared/selected-style.ts";

/**
 * Styles of `<recharge-form>` alone, which lay out its fields and lists; the rest of the card has the shared styles.
 */
export const rechargeFormStyles = css`
  form {
    display: grid;
    gap: 12px;
  }
  .button:has(:checked) {
    ${selectedStyle}
  }
  input {
    accent-color: var(--brand);
  }
  .typed {
    width: 100%;
    margin-top: 8px;
    min-height: 48px;
    padding: 8px 12px;
    border: 1px solid var(--ink-soft);
    border-radius: 12px;
    background: none;
    color: var(--ink);
    font: inherit;
    font-size: 1.7em;
    direction: ltr;
    text-align: inherit;
  }
  [aria-invalid="true"] {
    border-color: var(--bad);
  }
  :is(p, .actions):empty {
    display: none;
  }
  :disabled {
    opacity: 0.45;
  }
  .blank {
    aspect-ratio: 3 / 2;
  }
  /* White on the brand's colour has less to lose than ink on paper. */
  .busy {
    --faint: 0.9;
    animation: breathe 1.6s infinite alternate;
  }
  details {
    border-top: 1px solid var(--line);
  }
  summary {
    padding-top: 12px;
    cursor: pointer;
  }
  .row {
    display: flex;
    gap: 12px;
    padding-top: 12px;
    font-variant-numeric: tabular-nums;
  }
  .row div {
    flex: 1;
  }
  @media print {
    .button,
    details {
      display: none;
    }
  }
`;
