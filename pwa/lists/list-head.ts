import { html, type TemplateResult } from "lit";
import RefreshCw from "lucide-static/dist/esm/icons/refresh-cw.mjs";
import type { AppContext } from "../context/app-context.ts";
import { icon } from "../design/icon.ts";
import { asOfLine } from "./as-of-line.ts";
import "./pull-to-refresh.ts";
import { own } from "../platform/own.ts";

/**
 * Renders the head of a list's page: its name, the time of its data, the page's own action, and the two ways to sync
 * it, by pulling down and by a button.
 */
export function listHead(name: string, context: AppContext, action: unknown): TemplateResult {
  const { store, words } = context;
  const refresh = (): void => own(store.sync());
  return html`<cupo-pull-to-refresh @refresh=${refresh}></cupo-pull-to-refresh>
    <header>
      <div>
        <h1 tabindex="-1">${name}</h1>
        <p class="tiny soft">${asOfLine(context)}</p>
      </div>
      ${action}
      <button class="plain round" aria-label=${words.common.refresh} ?disabled=${store.syncing} @click=${refresh}>
        ${icon(RefreshCw)}
      </button>
    </header>`;
}
