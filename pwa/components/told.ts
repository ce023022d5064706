import { html, nothing, type TemplateResult } from "lit";
import type { Sentence } from "../language/words.ts";

/** What went wrong, said in place beside what the person was doing; stands in an element that is an alert. */
export function told(sentence: Sentence | undefined): TemplateResult | typeof nothing {
  if (sentence === undefined) return nothing;
  return html`<p class="small"><strong>${sentence.title}.</strong> <span class="soft">${sentence.text}</span></p>`;
}
