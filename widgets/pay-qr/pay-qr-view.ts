import { html, nothing, type TemplateResult } from "lit";
import type { PaySession } from "../../src/contract/broker/broker.ts";
import type { PayQrWords } from "../../src/language/tables/elements.ts";
import { formatMoney } from "../../src/money-format.ts";
import { QUIET_ZONE, qrPath } from "../../src/qr-path.ts";
import { formatCountdown, formatExactly } from "../../src/time-format.ts";
import { moneyLine, nextAction, notice, type OutcomeView, offlineNotice, outcome } from "../shared/card-view.ts";
import { drawIcon, type IconName, icon } from "../shared/icons.ts";
import { qrCode } from "../shared/qr-code/qr-code.ts";
import type { PayQrPhase, PayQrState } from "./pay-qr-state.ts";

/** A QR code as an SVG path: computed once for each payload, because the card renders every second. */
export interface DrawnQr {
  readonly payload: string;
  readonly path: string;
  /** Modules of one side, quiet zone included. */
  readonly modules: number;
}

/** Words for the result of copying the code's payload: done, or by hand if the browser does not let the page do it. */
export type CopyOutcome = "copied" | "copyByHand" | undefined;

/** Input of {@link payQrView}: everything that the card shows, and the handlers of its buttons. */
export interface PayQrModel {
  readonly state: PayQrState;
  readonly words: PayQrWords;
  readonly locale: string;
  readonly secondsLeft: number | undefined;
  readonly qr: DrawnQr | undefined;
  readonly copyOutcome: CopyOutcome;
  /** An attempt was rejected while the person was looking. */
  readonly rejected: boolean;
  readonly copy: () => void;
  readonly pollNow: () => void;
  readonly restart: () => void;
}

/** Four whole pixels a module read well from a screen; narrower places shrink the code. */
const PIXELS_PER_MODULE = 4;

/** A phone opens the app by the link: it cannot scan its own screen. */
const PHONE = "(pointer:coarse) and ((max-width:600px) or (max-height:500px))";

/** From here on the time left is shown as a warning. */
const LATE_SECONDS = 60;

const COPY =
  "M10 8h10a2 2 0 0 1 2 2v10a2 2 0 0 1-2 2H10a2 2 0 0 1-2-2V10a2 2 0 0 1 2-2z" +
  "M4 16a2 2 0 0 1-2-2V4a2 2 0 0 1 2-2h10a2 2 0 0 1 2 2";
const OPEN = "M15 3h6v6M10 14 21 3m-3 10v6a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2V8a2 2 0 0 1 2-2h6";

/** Draws the QR code of a payload as one SVG path. */
export function drawQr(payload: string): DrawnQr {
  const matrix = qrCode(payload);
  return { payload, path: qrPath(matrix), modules: matrix.size + 2 * QUIET_ZONE };
}

/** Renders the card of `<pay-qr>` for the phase that the payment is in. */
export function payQrView(model: PayQrModel): TemplateResult {
  return (views[model.state.phase] ?? endView)(model);
}

/** All other phases show the end of a payment that was not made. */
const views: { readonly [phase in PayQrPhase]?: (model: PayQrModel) => TemplateResult } = {
  loading: loadingView,
  awaiting: awaitingView,
  paid: paidView,
};

function loadingView(model: PayQrModel): TemplateResult {
  return html`
    <div class="blank" part="plate">${model.words.loading}</div>
    ${connection(model)}`;
}

/** Icons of the phases in which a payment was not made. */
const END_ICONS: { readonly [phase in PayQrPhase]?: IconName } = {
  expired: "clock",
  cancelled: "cancelled",
  failed: "warning",
};

function endView({ state, words, restart }: PayQrModel): TemplateResult {
  const { phase } = state;
  const failed = phase === "failed";
  return html`
    ${outcome(END_ICONS[phase], failed ? "bad" : "warn", endOf(state, words))}
    ${nextAction(failed ? words.tryAgain : words.newCode, restart)}`;
}

/** Returns the words for the end of a payment that was not made, as far as the page knows. */
export function endOf({ phase, lapsed, session }: PayQrState, words: PayQrWords): OutcomeView {
  if (phase === "cancelled") return words.cancelled;
  if (phase === "expired") return lapsed ? words.expiredUnconfirmed : words.expired;
  return session === undefined ? words.failedEarly : words.failedLate;
}

function awaitingView(model: PayQrModel): TemplateResult {
  const { state, words, qr } = model;
  const { session, lapsed } = state;
  if (session === undefined || qr === undefined) return loadingView(model);
  if (session.state === "pending") {
    return html`
      ${heading(session, model)}
      ${outcome("clock", "warn", words.pending)}
      ${connection(model)}`;
  }
  // The property is set through CSSOM: a strict CSP refuses style attributes.
  const code = html`<div class="plate ${lapsed ? "veiled" : ""}" part="plate" .style=${`--modules:${qr.modules}`}
    >${qrImage(qr, session, model)}</div>`;
  // Only a web address: any other scheme that a server might send must not run in the shop's page.
  const hasLink = /^https?:/i.test(session.app_link);
  const isFolded = hasLink && matchMedia(PHONE).matches;
  const link = hasLink ? appLink(session, words, isFolded) : nothing;
  return html`
    ${heading(session, model)}
    ${isFolded ? link : code}
    ${notices(model)}
    <dl class="facts" part="facts">
      <div>
        <dt class="soft small">${words.checkCode}</dt>
        <dd part="check-code"><bdi class="code">${session.check_code}</bdi></dd>
        <dd class="soft small hint">${words.checkCodeHint}</dd>
      </div>
      ${countdown(model)}
    </dl>
    ${
      isFolded
        ? html`<details part="fold"><summary>${words.showCode}</summary>${code}${actions(session, model)}</details>`
        : actions(session, model, link)
    }`;
}

