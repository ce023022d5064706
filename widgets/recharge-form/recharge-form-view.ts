import { html, nothing, type TemplateResult } from "lit";
import type { Recharge, RechargeSession } from "../../src/contract/broker/broker.ts";
import type { RechargeFormWords } from "../../src/language/tables/elements.ts";
import { formatMoney } from "../../src/money-format.ts";
import { formatExactly, formatTime } from "../../src/time-format.ts";
import {
  button,
  moneyLine,
  nextAction,
  notice,
  type OutcomeView,
  offlineNotice,
  outcome,
} from "../shared/card-view.ts";
import type { IconName } from "../shared/icons.ts";
import type { RechargeController } from "./recharge-controller.ts";
import type { RechargePhase, RechargeState, Search } from "./recharge-form-state.ts";
import { filled, meaningOf } from "./recharge-form-words.ts";
import { mostOf } from "./typed-amount.ts";

/** Input of {@link rechargeFormView}: everything that the card shows, and the handlers of the person's actions. */
export interface RechargeFormModel {
  readonly state: RechargeState;
  readonly words: RechargeFormWords;
  readonly locale: string;
  readonly by: Search["by"];
  /** Amounts to choose from. */
  readonly presets: readonly number[];
  readonly desk: RechargeController;
  readonly lookFor: (by: Search["by"]) => void;
  /** Takes the typed input, or shows what is wrong with it. */
  readonly submit: (event: SubmitEvent) => void;
}

/** Matches numbers of phones and of taxpayers from anywhere; only the broker knows which are real. */
const NUMBER_PATTERN = "(\\D*\\d){5,20}\\D*";

/** Renders the card of `<recharge-form>` for the step that the till is at. */
export function rechargeFormView(model: RechargeFormModel): TemplateResult {
  const { state, words, desk } = model;
  const { phase, session, offline } = state;
  return html`
    ${session && html`<p class="soft small">${[session.seller, session.till].filter(Boolean).join(" · ")}</p>`}
    ${(views[phase] ?? outcomeView)(model)}
    ${
      offline && phase !== "failed" ? offlineNotice(awayText(state, words), words.askNow, () => desk.askNow()) : nothing
    }
    ${session && salesView(session, model)}`;
}

/** All other phases show the sale to confirm, or its outcome. */
const views: { readonly [phase in RechargePhase]?: (model: RechargeFormModel) => TemplateResult } = {
  loading: waitView,
  find: findView,
  amount: amountView,
  selling: waitView,
};

/** Icon and tone of a phase; a sale to confirm has none. */
const TONES: { readonly [phase in RechargePhase]?: readonly [IconName, "good" | "warn" | "bad"] } = {
  unsure: ["clock", "warn"],
  receipt: ["check", "good"],
  rejected: ["cancelled", "bad"],
  failed: ["warning", "bad"],
};

function waitView({ words }: RechargeFormModel): TemplateResult {
  return html`<div class="blank">${words.loading}</div>`;
}

function findView({ state, words, by, lookFor, submit, desk }: RechargeFormModel): TemplateResult {
  const modes = ["phone", "nit"] as const;
  return html`<form novalidate @submit=${submit} @input=${() => desk.type()}>
    <div class="actions" role="radiogroup" aria-label=${words.find}>
      ${modes.map(
        (mode) => html`<label class="button" part="button">
          <input type="radio" name="by" .checked=${mode === by} @change=${() => lookFor(mode)} />
          ${words[mode]}
        </label>`,
      )}
    </div>
    ${field(words[by], "tel", state.search?.text, faultText(state, words))}
    ${next(words.find, state.searching)}
  </form>`;
}

function amountView(model: RechargeFormModel): TemplateResult {
  const { state, words, locale, desk, submit } = model;
  const most = state.session ? mostOf(state.session) : 0;
  const limit = most < Number.POSITIVE_INFINITY ? filled(words.over_most, moneyText(most, model)) : "";
  return html`
    <p class="soft" part="name">${words.rechargeTo} <bdi class="name">${state.person?.name}</bdi></p>
    <form novalidate @submit=${submit} @input=${() => desk.type()}>
      <div class="actions">${model.presets.map(
        (preset) => html`<button class="button" part="button preset" type="button" ?disabled=${preset > most}
          @click=${() => desk.choose(preset)}>${moneyText(preset, model)}</button>`,
      )}</div>
      ${field(words.amount, "decimal", state.amount?.toLocaleString(locale), faultText(state, words), limit)}
      <div class="actions" part="actions">${back(words, desk)}${next(words.next)}</div>
    </form>`;
}

