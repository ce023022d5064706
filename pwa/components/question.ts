import { css, html, type TemplateResult } from "lit";
import type { Sentence } from "../language/words.ts";

/** Styles of {@link question}, and of other boxes that ask something in the midst of a page. */
export const questionStyles = css`
  .asked {
    display: grid;
    gap: 12px;
    padding: 12px;
    border: 1px solid var(--cupo-line);
    border-radius: 12px;
    background: var(--cupo-paper);
  }
  .danger {
    border-color: var(--cupo-bad);
    color: var(--cupo-bad);
  }
`;

/** One of the two answers to a question: the button's text, and what a press does. */
interface Answer {
  readonly label: string;
  readonly act: () => unknown;
}

/**
 * Renders the question before an act that takes something away, with a button to leave all as it is and one for the
 * act, which is disabled while it is under way. The caller focuses `#question`.
 */
export function question(
  { title, text }: Sentence,
  leave: Answer,
  go: Answer & { readonly busy: boolean },
): TemplateResult {
  return html`<div class="asked" role="group" aria-labelledby="question">
    <div><p id="question" tabindex="-1"><strong>${title}</strong></p><p class="soft small">${text}</p></div>
    <div class="pair">
      <button @click=${leave.act}>${leave.label}</button>
      <button class="danger" ?disabled=${go.busy} @click=${go.act}>${go.label}</button>
    </div>
  </div>`;
}
