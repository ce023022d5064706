import { html, nothing, type TemplateResult } from "lit";
import Inbox from "lucide-static/dist/esm/icons/inbox.mjs";
import WifiOff from "lucide-static/dist/esm/icons/wifi-off.mjs";
import type { AppContext } from "../app-context.ts";
import "../components/movement-list.ts";
import { notice } from "../components/notice.ts";
import { type Sentence, sentenceOf } from "../language/words.ts";
import type { MovementPages } from "./movement-pages.ts";

function problem(pages: MovementPages, { words }: AppContext): unknown {
  if (pages.problem === undefined) return nothing;
  const way = html`<button @click=${() => pages.refresh()}>${words.common.retry}</button>`;
  const sentence = sentenceOf(words, pages.problem, "looking");
  return html`<div role="alert">${notice(WifiOff, sentence, { tone: "warn", way })}</div>`;
}

/** A list in each of its states: on its way, empty, failed, and there with more to come. */
export function listBody(
  pages: MovementPages,
  context: AppContext,
  empty: { readonly sentence: Sentence; readonly way?: unknown },
): TemplateResult {
  const { clock, session, words } = context;
  const { movements } = pages;
  if (movements === undefined) {
    if (pages.problem !== undefined) return html`${problem(pages, context)}`;
    return html`<div class="blank" role="status" aria-label=${words.common.loading}>
      <span></span><span></span><span></span><span></span><span></span>
    </div>`;
  }
  if (movements.length === 0)
    return html`${problem(pages, context)}${notice(Inbox, empty.sentence, { way: empty.way })}`;
  const more = html`<button class="more" ?disabled=${pages.loading} @click=${() => pages.more()}>
    ${pages.loading ? words.common.loading : words.common.loadMore}
  </button>`;
  return html`${problem(pages, context)}
    <cupo-movement-list
      days
      .movements=${movements}
      .words=${words}
      .nowMs=${clock.now()}
      ?masked=${session.masked}
    ></cupo-movement-list>
    ${pages.hasMore ? more : nothing}`;
}
