import { html, nothing, type TemplateResult } from "lit";
import type { QuotaMovement, QuotaSession } from "../../src/contract/broker/broker.ts";
import type { UserQuotaWords } from "../../src/language/tables/elements.ts";
import { formatMoney, HIDDEN_AMOUNT } from "../../src/money-format.ts";
import { formatExactly, formatWhen } from "../../src/time-format.ts";
import { avatar } from "../shared/avatar.ts";
import { button, moneyLine, nextAction, notice, outcome } from "../shared/card-view.ts";
import { drawIcon, type IconName, icon } from "../shared/icons.ts";
import type { UserQuotaPhase, UserQuotaState } from "./user-quota-state.ts";

/** Input of {@link userQuotaView}: everything that the card shows, and the handlers of its buttons. */
export interface UserQuotaModel {
  readonly state: UserQuotaState;
  readonly words: UserQuotaWords;
  readonly locale: string;
  readonly masked: boolean;
  readonly hideScore: boolean;
  /** How many movements are shown. */
  readonly lines: number;
  readonly toggleMask: () => void;
  readonly checkNow: () => void;
  readonly restart: () => void;
}

type ShownQuota = Omit<QuotaSession, "kind" | "expires_at" | "expires_in">;

const EYE = "M22 12a10.8 10.8 0 0 1-20 0 10.8 10.8 0 0 1 20 0m-7 0a3 3 0 0 1-6 0 3 3 0 0 1 6 0";
const EYE_OFF =
  "M10.7 5A10.8 10.8 0 0 1 22 12a10.8 10.8 0 0 1-1.5 2.5m-6.4-.3a3 3 0 0 1-4.3-4.3" +
  "m7.7 7.6A10.8 10.8 0 0 1 2 12a10.8 10.8 0 0 1 4.5-5.4M2 2l20 20";

const STATUS_LOOKS = {
  active: ["check", "good"],
  arrear: ["clock", "warn"],
  default: ["warning", "bad"],
} as const satisfies Record<QuotaSession["status"], readonly [IconName, string]>;

/** Renders the card of `<user-quota>` for the phase that the element is in. */
export function userQuotaView(model: UserQuotaModel): TemplateResult {
  return views[model.state.phase](model);
}

const views: Readonly<Record<UserQuotaPhase, (model: UserQuotaModel) => TemplateResult>> = {
  loading: (model) => html`
    <p class="unseen">${model.words.loading}</p>
    <div class="bones" aria-hidden="true" inert
      >${quotaView({ ...model, state: { ...model.state, offline: false } }, placeOf(model.lines))}</div>
    ${
      model.state.offline
        ? html`${notice("offline", "warn", model.words.offline)}${nextAction(model.words.tryAgain, model.checkNow)}`
        : nothing
    }`,
  shown: (model) => (model.state.session === undefined ? views.loading(model) : quotaView(model, model.state.session)),
  refused: ({ words, restart }) =>
    html`${outcome("cancelled", "warn", words.refused)}${button(words.refresh, restart)}`,
  failed: ({ words, restart }) =>
    html`${outcome("warning", "bad", words.failed)}${nextAction(words.tryAgain, restart)}`,
};

/** Returns the placeholder of a quota that is loading: as high as most are, and rendered without its texts. */
function placeOf(lines: number): ShownQuota {
  const movement = { id: "", kind: "qr", status: "approved", direction: "sent", counterparty: "–", amount: 0 } as const;
  const at = "1970-01-01T12:00Z";
  return {
    name: "–",
    quota: 0,
    quota_available: 0,
    score: 0,
    status: "active",
    currency: "COP",
    movements: Array.from({ length: lines }, () => ({ ...movement, created_at: at })),
    as_of: at,
  };
}

function quotaView(model: UserQuotaModel, session: ShownQuota): TemplateResult {
  const { state, words, locale, lines } = model;
  return html`
    <div class="row">
      <p class="name grow" part="name"><bdi>${session.name}</bdi></p>
      ${statusView(session, words)}
    </div>
    ${balanceView(model, session)}
    ${scoreView(model, session)}
    ${lines > 0 ? movementsView(model, session) : nothing}
    ${state.offline && state.session ? notice("offline", "warn", words.offline) : nothing}
    <div class="row">
      <p class="soft small grow" part="as-of">${asOfText(words, state, locale)}</p>
      <button class="button" part="button refresh" type="button" @click=${model.checkNow}>${words.refresh}</button>
    </div>`;
}

/**
 * Returns the sentence that says at what time the shown quota was current; offline with its date instead of "today",
 * because the page may have been offline for days.
 */
