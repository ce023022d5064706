import { css, html, nothing, type TemplateResult, unsafeCSS } from "lit";
import { live } from "lit/directives/live.js";
import { selectedStyle } from "../../widgets/shared/selected-style.ts";

/** Styles of {@link choices}. */
export const choicesStyles = css`
  fieldset {
    min-width: 0;
    margin: 0;
    padding: 0;
    border: 0;
  }
  legend {
    padding: 0 0 8px;
    font-size: 0.9375rem;
    line-height: 1.25rem;
    font-weight: 600;
  }
  .choices {
    display: grid;
    gap: 8px;
    grid-template-columns: repeat(3, minmax(min-content, 1fr));
  }
  .choices.four {
    grid-template-columns: repeat(auto-fit, minmax(7rem, 1fr));
  }
  .choice {
    display: grid;
    place-items: center;
    position: relative;
    min-height: 48px;
    padding: 4px 8px;
    border: 1px solid var(--cupo-line);
    border-radius: 12px;
    background: var(--cupo-surface);
    font-size: 0.9375rem;
    line-height: 1.25rem;
    text-align: center;
    cursor: pointer;
  }
  .choice input {
    position: absolute;
    inset: 0;
    width: 100%;
    height: 100%;
    min-height: 0;
    margin: 0;
    opacity: 0;
    cursor: pointer;
  }
  .choice:has(:checked),
  .chosen {
    ${unsafeCSS(selectedStyle)}
    color: var(--cupo-brand);
    font-weight: 600;
  }
  .choice:has(:focus-visible) {
    outline: 3px solid var(--cupo-brand);
    outline-offset: 2px;
  }
  @container (max-width: 18rem) {
    .choices:not(.four) {
      grid-template-columns: minmax(0, 1fr);
    }
  }
  @media (forced-colors: active) {
    .choice:has(:checked),
    .chosen {
      outline: 2px solid Highlight;
    }
  }
`;

/** Content of a group of radio buttons ({@link choices}): its name, its options, and the one that is chosen. */
export interface Choices<T> {
  readonly legend: string;
  /** Hides the legend from view, where the options say enough to the eye. */
  readonly isLegendHidden?: boolean;
  readonly name: string;
  readonly options: readonly { readonly value: T; readonly label: string; readonly lang?: string }[];
  readonly chosen: T;
  /** Called with the new choice; the view then renders the group anew, with the one in effect. */
  readonly choose: (value: T) => void;
}

/** Renders a group of radio buttons, of which one is chosen. */
export function choices<T extends string | number>({
  legend,
  isLegendHidden,
  name,
  options,
  chosen,
  choose,
}: Choices<T>): TemplateResult {
  const option = ({ value, label, lang }: Choices<T>["options"][number]): TemplateResult =>
    html`<label class="choice" lang=${lang ?? nothing}>
      <input type="radio" name=${name} .checked=${live(value === chosen)} @change=${() => choose(value)} />
      <span>${label}</span>
    </label>`;
  return html`<fieldset>
    <legend class=${isLegendHidden ? "visually-hidden" : ""}>${legend}</legend>
    <div class=${options.length === 4 ? "choices four" : "choices"}>${options.map(option)}</div>
  </fieldset>`;
}
