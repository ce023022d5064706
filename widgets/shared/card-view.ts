import { html, type TemplateResult } from "lit";
import { formatMoney, moneyFormat } from "../../src/money-format.ts";
import { type IconName, icon } from "./icons.ts";

/** Text of an outcome: a headline, and what it means for the money and what to do. */
export interface OutcomeView {
  readonly title: string;
  readonly text: string;
}

/** Joins an outcome's headline and text into one text for screen readers. */
export function spoken({ title, text }: OutcomeView): string {
  return `${title}. ${text}`;
}

/** Renders an amount in the card's largest letters, its currency smaller, on one line; a long amount is smaller. */
export function moneyLine(amount: number, currency: string, locale: string): TemplateResult {
  const parts = moneyFormat(currency, locale).formatToParts(amount);
  const length = `--length:${formatMoney(amount, currency, locale).length}`;
  return html`<p class="amount" part="amount"><bdi .style=${length}>${parts.map(({ type, value }) =>
    type === "currency" ? html`<small class="soft">${value}</small>` : value,
  )}</bdi></p>`;
}

/** Renders a notice beside the card's other content; with a button if there is something to do about it. */
export function notice(
  iconName: IconName,
  tone: "warn" | "bad",
  text: string,
  button?: TemplateResult,
): TemplateResult {
  return html`<div class="notice ${tone}" part="notice">${icon(iconName)}<p>${text}</p>${button}</div>`;
}

/** Renders the notice that the broker is unreachable, with the button that polls again. */
export function offlineNotice(text: string, label: string, look: () => void): TemplateResult {
  return notice("offline", "warn", text, button(label, look));
}

/** Renders an outcome in place of the card's other content; `more` replaces the outcome's text. */
export function outcome(
  iconName: IconName | undefined,
  tone: "" | "good" | "warn" | "bad",
  { title, text }: OutcomeView,
  more: TemplateResult = html`<p class="soft">${text}</p>`,
): TemplateResult {
  return html`<div class="outcome ${tone}" part="outcome" tabindex="-1">
    ${iconName && icon(iconName)}
    <p class="title" part="title">${title}</p>
    ${more}
  </div>`;
}

/** Renders a secondary button. */
export function button(label: string, act: () => void): TemplateResult {
  return html`<button class="button" part="button" type="button" @click=${act}>${label}</button>`;
}

/** Renders the button that leads on from an outcome. */
export function nextAction(label: string, act: () => void): TemplateResult {
  return html`<button class="button primary" part="button way-on" @click=${act}>${label}</button>`;
}
