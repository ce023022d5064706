import { html, type TemplateResult } from "lit";
import RefreshCw from "lucide-static/dist/esm/icons/refresh-cw.mjs";
import type { AppContext } from "../app-context.ts";
import { formatWhen } from "../format/when-format.ts";
import { icon } from "../look/icon.ts";
import "./pull-to-refresh.ts";

/** When what is shown was last confirmed by the broker, and whether it could not be confirmed again. */
export function asOfLine({ clock, store, words }: AppContext, asOf = store.asOf): TemplateResult {
  const when = asOf === undefined ? "" : words.common.asOf(formatWhen(asOf, clock.now(), words));
  const failed = store.problem !== undefined && !store.syncing;
  return html`<span class="as-of">${failed ? html`<span class="warn">${words.kept.notUpdated}</span> ` : ""}${when}</span>`;
}

/** The head of a list's page: its name, how fresh it is, and the two ways to refresh it. */
export function listHead(name: string, context: AppContext): TemplateResult {
  const { store, words } = context;
  const refresh = (): void => void store.sync();
  return html`<cupo-pull-to-refresh ?busy=${store.syncing} @refresh=${refresh}></cupo-pull-to-refresh>
    <header>
      <div>
        <h1 tabindex="-1">${name}</h1>
        <p class="tiny soft">${asOfLine(context)}&nbsp;</p>
      </div>
      <button class="plain round" aria-label=${words.common.refresh} ?disabled=${store.syncing} @click=${refresh}>
        ${icon(RefreshCw)}
      </button>
    </header>`;
}
