import { html, nothing, type TemplateResult } from "lit";
import Copy from "lucide-static/dist/esm/icons/copy.mjs";
import Share from "lucide-static/dist/esm/icons/share-2.mjs";
import type { OwnQr } from "../../src/contract/broker/broker.ts";
import { formatCountdown } from "../../src/time-format.ts";
import { money } from "../components/money.ts";
import { paidMark } from "../components/paid-mark.ts";
import { qrPlate } from "../components/qr-plate.ts";
import type { AppContext } from "../context/app-context.ts";
import { icon } from "../design/icon.ts";
import { displayReference } from "../format/display-reference.ts";
import type { Words } from "../language/words.ts";
import type { Arrival } from "../receive/receive-watch.ts";
import { copyText } from "../share/copy-text.ts";

/** A code that is shown: with an amount in currency units it expires, in as many seconds. */
export interface ShownCode {
  readonly qr: OwnQr;
  readonly amount: number | undefined;
  readonly currency: string;
  readonly secondsLeft: number;
}

/** Renders the person's code with payee, amount and check code. */
export function codeSheet({ session, words }: AppContext, { qr, amount, currency, secondsLeft }: ShownCode) {
  const { common, receive } = words;
  return html`<div class="card sheet">
    <p class="payee">${session.me?.business_name ?? session.me?.name ?? ""}</p>
    ${amount === undefined ? html`<p class="soft small">${receive.openAmount}</p>` : money(amount, currency, "middle")}
    ${qrPlate(qr.payload, receive.qrLabel)}
    <p class="check">
      <span class="tiny soft">${common.checkCode}</span><span class="code">${qr.check_code}</span>
    </p>
    ${qr.reference === undefined ? nothing : html`<p class="tiny soft reference">${displayReference(qr.reference)}</p>`}
    <p class="waiting small" role="status">
      <span class="pulse" aria-hidden="true"></span>${receive.waiting}
      ${qr.expires_in === undefined ? nothing : html`<span role="timer">${formatCountdown(secondsLeft)}</span>`}
    </p>
  </div>`;
}

/** Renders the buttons that send a code's link: to another app, where the browser can, and into the clipboard. */
export function linkButtons(context: AppContext, { app_link: url }: OwnQr): TemplateResult {
  const { common, receive } = context.words;
  // Closing the share sheet rejects too, and is no failure.
  const share = () => navigator.share({ text: receive.shareText, url }).catch(() => undefined);
  const sharing = html`<button class="only" aria-label=${common.share} @click=${share}>${icon(Share)}</button>`;
  return html`${"share" in navigator ? sharing : nothing}
    <button class="only" aria-label=${common.copy} @click=${() => copyText(url, context)}>${icon(Copy)}</button>`;
}

/** Renders a payment that has arrived, with amount and payer as far as they are known. */
export function arrivedSheet({ list, receive }: Words, { amount, from }: Arrival, currency: string): TemplateResult {
  return html`<div class="card sheet arrived" role="alert">
    ${paidMark()}
    <p class="payee">${receive.paidTitle}</p>
    ${amount === undefined ? nothing : money(amount, currency, "middle")}
    ${from === undefined ? nothing : html`<p class="soft">${list.receivedFrom(from)}</p>`}
  </div>`;
}
