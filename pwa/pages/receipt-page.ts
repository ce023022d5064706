import { html, nothing, type TemplateResult } from "lit";
import ArrowLeft from "lucide-static/dist/esm/icons/arrow-left.mjs";
import ArrowLeftRight from "lucide-static/dist/esm/icons/arrow-left-right.mjs";
import Check from "lucide-static/dist/esm/icons/check.mjs";
import Eye from "lucide-static/dist/esm/icons/eye.mjs";
import Printer from "lucide-static/dist/esm/icons/printer.mjs";
import ReceiptText from "lucide-static/dist/esm/icons/receipt-text.mjs";
import Share from "lucide-static/dist/esm/icons/share-2.mjs";
import Undo from "lucide-static/dist/esm/icons/undo-2.mjs";
import WifiOff from "lucide-static/dist/esm/icons/wifi-off.mjs";
import type { Movement } from "../../src/contract/broker/broker.ts";
import { mark } from "../components/mark.ts";
import { money, moneyStyles } from "../components/money.ts";
import { notice, noticeStyles } from "../components/notice.ts";
import { qrPlate, qrPlateStyles } from "../components/qr-plate.ts";
import { nameMovements } from "../contacts/name-movements.ts";
import "../contacts/nickname-section.ts";
import { HIDDEN_AMOUNT } from "../../src/money-format.ts";
import { formatExactly } from "../../src/time-format.ts";
import { avatar } from "../../widgets/shared/avatar.ts";
import { Page } from "../context/page.ts";
import { icon } from "../design/icon.ts";
import { base, controls, surfaces } from "../design/styles.ts";
import { displayReference } from "../format/display-reference.ts";
import { formatMoney } from "../format/money-format.ts";
import { wordsOf } from "../language/language.ts";
import { sentenceOf } from "../language/words.ts";
import { listenWhileConnected } from "../platform/listen-while-connected.ts";
import { own } from "../platform/own.ts";
import { problemOfReason } from "../platform/problem.ts";
import { receiptState, refundableOf, refundOf } from "../receipt/receipt-state.ts";
import { receiptPageStyles } from "../receipt/receipt-styles.ts";
import { displayCheckCode, receiptLink, receiptText, shareReceipt } from "../receipt/share-receipt.ts";

/**
 * Page with the receipt of one of the person's movements, to show, share or print: `/receipt#ID`. It needs no
 * connection for a movement that is known on this device.
 */
export class ReceiptPage extends Page {
  static override properties = {
    ...Page.properties,
    movement: { state: true },
    revealed: { state: true },
    shared: { state: true },
  };

  declare movement: Movement | undefined;
  /** True while hidden amounts are shown here, until the page is left. */
  declare revealed: boolean;
  /** Outcome of the last press on Share, where the person does not see it anyway. */
  declare shared: "copied" | "failed" | undefined;
  #id = "";

  static override styles = [...[base, controls, surfaces, moneyStyles, noticeStyles, qrPlateStyles, receiptPageStyles]];

  constructor() {
    super();
    this.revealed = false;
    listenWhileConnected(
      this,
      () => this.context.store,
      "change",
      () => own(this.#load()),
    );
  }

  override get name(): string {
    return wordsOf("receipts").receipt.name;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    const { router, store } = this.context;
    this.#id = router.place.fragment;
    own(this.#load());
    own(store.sync());
  }

  override render(): TemplateResult {
    const { common } = this.context.words;
    const { movement } = this;
    return html`<header>
        <button class="plain round" aria-label=${common.back} @click=${() => this.context.router.back()}>
          ${icon(ArrowLeft)}
        </button>
        ${movement === undefined ? nothing : html`<p>${wordsOf("receipts").receipt.name}</p>`}
      </header>
      ${movement === undefined ? this.#absent() : this.#receipt(movement)}`;
  }

  get #masked(): boolean {
    return this.context.session.masked && !this.revealed;
  }

  #absent(): TemplateResult {
    const { store, words } = this.context;
    const { receipt } = wordsOf("receipts");
    if (!store.syncing && store.problem !== undefined) {
      const way = html`<button class="primary" @click=${() => store.sync()}>${words.common.retry}</button>`;
      const sentence = sentenceOf(words, store.problem, "looking");
      return html`<div role="alert">${notice(WifiOff, sentence, { tone: "warn", heading: 1, way })}</div>`;
    }
    if (!store.syncing && store.isComplete) {
      const way = html`<a class="button primary" href="/history">${words.list.history}</a>`;
      return notice(ReceiptText, receipt.unknown, { heading: 1, way });
    }
    return html`<h1 class="visually-hidden" tabindex="-1">${receipt.name}</h1>
      <div class="blank" role="status" aria-label=${receipt.looking}><span></span><span></span><span></span></div>`;
  }

