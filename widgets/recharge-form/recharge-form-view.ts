import { html, nothing, type TemplateResult } from "lit";
import type { Recharge, RechargeSession } from "../../src/contract/broker.ts";
import { moneyLine, notice, type Outcome, offlineNotice, outcome, wayOn } from "../shared/card-view.ts";
import { icon } from "../shared/icons.ts";
import { formatMoney } from "../shared/money-format.ts";
import { formatTime } from "../shared/time-format.ts";
import type { RechargeDesk } from "./recharge-desk.ts";
import { reasonOf } from "./recharge-form-events.ts";
import type { RechargePhase, RechargeState, Search } from "./recharge-form-state.ts";
import { filled, meaningOf, type RechargeFormWords } from "./recharge-form-words.ts";
import { mostOf } from "./typed-amount.ts";

/** Everything that the card shows, and where what the person does goes. */
export interface RechargeFormModel {
  readonly state: RechargeState;
  readonly words: RechargeFormWords;
  readonly locale: string;
  readonly by: Search["by"];
  /** Amounts to choose from. */
  readonly presets: readonly number[];
  /** What was typed and is not right yet. */
  readonly typedFault: string | undefined;
  readonly desk: RechargeDesk;
  readonly lookFor: (by: Search["by"]) => void;
  /** Takes what was typed, or says what is wrong with it. */
  readonly submit: (event: SubmitEvent) => void;
  /** Somebody types: what was wrong is being put right. */
  readonly type: () => void;
}

/** Fits numbers of phones and of taxpayers from anywhere; the broker alone says which are real. */
const NUMBER_PATTERN = "(\\D*\\d){5,20}\\D*";

/** The card for the step that the till is at. */
export function rechargeFormView(model: RechargeFormModel): TemplateResult {
  const { state, words, desk } = model;
  const { phase, session, offline } = state;
  return html`
    ${session && html`<p class="soft small">${till(session)}</p>`}
    ${views[phase](model)}
    ${offline === undefined || phase === "failed" ? nothing : offlineNotice(words, () => desk.askNow())}
    ${session && salesView(session, model)}`;
}

const views: Readonly<Record<RechargePhase, (model: RechargeFormModel) => TemplateResult>> = Object.freeze({
  loading: waitView,
  find: findView,
  amount: amountView,
  confirm: confirmView,
  selling: waitView,
  unsure: ({ words, desk }) => html`
    ${outcome("clock", "warn", { title: words.unsure, text: words.asking })}
    ${wayOn(words.lookNow, () => desk.askNow())}`,
  receipt: receiptView,
  rejected: ({ words, state, desk }) => html`
    ${outcome("cancelled", "bad", rejection(state, words))}
    <div class="actions" part="actions">${back(words, desk)}${wayOn(words.another, () => desk.again())}</div>`,
  failed: ({ words, desk }) =>
    html`${outcome("warning", "bad", { title: words.unavailable, text: words.nothingMoved })}
    ${wayOn(words.tryAgain, () => desk.again())}`,
});

function waitView({ words }: RechargeFormModel): TemplateResult {
  return html`<div class="blank">${words.loading}</div>`;
}

function till({ seller, till: name }: RechargeSession): string {
  return name === undefined ? seller : `${seller} · ${name}`;
}

function findView({ state, words, by, typedFault, lookFor, submit, type }: RechargeFormModel): TemplateResult {
  const modes = ["phone", "nit"] as const;
  return html`<form novalidate @submit=${submit} @input=${type}>
    <fieldset>
      <legend class="unseen">${words.find}</legend>
      ${modes.map(
        (mode) => html`<label class="button" part="button">
          <input class="unseen" type="radio" name="by" .checked=${mode === by} @change=${() => lookFor(mode)} />
          ${words[mode]}
        </label>`,
      )}
    </fieldset>
    ${field(words[by], "tel", state.search?.text, typedFault ?? faultText(state, words))}
    ${next(words.find, state.searching)}
  </form>`;
}

function amountView(model: RechargeFormModel): TemplateResult {
  const { state, words, locale, typedFault, desk, submit, type } = model;
  const most = state.session ? mostOf(state.session) : 0;
  const limit = Number.isFinite(most) && !typedFault ? filled(words.upTo, moneyText(most, model)) : "";
  return html`
    <p class="soft" part="name">${words.rechargeTo} <bdi class="who">${state.person?.name}</bdi></p>
    <form novalidate @submit=${submit} @input=${type}>
      ${presetButtons(model, most)}
      ${field(words.amount, "decimal", state.amount?.toLocaleString(locale), typedFault)}
      <p class="soft small">${limit}</p>
      <div class="actions" part="actions">${back(words, desk)}${next(words.next, false)}</div>
    </form>`;
}

function presetButtons(model: RechargeFormModel, most: number): TemplateResult {
  return html`<div class="presets">${model.presets.map(
    (amount) => html`<button class="button" part="button preset" type="button" ?disabled=${amount > most}
      @click=${() => model.desk.choose(amount)}>${moneyText(amount, model)}</button>`,
  )}</div>`;
}

function confirmView(model: RechargeFormModel): TemplateResult {
  const { state, words, desk } = model;
  const fault = faultText(state, words);
  return html`
    ${sale(words.confirm, model)}
    ${fault && notice("warning", "warn", fault)}
    <div class="actions" part="actions">
      ${back(words, desk)}
      ${wayOn(filled(words.sell, moneyText(state.amount ?? 0, model)), () => desk.sell())}
    </div>`;
}

function receiptView(model: RechargeFormModel): TemplateResult {
  const { state, words, locale, desk } = model;
  const { reference, created_at = "" } = state.recharge ?? {};
  return html`
    ${sale(words.done, model, true)}
    <div class="row">
      <span>${reference}</span>
      <span>${formatTime(new Date(created_at), locale)}</span>
    </div>
    ${wayOn(words.another, () => desk.again())}`;
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
  const { words, state, desk } = model;
  const { sales } = state;
  const load = () => desk.loadSales();
  const show = ({ target }: Event) => (target as HTMLDetailsElement).open && load();
  return html`<details part="sales" @toggle=${show}>
    <summary>${words.today}: <bdi>${count} · ${moneyText(amount, model)}</bdi></summary>
    ${sales === null ? button(words.tryAgain, load) : sales?.map((item) => saleRow(item, model))}
  </details>`;
}

function saleRow({ name, state, amount, created_at }: Recharge, model: RechargeFormModel): TemplateResult {
  const { locale, words } = model;
  const outcomeWord = state === "approved" ? "" : ` · ${state === "running" ? words.unsure : words.rejected}`;
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

function next(label: string, busy: boolean): TemplateResult {
  return html`<button class="button primary ${busy ? "busy" : ""}" part="button next" type="submit">${label}</button>`;
}

function back(words: RechargeFormWords, desk: RechargeDesk): TemplateResult {
  return button(words.change, () => desk.back());
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
