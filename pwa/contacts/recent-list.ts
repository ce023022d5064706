import { css, html, nothing, type TemplateResult } from "lit";
import type { ApprovalWords } from "../../src/language/tables/app.ts";
import { avatar } from "../../widgets/shared/avatar.ts";
import { formatMoney } from "../format/money-format.ts";
import type { NamedMovement } from "./name-movements.ts";

/** Styles of {@link recentList}. */
export const recentStyles = css`
  .recents {
    display: grid;
    margin-top: 8px;
  }
  .recent {
    display: grid;
    grid-template-columns: auto minmax(0, 1fr) auto;
    gap: 12px;
    width: 100%;
    min-height: 56px;
    padding: 4px 0;
    border: 0;
    background: none;
    text-align: start;
  }
  .recent .name {
    overflow-wrap: anywhere;
  }
  .recent .soft {
    font-size: 0.9375rem;
  }
`;

/** Tells if amounts are hidden, and hears of the transfer that is to be made again. */
export interface RecentListState {
  readonly masked: boolean;
  readonly onChoose: (movement: NamedMovement) => void;
}

/** Renders recent transfers as buttons with receiver and amount, each of which makes the transfer again. */
export function recentList(
  recents: readonly NamedMovement[],
  words: ApprovalWords["transfer"],
  { masked, onChoose }: RecentListState,
): unknown {
  if (recents.length === 0) return nothing;
  const row = (movement: NamedMovement): TemplateResult => {
    const { amount, counterparty, currency, nickname } = movement;
    const sum = formatMoney(amount, currency);
    return html`<li>
      <button type="button" class="recent" @click=${() => onChoose(movement)}>
        ${avatar(counterparty)}
        <span class="name"
          ><bdi>${nickname}</bdi> <bdi class=${nickname === undefined ? "" : "soft"}>${counterparty}</bdi></span
        >
        ${masked ? nothing : html`<bdi class="soft">${sum}</bdi>`}
      </button>
    </li>`;
  };
  return html`<section aria-labelledby="recents">
    <h2 id="recents" class="soft">${words.recents}</h2>
    <ul class="recents">${recents.map(row)}</ul>
  </section>`;
}
