import { html, type TemplateResult } from "lit";
import CloudOff from "lucide-static/dist/esm/icons/cloud-off.mjs";
import type { AppContext } from "../context/app-context.ts";
import { icon } from "../design/icon.ts";
import { whenText } from "../language/words.ts";

/** Renders the time at which the broker last confirmed the data; worded as a warning after a failed sync. */
export function asOfLine({ clock, store, words }: AppContext, asOf = store.asOf): TemplateResult {
  if (asOf === undefined) return html`<span></span>`;
  const when = whenText(asOf, words, clock.now());
  if (store.problem === undefined) return html`<span class="as-of">${words.common.asOf(when)}</span>`;
  return html`<span class="as-of warn">${words.common.staleSince(when)} ${icon(CloudOff)}</span>`;
}