export function asOfText(words: UserQuotaWords, { asOf, offline }: UserQuotaState, locale: string): string {
  return `${words.asOf}: ${whenText(asOf, asOf, offline, locale)}`;
}

function statusView({ status }: ShownQuota, words: UserQuotaWords): TemplateResult {
  const [outline, tone] = STATUS_LOOKS[status] ?? STATUS_LOOKS.arrear;
  return html`<p class="status ${tone}" part="status">${icon(outline)}${words.status[status] ?? status}</p>`;
}

function balanceView(model: UserQuotaModel, session: ShownQuota): TemplateResult {
  const { words, masked, toggleMask, locale } = model;
  const { quota_available: available, currency } = session;
  return html`<div class="row">
    <div class="grow">
      <p class="soft">${words.available}</p>
      ${
        available === null
          ? html`<p class="title" part="amount">${words.none}</p>`
          : masked
            ? html`<p class="amount" part="amount">${hiddenView(words)}</p>`
            : moneyLine(available, currency, locale)
      }
      ${heldView(model, session)}
    </div>
    <button class="button eye" part="button mask" type="button"
      aria-label=${words.mask} aria-pressed=${masked} @click=${toggleMask}>${drawIcon(masked ? EYE_OFF : EYE)}</button>
  </div>`;
}

/** Renders the posted quota, if pending payments hold some of it. */
function heldView(
  model: UserQuotaModel,
  { quota, quota_available: available, currency }: ShownQuota,
): TemplateResult | typeof nothing {
  const { words } = model;
  if (quota === null || available === null || quota === available) return nothing;
  const held = quota - available;
  return html`<p class="soft small" part="quota">${words.quota} ${sumView(model, quota, currency)}${
    held > 0 ? html` · ${words.held} ${sumView(model, held, currency)}` : nothing
  }</p>`;
}

function scoreView(
  { words, masked, hideScore }: UserQuotaModel,
  { score }: ShownQuota,
): TemplateResult | typeof nothing {
  if (score === null || hideScore) return nothing;
  return html`<div part="score">
    <p>${words.score} <b>${masked ? hiddenView(words) : score}</b> ${words.ofMost}</p>
    <svg class="meter" part="meter" viewBox="0 0 1000 1" preserveAspectRatio="none" aria-hidden="true"
      ><rect width=${masked ? 0 : score} height="1"></rect></svg>
  </div>`;
}

function movementsView(model: UserQuotaModel, session: ShownQuota): TemplateResult {
  const { words, lines } = model;
  const shown = session.movements.slice(0, lines).map((movement) => movementView(model, session, movement));
  return html`<div part="movements">
    <p class="soft" id="movements">${words.movements}</p>
    ${
      shown.length === 0
        ? html`<p>${words.noMovements}</p>`
        : html`<ul role="list" aria-labelledby="movements">${shown}</ul>`
    }
  </div>`;
}

function movementView(model: UserQuotaModel, session: ShownQuota, movement: QuotaMovement): TemplateResult {
  const { state, words, locale } = model;
  const { counterparty, direction, kind, status, amount, created_at: at } = movement;
  const isReceived = direction === "received";
  // Money that did not move, or came back, has no sign: it is struck through.
  const isGone = status === "rejected" || status === "reversed";
  return html`<li class="row ${status}" part="movement">
    ${avatar(counterparty)}
    <div class="grow">
      <p>${isReceived ? words.received : words.sent} <bdi>${counterparty}</bdi></p>
      <p class="soft small">${words.kind[kind] ?? kind} · ${whenText(at, session.as_of, state.offline, locale)}</p>
    </div>
    <div class="sum">
      <b class=${isReceived && !isGone ? "good" : ""} part="movement-amount"
        >${sumView(model, amount, session.currency, isGone ? "" : isReceived ? "+" : "−")}</b>
      ${status === "approved" ? nothing : html`<p class="small">${words.outcome[status] ?? status}</p>`}
    </div>
  </li>`;
}

/** Formats a moment; its day is named by the server's clock, and only while online. */
function whenText(moment: string | number, now: string | number, offline: boolean, locale: string): string {
  return offline ? formatExactly(moment, locale) : formatWhen(moment, locale, now);
}

function sumView(
  { masked, words, locale }: UserQuotaModel,
  amount: number,
  currency: string,
  sign = "",
): TemplateResult {
  return masked ? hiddenView(words) : html`<bdi>${sign}${formatMoney(amount, currency, locale)}</bdi>`;
}

/** Renders dots on the screen and a word for screen readers: the amount itself is not in the document. */
function hiddenView({ hidden }: UserQuotaWords): TemplateResult {
  return html`<span role="img" aria-label=${hidden}>${HIDDEN_AMOUNT}</span>`;
}
