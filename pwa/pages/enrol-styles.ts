import { css } from "lit";

/** Styles of the page on which an invited person makes a passkey. */
export const enrolStyles = css`
  :host {
    display: flex;
    flex-direction: column;
    min-height: 100dvh;
    padding: 24px 16px calc(24px + env(safe-area-inset-bottom) + var(--cupo-keyboard, 0px));
  }
  .mark {
    width: 56px;
    height: 56px;
    color: var(--cupo-brand);
  }
  .head {
    display: grid;
    gap: 8px;
  }
  .head .mark {
    margin-bottom: 8px;
  }
  form,
  .step {
    display: flex;
    flex: 1;
    flex-direction: column;
    gap: 16px;
  }
  .grow {
    flex: 1;
  }
  .under {
    margin-top: 8px;
  }
  label.field {
    display: grid;
    gap: 8px;
    font-size: 0.9375rem;
    line-height: 1.25rem;
    font-weight: 600;
  }
  .digits {
    height: 4rem;
    font-family: ui-monospace, "Roboto Mono", Menlo, monospace;
    font-size: 1.75rem;
    letter-spacing: 0.32em;
    text-align: center;
  }
  .hint {
    font-weight: 400;
  }
  .fault {
    color: var(--cupo-bad);
    font-weight: 400;
  }
  .guide {
    display: grid;
    gap: 28px;
    padding: 20px 0;
  }
  .guide li {
    display: flex;
    gap: 16px;
  }
  .guide .sign {
    display: grid;
    flex: none;
    place-items: center;
    width: 48px;
    height: 48px;
    border: 1px solid var(--cupo-line);
    border-radius: 16px;
    background: var(--cupo-surface);
    color: var(--cupo-brand);
    font-size: 1.25rem;
  }
  @media (min-width: 600px) and (min-height: 600px) {
    :host {
      justify-content: center;
      width: 100%;
      max-width: 440px;
      margin: 0 auto;
    }
    form,
    .step,
    .grow {
      flex: none;
    }
  }
`;
