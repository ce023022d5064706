import { html, nothing } from "lit";
import Inbox from "lucide-static/dist/esm/icons/inbox.mjs";
import SearchX from "lucide-static/dist/esm/icons/search-x.mjs";
import type { Movement } from "../../src/contract/broker/broker.ts";
import type { MovementList } from "../components/movement-list.ts";
import type { AppContext } from "../context/app-context.ts";
import "../components/movement-list.ts";
import { startOfDay } from "../../src/time-format.ts";
import { notice } from "../components/notice.ts";
import type { Sentence } from "../language/words.ts";
import { unknownRows } from "./unknown-rows.ts";

const BLANK_ROWS = 6;

/** Input of {@link listBody}: the movements of a list before and after its filter, and its notice while it is empty. */
export interface ListState {
  /** Every known movement; undefined until anything is known. */
  readonly known: readonly Movement[] | undefined;
  /** Those that fit the filter. */
  readonly fitting: readonly Movement[];
  readonly empty: { readonly sentence: Sentence; readonly way?: unknown };
  /** Clears the filter. */
  readonly onClear: () => void;
  readonly totalOf: MovementList["totalOf"];
}

/**
 * Renders a list of movements in its present state: loading, failed, empty, without a match for the filter, or shown,
 * with a note while older movements are still being loaded.
 */
export function listBody({ known, fitting, empty, onClear, totalOf }: ListState, context: AppContext): unknown {
  const { clock, session, store, words } = context;
  if (known === undefined) return unknownRows(context, BLANK_ROWS);
  if (known.length === 0)
    return store.isComplete ? notice(Inbox, empty.sentence, { way: empty.way }) : unknownRows(context, BLANK_ROWS);
  if (fitting.length === 0) {
    const way = html`<button @click=${onClear}>${words.search.clear}</button>`;
    return notice(SearchX, words.search.noMatch, { way });
  }
  return html`<cupo-movement-list
      days
      .movements=${fitting}
      .totalOf=${totalOf}
      .words=${words}
      .nowMs=${startOfDay(clock.now())}
      ?masked=${session.masked}
    ></cupo-movement-list>
    ${store.isComplete ? nothing : html`<p class="tiny soft older">${words.search.loadingOlder}</p>`}`;
}