/** Renders the sale to confirm, or its outcome. */
function outcomeView(model: RechargeFormModel): TemplateResult {
  const { state, words, desk } = model;
  const { phase, amount } = state;
  const [iconName, tone = ""] = TONES[phase] ?? [];
  const sold = phase === "confirm" || phase === "receipt" ? saleView(model) : undefined;
  const fault = phase === "confirm" && faultText(state, words);
  const ways: { readonly [phase in RechargePhase]?: readonly [string, () => void] } = {
    confirm: [filled(words.sell, moneyText(amount, model)), () => desk.sell()],
    unsure: [words.askNow, () => desk.askNow()],
    failed: [words.tryAgain, () => desk.again()],
  };
  return html`
    ${outcome(iconName, tone, outcomeOf(model), sold)}
    ${fault ? notice("warning", "warn", fault) : nothing}
    <div class="actions" part="actions">
      ${phase === "confirm" || phase === "rejected" ? back(words, desk) : nothing}
      ${nextAction(...(ways[phase] ?? [words.another, () => desk.again()]))}
    </div>`;
}

/** Renders receiver and amount: before the sale with the number that was typed, after it as sold. */
function saleView({ state, words, locale }: RechargeFormModel): TemplateResult {
  const { person, session, recharge, search } = state;
  const { name, amount = 0, reference, created_at } = { ...person, amount: state.amount, ...recharge };
  return html`
    ${moneyLine(amount, session?.currency ?? "COP", locale)}
    <p class="name" part="name"><bdi>${name}</bdi></p>
    <p class="soft small">${
      created_at
        ? html`${reference}<br />${formatExactly(created_at, locale)}`
        : search && `${words[search.by]} ${search.text}`
    }</p>`;
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
    <div>
      <p class="name"><bdi>${name}</bdi></p>
      <p class="soft small">${formatTime(created_at, locale)}${outcomeWord}</p>
    </div>
    <p>${moneyText(amount, model)}</p>
  </div>`;
}

/** Renders a field, and below it its error or else a hint. */
function field(label: string, mode: "tel" | "decimal", value = "", fault = "", hint = ""): TemplateResult {
  return html`<label class="small">${label}
      <input class="typed" part="field" name="typed" inputmode=${mode} enterkeyhint="next" autocomplete="off"
        maxlength="40" required
        pattern=${mode === "tel" ? NUMBER_PATTERN : nothing}
        .value=${value} aria-invalid=${fault !== ""} aria-describedby="fault" />
    </label>
    <p class="small ${fault ? "bad" : "soft"}" id="fault" part="${fault ? "fault" : ""}">${fault || hint}</p>`;
}

function next(label: string, busy = false): TemplateResult {
  return html`<button class="button primary ${busy ? "busy" : ""}" part="button next" type="submit">${label}</button>`;
}

function back(words: RechargeFormWords, desk: RechargeController): TemplateResult {
  return button(words.change, () => desk.back());
}

/** Returns the sentence that advises on the state's fault, for a step that continues; undefined without a fault. */
export function faultText({ fault }: RechargeState, words: RechargeFormWords): string | undefined {
  if (fault === undefined) return undefined;
  const { code, value, retryAfterMs = 0 } = fault;
  return filled(meaningOf(code, words) ?? words.failed, value ?? Math.ceil(retryAfterMs / 1000));
}

/** Returns the sentence for an unreachable broker; it names the connection as the cause only if no answer came. */
export function awayText({ offline }: RechargeState, words: RechargeFormWords): string {
  return offline === "no_answer" ? words.offline : words.failed;
}

/** Returns headline and meaning of a sale's outcome, or of the doubt about it. */
export function outcomeOf(model: Pick<RechargeFormModel, "state" | "words" | "locale">): OutcomeView {
  const { state, words } = model;
  const { phase, key, recharge } = state;
  const { name, amount, reason } = recharge ?? {};
  const means: { readonly [phase in RechargePhase]?: string } = {
    unsure: words.asking,
    receipt: `${moneyText(amount, model)}, ${name}`,
    // A till that did not open may have sold before its page was reloaded.
    failed: key ? words.nothingMoved : "",
  };
  const text = means[phase] ?? `${meaningOf(reason, words) ?? ""} ${words.nothingMoved}`;
  return { title: words[phase as keyof RechargeFormWords], text };
}

/** Formats an amount in the session's currency, for use within a sentence. */
export function moneyText(amount = 0, { state, locale }: Pick<RechargeFormModel, "state" | "locale">): string {
  return formatMoney(amount, state.session?.currency ?? "COP", locale);
}