  #receipt(movement: Movement): TemplateResult {
    const { words } = this.context;
    return html`<p class="brand">${mark()} Cupo · ${wordsOf("receipts").receipt.name}</p>
      ${this.#who(movement)}
      <dl class="card facts">${this.#facts(movement)}</dl>
      ${movement.receipt === undefined || this.#masked ? nothing : this.#proof(movement, movement.receipt)}
      <cupo-nickname-section class="screen" .context=${this.context} .movement=${movement}></cupo-nickname-section>
      <div class="acts">
        ${
          this.#masked
            ? html`<button class="large" @click=${this.#reveal}>${icon(Eye)}${words.home.show}</button>`
            : this.#actions(movement)
        }
      </div>`;
  }

  #who(movement: Movement): TemplateResult {
    const { words } = this.context;
    const { amount, counterparty, currency, direction, kind, reason, status } = movement;
    const { icon: sign, tone, word } = receiptState(movement, wordsOf("receipts"));
    const name = direction === "sent" ? words.list.sentTo(counterparty) : words.list.receivedFrom(counterparty);
    const gone = status === "rejected" || refundOf(movement) === "whole";
    return html`<div class="who ${gone ? "struck" : ""}">
      ${avatar(counterparty, "large")}
      <p class="soft small">${words.list.kind[kind]}</p>
      <h1 tabindex="-1">${name}</h1>
      ${
        this.#masked
          ? html`<span class="money">${HIDDEN_AMOUNT}<span class="visually-hidden">${words.home.hidden}</span></span>`
          : money(amount, currency)
      }
      <p class="state ${tone}">${icon(sign)}${word}</p>
      ${
        status === "rejected" && reason !== undefined
          ? html`<p class="why soft small">${sentenceOf(words, problemOfReason(reason)).title}</p>`
          : nothing
      }
    </div>`;
  }

  #facts(movement: Movement): unknown {
    const { words } = this.context;
    const { receipt } = wordsOf("receipts");
    const {
      amount,
      created_at,
      currency,
      direction,
      merchant,
      note,
      reference,
      reversed_amount: refunded = 0,
      reverses,
    } = movement;
    const sum = (value: number): string => (this.#masked ? HIDDEN_AMOUNT : formatMoney(value, currency));
    const fact = (name: string, value: unknown): TemplateResult =>
      html`<dt>${name}</dt>
        <dd><bdi>${value}</bdi></dd>`;
    const left = (Math.round(amount * 100) - Math.round(refunded * 100)) / 100;
    const { me } = this.context.session;
    const side = direction === "sent" ? wordsOf("receipts").verify.payer : wordsOf("receipts").verify.payee;
    return html`${me === undefined ? nothing : fact(side, me.business_name ?? me.name)}
      ${merchant === undefined ? nothing : fact(receipt.merchant, merchant)}
      ${fact(words.common.date, formatExactly(created_at, words.tag))}
      ${fact(words.common.reference, html`<span class="reference">${displayReference(reference)}</span>`)}
      ${note === undefined ? nothing : fact(receipt.note, note)}
      ${refunded > 0 ? fact(words.list.refunded, sum(refunded)) : nothing}
      ${refundOf(movement) === "partly" ? fact(receipt.left, sum(left)) : nothing}
      ${
        reverses === undefined
          ? nothing
          : html`<dt class="screen">${words.list.kind.payment}</dt>
              <dd class="screen"><a href="/receipt#${reverses}">${receipt.original}</a></dd>`
      }`;
  }

  #proof({ check_code: code }: Movement, token: string): TemplateResult {
    const { common } = this.context.words;
    const { receipt } = wordsOf("receipts");
    return html`<section class="card proof" aria-label=${receipt.proof}>
      ${qrPlate(receiptLink(token, location.origin), receipt.qrLabel)}
      ${
        code === undefined
          ? nothing
          : html`<p class="soft tiny">${common.checkCode}</p>
              <p class="code">${displayCheckCode(code)}</p>`
      }
      <p class="soft small">${receipt.scan}</p>
    </section>`;
  }

  #actions(movement: Movement): TemplateResult {
    const { words } = this.context;
    const { common } = words;
    const { receipt } = wordsOf("receipts");
    const copied = this.shared === "copied";
    return html`${
      movement.receipt === undefined
        ? nothing
        : html`<button class="primary large" @click=${this.#share}>
              ${copied ? html`${icon(Check)}${receipt.copied}` : html`${icon(Share)}${common.share}`}
            </button>`
    }
      ${
        this.shared === "failed"
          ? html`<p class="bad small" role="alert">${words.failures.something_wrong.title}</p>`
          : nothing
      }
      ${
        refundableOf(movement) > 0
          ? html`<a class="button large" href="/refund#${movement.id}">${icon(Undo)}${receipt.refund}</a>`
          : nothing
      }
      ${
        movement.kind === "transfer" && movement.direction === "sent"
          ? html`<a class="button large" href="/transfer#${movement.id}">${icon(ArrowLeftRight)}${receipt.again}</a>`
          : nothing
      }
      <button class="large" @click=${() => print()}>${icon(Printer)}${receipt.print}</button>`;
  }

  /** Finds the movement, its counterparty named as the person knows them by now. */
  async #find(): Promise<Movement | undefined> {
    const { store } = this.context;
    const found = await store.movement(this.#id);
    if (found === undefined) return undefined;
    const [named] = nameMovements([found], store.nicknames, await store.movements({ direction: "received" }));
    return named;
  }

  async #load(): Promise<void> {
    const found = await this.#find();
    const first = this.movement === undefined && found !== undefined;
    this.movement = found ?? this.movement;
    this.requestUpdate();
    if (!first || this.renderRoot.querySelector("h1") !== this.shadowRoot?.activeElement) return;
    // The heading keeps the keyboard's focus when the receipt replaces the placeholder.
    await this.updateComplete;
    this.focusHeading();
  }

  #reveal = async (): Promise<void> => {
    this.revealed = true;
    await this.updateComplete;
    this.focusHeading();
  };

  #share = async (): Promise<void> => {
    const { announce, words } = this.context;
    const { movement } = this;
    if (movement?.receipt === undefined) return;
    const text = receiptText(movement, words, wordsOf("receipts"));
    this.shared = undefined;
    try {
      const copied = await shareReceipt(text, receiptLink(movement.receipt, location.origin), navigator);
      if (!copied) return;
      this.shared = "copied";
      announce(wordsOf("receipts").receipt.copied);
    } catch {
      // Refused by the browser or the device; nothing was lost, and it can be tried again.
      this.shared = "failed";
    }
  };
}

customElements.get("cupo-receipt-page") ?? customElements.define("cupo-receipt-page", ReceiptPage);
