import { html, nothing, type TemplateResult } from "lit";
import type { Recharge, RechargeSession } from "../../src/contract/broker.ts";
import { moneyLine, notice, type Outcome, offlineNotice, outcome, wayOn } from "../shared/card-view.ts";
import { icon } from "../shared/icons.ts";
import { formatMoney } from "../shared/money-format.ts";
import { formatTime } from "../shared/time-format.ts";
import { reasonOf } from "./recharge-form-events.ts";
import type { RechargePhase, RechargeState, Search } from "./recharge-form-state.ts";
import { filled, meaningOf, type RechargeFormWords } from "./recharge-form-words.ts";
import { mostOf } from "./typed-amount.ts";

/** What the person may do; each does nothing where the till's step has no use for it. */
export interface RechargeFormActions {
  readonly lookFor: (by: Search["by"]) => void;
  readonly submit: (event: SubmitEvent) => void;
  /** Somebody types: what was wrong is being put right. */
  readonly type: () => void;
  readonly choose: (amount: number) => void;
  readonly sell: () => void;
  readonly back: () => void;
  readonly again: () => void;
  readonly askNow: () => void;
  readonly showSales: (event: Event) => void;
  readonly loadSales: () => void;
}

/** Everything that the card shows. */
export interface RechargeFormModel {
  readonly state: RechargeState;
  readonly words: RechargeFormWords;
  readonly locale: string;
  readonly by: Search["by"];
  /** Amounts to choose from. */
  readonly presets: readonly number[];
  /** What was typed and is not right yet. */
  readonly typedFault: string | undefined;
  readonly sales: readonly Recharge[] | undefined;
  readonly salesMissed: boolean;
  readonly actions: RechargeFormActions;
}

/** Fits numbers of phones and of taxpayers from anywhere; the broker alone says which are real. */
const NUMBER_PATTERN = "(\\D*\\d){5,20}\\D*";

/** The card for the step that the till is at. */
export function rechargeFormView(model: RechargeFormModel): TemplateResult {
  const { state, words, actions } = model;
  const { phase, session, offline } = state;
  return html`
    ${session && html`<p class="soft small" part="till">${till(session)}</p>`}
    ${views[phase](model)}
    ${offline === undefined || phase === "failed" ? nothing : offlineNotice(words, actions.askNow)}
    ${session && salesView(session, model)}`;
}

const views: Readonly<Record<RechargePhase, (model: RechargeFormModel) => TemplateResult>> = Object.freeze({
  loading: ({ words }) => html`<div class="blank">${words.loading}</div>`,
  find: findView,
  amount: amountView,
  confirm: confirmView,
  selling: ({ words }) => html`<div class="blank">${words.selling}</div>`,
  unsure: ({ words, actions }) =>
    html`${outcome("clock", "warn", { title: words.unsure, text: words.asking })}${wayOn(words.lookNow, actions.askNow)}`,
  receipt: receiptView,
  rejected: ({ words, state, actions: { back, again } }) => html`
    ${outcome("cancelled", "bad", rejection(state, words))}
    <div class="actions" part="actions">${button(words.change, back)}${wayOn(words.another, again)}</div>`,
  failed: ({ words, actions }) =>
    html`${outcome("warning", "bad", { title: words.failed, text: words.nothingMoved })}
    ${wayOn(words.tryAgain, actions.again)}`,
});

function till({ seller, till: name }: RechargeSession): string {
  return name === undefined ? seller : `${seller} · ${name}`;
}

function findView({ state, words, by, typedFault, actions }: RechargeFormModel): TemplateResult {
  const modes = ["phone", "nit"] as const;
  return html`<form novalidate @submit=${actions.submit} @input=${actions.type}>
    <fieldset class="modes" part="modes">
      <legend class="unseen">${words.find}</legend>
      ${modes.map(
        (mode) => html`<label>
          <input type="radio" name="by" .checked=${mode === by} @change=${() => actions.lookFor(mode)} />${words[mode]}
        </label>`,
      )}
    </fieldset>
    ${field(words[by], "tel", state.search?.text, typedFault ?? faultText(state, words))}
    ${next(words.find, state.searching)}
  </form>`;
}

function amountView(model: RechargeFormModel): TemplateResult {
  const { state, words, locale, presets, typedFault, actions } = model;
  const most = state.session ? mostOf(state.session) : 0;
  return html`
    <p class="soft" part="name">${words.rechargeTo} <bdi class="who">${state.person?.name}</bdi></p>
    <form novalidate @submit=${actions.submit} @input=${actions.type}>
      ${presets.length > 0 ? presetButtons(model, most) : nothing}
      ${field(words.amount, "decimal", state.amount?.toLocaleString(locale), typedFault)}
      ${Number.isFinite(most) ? html`<p class="soft small" part="limit">${filled(words.upTo, moneyText(most, model))}</p>` : nothing}
      <div class="actions" part="actions">${button(words.change, actions.back)}${next(words.next)}</div>
    </form>`;
}

