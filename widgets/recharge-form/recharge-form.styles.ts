import { css } from "../shared/css.ts";

/** How `<recharge-form>` lays out its fields and lists; the rest of the card comes from the shared styles. */
export const rechargeFormStyles = css`
  form {
    display: grid;
    gap: 12px;
  }
  fieldset {
    display: flex;
    gap: 8px;
    margin: 0;
    padding: 0;
    border: 0;
  }
  fieldset .button,
  .presets .button {
    flex: 1 auto;
    padding-inline: 8px;
    white-space: nowrap;
  }
  label:has(:checked) {
    outline: 2px solid;
  }
  label:has(:focus-visible) {
    outline: 3px solid var(--brand);
    outline-offset: 2px;
  }
  .typed {
    width: 100%;
    min-height: 48px;
    margin-top: 4px;
    padding: 8px 12px;
    border: 1px solid var(--ink-soft);
    border-radius: 12px;
    background: var(--surface);
    color: var(--ink);
    font: inherit;
    font-size: 22px;
    direction: ltr;
  }
  [aria-invalid="true"] {
    border-color: var(--bad);
  }
  .presets:empty,
  p:empty {
    display: none;
  }
  .presets {
    display: flex;
    flex-wrap: wrap;
    gap: 8px;
  }
  :disabled {
    opacity: 0.45;
  }
  .busy {
    animation: breathe 0.8s ease-in-out infinite alternate;
  }
  .who {
    color: var(--ink);
    font-weight: 600;
  }
  .blank {
    aspect-ratio: 3 / 2;
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
    flex-wrap: wrap;
    justify-content: space-between;
    gap: 0 12px;
    padding-top: 12px;
    font-variant-numeric: tabular-nums;
  }
  /* As the sentences of every card do, amounts and words run from left to right also where the page does not. */
  :is(summary, button, .row *, label) {
    unicode-bidi: plaintext;
  }
  :host(:dir(rtl)) :is(.soft, #fault, label, summary, .typed) {
    text-align: right;
  }
  @media print {
    .button,
    details {
      display: none;
    }
  }
`;
