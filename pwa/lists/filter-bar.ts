import { html, nothing, type TemplateResult } from "lit";
import Search from "lucide-static/dist/esm/icons/search.mjs";
import Sliders from "lucide-static/dist/esm/icons/sliders-horizontal.mjs";
import type { Movement } from "../../src/contract/broker/broker.ts";
import { formatMonth } from "../../src/time-format.ts";
import { icon } from "../design/icon.ts";
import type { Words } from "../language/words.ts";
import { kindsOf, type MovementFilter, monthsOf } from "./movement-search.ts";

/** State and callbacks of the filter bar. */
export interface FilterBarState {
  readonly filter: MovementFilter;
  /** The movements whose kinds and months can be chosen. */
  readonly known: readonly Movement[];
  /** True while kind and month are shown. */
  readonly open: boolean;
  readonly onOpen: () => void;
  readonly onChange: (change: Partial<MovementFilter>) => void;
}

function chosenIn({ target }: Event): string {
  return (target as HTMLInputElement | HTMLSelectElement).value;
}

function choices({ filter, known, onChange }: FilterBarState, words: Words): TemplateResult {
  const { list, search } = words;
  const option = (value: string, chosen: string, name: string): TemplateResult =>
    html`<option value=${value} ?selected=${value === chosen}>${name}</option>`;
  const kinds = kindsOf(known).map((kind) => option(kind, filter.kind, list.kind[kind]));
  return html`<div id="choices" class="pair">
    <label
      ><span class="tiny soft">${search.kind}</span>
      <select @change=${(event: Event) => onChange({ kind: chosenIn(event) as MovementFilter["kind"] })}>
        ${option("", filter.kind, search.anyKind)} ${kinds}
      </select></label
    >
    <label
      ><span class="tiny soft">${search.month}</span>
      <select @change=${(event: Event) => onChange({ month: chosenIn(event) })}>
        ${option("", filter.month, search.anyMonth)}
        ${monthsOf(known).map((month) => option(month, filter.month, formatMonth(month, words.tag)))}
      </select></label
    >
  </div>`;
}

/** Renders a list's search field and, behind a button, the choice of kind and month. */
export function filterBar(state: FilterBarState, words: Words): TemplateResult {
  const { filter, open, onChange, onOpen } = state;
  const { search } = words;
  const isNarrowed = filter.kind !== "" || filter.month !== "";
  return html`<search>
    <div class="find">
      <label class="field"
        >${icon(Search)}<span class="visually-hidden">${search.label}</span>
        <input
          type="search"
          autocomplete="off"
          autocapitalize="none"
          spellcheck="false"
          enterkeyhint="search"
          placeholder=${search.hint}
          .value=${filter.text}
          @input=${(event: Event) => onChange({ text: chosenIn(event) })}
        />
      </label>
      <button
        class="round ${isNarrowed ? "chosen" : ""}"
        aria-label=${search.filters}
        aria-expanded=${open}
        aria-controls="choices"
        @click=${onOpen}
      >
        ${icon(Sliders)}
      </button>
    </div>
    ${open ? choices(state, words) : nothing}
  </search>`;
}