function presetButtons(model: RechargeFormModel, most: number): TemplateResult {
  return html`<div class="presets" part="presets">
    ${model.presets.map(
      (amount) => html`<button class="button" part="button preset" type="button" ?disabled=${amount > most}
        @click=${() => model.actions.choose(amount)}>${moneyText(amount, model)}</button>`,
    )}
  </div>`;
}

function confirmView(model: RechargeFormModel): TemplateResult {
  const { state, words, actions } = model;
  const fault = faultText(state, words);
  return html`
    ${sale(words.confirm, model)}
    ${fault && notice("warning", "warn", fault)}
    <div class="actions" part="actions">
      ${button(words.change, actions.back)}
      <button class="button primary ${state.searching ? "busy" : ""}" part="button sell" type="button"
        @click=${actions.sell}>${filled(words.sell, moneyText(state.amount ?? 0, model))}</button>
    </div>`;
}

function receiptView(model: RechargeFormModel): TemplateResult {
  const { state, words, locale, actions } = model;
  const { reference, created_at = "" } = state.recharge ?? {};
  return html`
    ${sale(words.done, model, true)}
    <div class="row">
      <span part="reference">${words.reference} <bdi>${reference}</bdi></span>
      <span part="time">${formatTime(new Date(created_at), locale)}</span>
    </div>
    ${wayOn(words.another, actions.again)}`;
}

/** Whom and how much: before it is sold, and as it was. */
function sale(title: string, { state, locale }: RechargeFormModel, done = false): TemplateResult {
  const { person, amount, session, recharge } = state;
  return html`<div class="outcome ${done ? "good" : ""}" part="outcome" tabindex="-1">
    ${done ? icon("check") : nothing}
    <p class="title" part="title">${title}</p>
    ${moneyLine(recharge?.amount ?? amount ?? 0, session?.currency ?? "COP", locale)}
    <p part="name"><bdi class="who">${recharge?.name ?? person?.name}</bdi></p>
  </div>`;
}

function salesView({ sold_today: { count, amount } }: RechargeSession, model: RechargeFormModel): TemplateResult {
  const { words, sales, salesMissed, actions } = model;
  return html`<details part="sales" @toggle=${actions.showSales}>
    <summary part="summary">${words.today}: <bdi>${count} · ${moneyText(amount, model)}</bdi></summary>
    ${salesMissed ? button(words.tryAgain, actions.loadSales) : sales?.map((item) => saleRow(item, model))}
  </details>`;
}

function saleRow({ name, state, amount, created_at }: Recharge, model: RechargeFormModel): TemplateResult {
  const { locale, words } = model;
  const outcomeWord = state === "approved" ? "" : ` · ${state === "running" ? words.running : words.rejected}`;
  return html`<div class="row" part="sale">
    <span><bdi class="who">${name}</bdi><br>
      <span class="soft small">${formatTime(new Date(created_at), locale)}${outcomeWord}</span></span>
    <span>${moneyText(amount, model)}</span>
  </div>`;
}

function field(label: string, mode: "tel" | "decimal", value = "", fault = ""): TemplateResult {
  return html`<label class="small">${label}
      <input class="typed" part="field" name="typed" inputmode=${mode} autocomplete="off" maxlength="40" required
        pattern=${mode === "tel" ? NUMBER_PATTERN : nothing}
        .value=${value} aria-invalid=${fault !== ""} aria-describedby="fault" />
    </label>
    <p class="bad small" id="fault" part="fault">${fault}</p>`;
}

function next(label: string, busy = false): TemplateResult {
  return html`<button class="button primary ${busy ? "busy" : ""}" part="button next" type="submit">${label}</button>`;
}

function button(label: string, act: () => void): TemplateResult {
  return html`<button class="button" part="button" type="button" @click=${act}>${label}</button>`;
}

/** Why a look-up or a sale came to nothing, where that is to be read on a step that goes on. */
export function faultText({ fault }: RechargeState, words: RechargeFormWords): string | undefined {
  return (
    fault && filled(meaningOf(fault.code, words) ?? words.unavailable, Math.ceil((fault.retryAfterMs ?? 0) / 1000))
  );
}

/** Why a top-up was not made, and what that means for the money. */
export function rejection(state: RechargeState, words: RechargeFormWords): Outcome {
  return { title: words.rejected, text: `${meaningOf(reasonOf(state), words) ?? ""} ${words.nothingMoved}` };
}

/** An amount within a sentence. */
export function moneyText(amount: number, { state, locale }: Pick<RechargeFormModel, "state" | "locale">): string {
  return formatMoney(amount, state.session?.currency ?? "COP", locale).whole;
}