function paidView(model: PayQrModel): TemplateResult {
  const { state, words, locale } = model;
  const { session } = state;
  const time = state.witnessed && session !== undefined ? paidTime(session, locale) : "";
  const receipt = html`
    ${session && amountLine(session, model)}
    <p class="soft">${session?.payee}</p>
    ${time && html`<p class="soft small" part="time">${time}</p>`}`;
  return outcome("check", "good", { title: words.paid, text: "" }, receipt);
}

/** Time of payment by the server's clock: the expiry less the time left in the first answer that said "paid". */
function paidTime({ expires_at: end, expires_in: left }: PaySession, locale: string): string {
  return left > 0 ? formatExactly(Date.parse(end) - left * 1000, locale) : "";
}

function heading(session: PaySession, model: PayQrModel): TemplateResult {
  return html`
    <div class="head">
      <p class="soft" part="payee">${model.words.payTo} <bdi class="name">${session.payee}</bdi></p>
      ${amountLine(session, model)}
    </div>`;
}

function amountLine({ amount, currency }: PaySession, { words, locale }: PayQrModel): TemplateResult {
  if (amount === undefined) return html`<p class="title" part="amount">${words.openAmount}</p>`;
  return moneyLine(amount, currency, locale);
}

function qrImage(qr: DrawnQr, session: PaySession, { words, locale }: PayQrModel): TemplateResult {
  const { modules } = qr;
  const pixels = modules * PIXELS_PER_MODULE;
  return html`<svg
    part="qr" role="img" aria-label=${words.qrName(session.payee, amountText(session, words, locale))}
    width=${pixels} height=${pixels} viewBox="${-QUIET_ZONE} ${-QUIET_ZONE} ${modules} ${modules}"
    shape-rendering="crispEdges"><path fill="#000" d=${qr.path}></path></svg>`;
}

/** Returns a session's amount as text for a sentence, or the words for an open amount where it has none. */
export function amountText(session: PaySession, words: PayQrWords, locale: string): string {
  if (session.amount === undefined) return words.openAmount;
  return formatMoney(session.amount, session.currency, locale);
}

function connection({ state, words, pollNow }: PayQrModel): TemplateResult | typeof nothing {
  if (!state.offline) return nothing;
  return offlineNotice(offlineText(state, words), words.checkAgain, pollNow);
}

/**
 * Returns the sentence for an unreachable broker; it adds that the code stays payable only if the code is unpaid and
 * the countdown has not ended.
 */
export function offlineText({ session, lapsed }: PayQrState, { offline, stillPayable }: PayQrWords): string {
  return session?.state === "unpaid" && !lapsed ? `${offline} ${stillPayable}` : offline;
}

function notices(model: PayQrModel): TemplateResult {
  const { state, words, rejected } = model;
  return html`
    ${connection(model)}
    ${state.lapsed ? notice("clock", "warn", words.checking) : nothing}
    ${rejected ? notice("warning", "bad", words.rejected) : nothing}`;
}

function countdown({ secondsLeft, words, state }: PayQrModel): TemplateResult | typeof nothing {
  if (secondsLeft === undefined || state.lapsed) return nothing;
  return html`<div class="left">
    <dt class="soft small">${words.expiresIn}</dt>
    <dd class=${secondsLeft <= LATE_SECONDS ? "late" : ""} part="countdown">
      <bdi role="timer" aria-live="off">${formatCountdown(secondsLeft)}</bdi>
    </dd>
  </div>`;
}

function actions(
  session: PaySession,
  { state, words, copyOutcome, copy }: PayQrModel,
  link?: unknown,
): TemplateResult | typeof nothing {
  if (state.lapsed) return nothing;
  const copied = copyOutcome === "copied";
  return html`<div class="actions" part="actions">
    ${link}
    <button class="button" part="button copy" @click=${copy}>
      ${copied ? icon("check") : drawIcon(COPY)}${copied ? words.copied : words.copy}
    </button>
    ${copyOutcome === "copyByHand" ? byHand(session, words) : nothing}
  </div>`;
}

function appLink({ app_link: link }: PaySession, words: PayQrWords, isPrimary: boolean): TemplateResult {
  return html`<a class="button ${isPrimary ? "primary" : ""}" part="button open" href=${link} target="_blank"
    rel="noopener noreferrer"
    >${drawIcon(OPEN)}${words.openApp}</a>`;
}

function byHand(session: PaySession, words: PayQrWords): TemplateResult {
  return html`<textarea part="payload" readonly aria-label=${words.copyByHand} .value=${session.payload}></textarea>`;
}
