import { html, type TemplateResult } from "lit";
import WifiOff from "lucide-static/dist/esm/icons/wifi-off.mjs";
import { notice } from "../components/notice.ts";
import type { AppContext } from "../context/app-context.ts";
import { sentenceOf } from "../language/words.ts";

/** Renders placeholders, as high as the rows will be, for rows that are being loaded. */
export function blankRows({ words }: Pick<AppContext, "words">, count: number): TemplateResult {
  return html`<div class="blank" role="status" aria-label=${words.common.loading}>
    ${Array.from({ length: count }, () => html`<span></span>`)}
  </div>`;
}

/** Renders placeholders for that many rows, or why there are none: the sync failed, or the history is hidden. */
export function unknownRows({ store, words }: AppContext, count: number): unknown {
  if (store.problem === undefined) return blankRows({ words }, count);
  const way = html`<button ?disabled=${store.syncing} @click=${() => store.sync()}>${words.common.retry}</button>`;
  const sentence = store.isHidden ? words.list.hidden : sentenceOf(words, store.problem, "looking");
  return html`<div role="alert">${notice(WifiOff, sentence, { tone: "warn", way })}</div>`;
}
