import { html, type TemplateResult } from "lit";
import ArrowDownLeft from "lucide-static/dist/esm/icons/arrow-down-left.mjs";
import CircleX from "lucide-static/dist/esm/icons/circle-x.mjs";
import Clock from "lucide-static/dist/esm/icons/clock.mjs";
import Undo from "lucide-static/dist/esm/icons/undo-2.mjs";
import type { Movement } from "../../src/contract/broker/broker.ts";
import { HIDDEN_AMOUNT } from "../../src/money-format.ts";
import { formatDay, formatTime } from "../../src/time-format.ts";
import { avatar } from "../../widgets/shared/avatar.ts";
import type { NamedMovement } from "../contacts/name-movements.ts";
import { icon } from "../design/icon.ts";
import { formatMoney } from "../format/money-format.ts";
import type { Words } from "../language/words.ts";

/** Options of {@link movementRow}. */
export interface RowOptions {
  readonly words: Words;
  /** Current time, by which days are named. */
  readonly nowMs: number;
  /** Hides the amounts. */
  readonly masked: boolean;
  /** True if a heading above the row names the day. */
  readonly days: boolean;
}

/** Outcome of a movement that is not simply approved. */
type MovementOutcome = "pending" | "rejected" | "refunded" | "partly";

const icons: Readonly<Record<MovementOutcome, string>> = Object.freeze({
  pending: Clock,
  rejected: CircleX,
  refunded: Undo,
  partly: Undo,
});

function outcomeOf({ amount, reversed_amount: refunded = 0, status }: Movement): MovementOutcome | undefined {
  if (status === "pending" || status === "rejected") return status;
  if (status === "reversed" || refunded >= amount) return "refunded";
  return refunded > 0 ? "partly" : undefined;
}

function whatOf({ kind }: Movement, fate: MovementOutcome | undefined, { list }: Words): string {
  if (fate === undefined) return list.kind[kind];
  if (fate === "partly") return list.partlyRefunded;
  return list.status[fate === "refunded" ? "reversed" : fate];
}

/** Renders the amount; rejected or fully refunded amounts are struck through, and never green. */
function amountOf(
  { amount, currency, direction }: Movement,
  fate: MovementOutcome | undefined,
  { masked, words }: RowOptions,
): TemplateResult {
  if (masked) return html`<span class="amount" role="img" aria-label=${words.home.hidden}>${HIDDEN_AMOUNT}</span>`;
  const text = formatMoney(amount, currency);
  if (fate === "rejected" || fate === "refunded") return html`<span class="amount struck"><bdi>${text}</bdi></span>`;
  if (direction === "sent") return html`<span class="amount"><bdi>−${text}</bdi></span>`;
  return html`<span class="amount good">${icon(ArrowDownLeft)}<bdi>+${text}</bdi></span>`;
}

/** Renders one movement as a row that links to its receipt: counterparty, kind or outcome, time, amount. */
export function movementRow(movement: Movement, options: RowOptions): TemplateResult {
  const { counterparty, created_at, id, merchant, nickname = merchant } = movement as NamedMovement;
  const { days, nowMs, words } = options;
  const fate = outcomeOf(movement);
  const sign = fate && icon(icons[fate]);
  const day = days ? "" : `${formatDay(created_at, words.tag, nowMs)}, `;
  const when = day + formatTime(created_at, words.tag);
  return html`<a class="row" href="/receipt#${id}">
    ${avatar(counterparty)}
    <span class="name"><bdi>${nickname}</bdi> <bdi class=${nickname && "soft"}>${counterparty}</bdi></span>
    <span class="under">${sign} ${whatOf(movement, fate, words)} · ${when}</span>
    ${amountOf(movement, fate, options)}
  </a>`;
}
