import { html, type TemplateResult } from "lit";
import CloudOff from "lucide-static/dist/esm/icons/cloud-off.mjs";
import RefreshCw from "lucide-static/dist/esm/icons/refresh-cw.mjs";
import { formatWhen } from "../../src/time-format.ts";
import type { AppContext } from "../context/app-context.ts";
import { icon } from "../design/icon.ts";
import "./pull-to-refresh.ts";
import { own } from "../platform/own.ts";

/** Renders the time at which the broker last confirmed the data; worded as a warning after a failed sync. */
export function asOfLine({ clock, store, words }: AppContext, asOf = store.asOf): TemplateResult {
  if (asOf === undefined) return html`<span></span>`;
  const when = formatWhen(asOf, words.tag, clock.now());
  if (store.problem === undefined) return html`<span class="as-of">${words.common.asOf(when)}</span>`;
  return html`<span class="as-of warn">${words.common.staleSince(when)} ${icon(CloudOff)}</span>`;
}

/**
 * Renders the head of a list's page: its name, the time of its data, and the two ways to sync it, by pulling down and
 * by a button.
 */
export function listHead(name: string, context: AppContext): TemplateResult {
  const { store, words } = context;
  const refresh = (): void => own(store.sync());
  return html`<cupo-pull-to-refresh ?busy=${store.syncing} @refresh=${refresh}></cupo-pull-to-refresh>
    <header>
      <div>
        <h1 tabindex="-1">${name}</h1>
        <p class="tiny soft">${asOfLine(context)}</p>
      </div>
      <button class="plain round" aria-label=${words.common.refresh} ?disabled=${store.syncing} @click=${refresh}>
        ${icon(RefreshCw)}
      </button>
    </header>`;
}
