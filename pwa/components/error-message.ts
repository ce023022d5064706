import { html, nothing, type TemplateResult } from "lit";
import type { Sentence } from "../language/words.ts";

/**
 * Renders an error message beside the control that caused it, or nothing without one; the caller's element around it
 * has the alert role.
 */
export function errorMessage(sentence: Sentence | undefined): TemplateResult | typeof nothing {
  if (sentence === undefined) return nothing;
  return html`<p class="small"><strong>${sentence.title}.</strong> <span class="soft">${sentence.text}</span></p>`;
}
