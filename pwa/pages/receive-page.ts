import { html, nothing, type TemplateResult } from "lit";
import Copy from "lucide-static/dist/esm/icons/copy.mjs";
import Hourglass from "lucide-static/dist/esm/icons/hourglass.mjs";
import Share from "lucide-static/dist/esm/icons/share-2.mjs";
import WifiOff from "lucide-static/dist/esm/icons/wifi-off.mjs";
import type { OwnQr } from "../../src/contract/broker/broker.ts";
import { ApiError } from "../../src/contract/shared/errors.ts";
import { Countdown } from "../../widgets/shared/countdown.ts";
import { browserPlatform } from "../../widgets/shared/platform.ts";
import type { AmountField } from "../components/amount-field.ts";
import { copyText } from "../share/copy-text.ts";
import "../components/amount-field.ts";
import { money, moneyStyles } from "../components/money.ts";
import { notice, noticeStyles } from "../components/notice.ts";
import { paidMark, paidMarkStyles } from "../components/paid-mark.ts";
import { qrPlate, qrPlateStyles } from "../components/qr-plate.ts";
import { Page } from "../context/page.ts";
import { icon } from "../design/icon.ts";
import { base, controls, surfaces } from "../design/styles.ts";
import { displayReference } from "../format/display-reference.ts";
import { formatMoney } from "../format/money-format.ts";
import { formatRemaining } from "../format/when-format.ts";
import { sentenceOf } from "../language/words.ts";
import type { ArrivalEvent } from "../live/arrival-event.ts";
import { Chime } from "../live/chime.ts";
import { problemOf, type ShownProblem } from "../platform/problem.ts";
import { vibrate } from "../platform/vibrate.ts";
import { type Arrival, ReceiveWatch } from "../receive/receive-watch.ts";
import { WakeLock } from "../receive/wake-lock.ts";
import { receiveStyles } from "./receive-styles.ts";

/** Stage of the page. */
type Stage =
  | { readonly kind: "making" }
  | { readonly kind: "showing"; readonly qr: OwnQr; readonly amount?: number }
  | { readonly kind: "asking" }
  | { readonly kind: "paid"; readonly arrival: Arrival }
  | { readonly kind: "expired" }
  | { readonly kind: "failed"; readonly problem: ShownProblem };

/** Page that shows the person's own payment code, with or without an amount, and reports at once when it is paid. */
export class ReceivePage extends Page {
  static override properties = {
    ...Page.properties,
    stage: { state: true },
    fault: { state: true },
    secondsLeft: { state: true },
  };

  declare stage: Stage;
  declare fault: string;
  declare secondsLeft: number;

  readonly #wakeLock = new WakeLock();
  readonly #chime = new Chime(localStorage);
  readonly #hear = (event: ArrivalEvent): void => this.#heard(event);
  #watch: ReceiveWatch | undefined;
  readonly #countdown = new Countdown(browserPlatform, [], {
    tick: () => {
      this.secondsLeft = this.#countdown.secondsLeft ?? 0;
    },
    mark: () => undefined,
    end: () => this.#enter({ kind: "expired" }),
  });

  static override styles = [
    base,
    controls,
    surfaces,
    moneyStyles,
    noticeStyles,
    paidMarkStyles,
    qrPlateStyles,
    receiveStyles,
  ];

  constructor() {
    super();
    this.stage = { kind: "making" };
    this.fault = "";
    this.secondsLeft = 0;
  }

  override get name(): string {
    return this.context.words.receive.title;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    addEventListener("arrival", this.#hear);
    void this.#make(undefined);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    removeEventListener("arrival", this.#hear);
    this.#leave();
  }

  override render(): TemplateResult {
    return html`<h1 tabindex="-1">${this.context.words.receive.title}</h1>
      ${this.#content(this.stage)}`;
  }

  get #currency(): string {
    return this.context.session.me?.currency ?? "COP";
  }

  #content(stage: Stage): unknown {
    const { words } = this.context;
    switch (stage.kind) {
      case "making":
        return html`<div class="card sheet" role="status" aria-label=${words.common.loading}>
          <span class="blank"></span>
        </div>`;
      case "showing":
        return this.#showing(stage.qr, stage.amount);
      case "asking":
        return this.#asking();
      case "paid":
        return this.#paid(stage.arrival);
      case "expired":
        return notice(
          Hourglass,
          { title: words.receive.expiredTitle, text: words.receive.expiredText },
          { way: this.#fresh(words.receive.makeCode) },
        );
      case "failed":
        return notice(WifiOff, sentenceOf(words, stage.problem, "looking"), {
          tone: "warn",
          way: this.#fresh(words.common.retry),
        });
    }
  }

  #fresh(name: string): TemplateResult {
    return html`<button class="primary" @click=${() => this.#make(undefined)}>${name}</button>`;
  }

  #showing(qr: OwnQr, amount: number | undefined): TemplateResult {
    const { session, words } = this.context;
    const { common, receive } = words;
    const left = formatRemaining(this.secondsLeft);
    const payee = session.me?.business_name ?? session.me?.name ?? "";
    return html`<div class="card sheet">
        <p class="payee">${payee}</p>
        ${amount === undefined ? html`<p class="soft small">${receive.openAmount}</p>` : money(amount, this.#currency)}
        ${qrPlate(qr.payload, receive.qrLabel)}
        <p class="check">
          <span class="tiny soft">${common.checkCode}</span><span class="code">${qr.check_code}</span>
        </p>
        ${
          qr.reference === undefined
            ? nothing
            : html`<p class="tiny soft reference">${displayReference(qr.reference)}</p>`
        }
        <p class="waiting small" role="status">
          <span class="pulse" aria-hidden="true"></span>${receive.waiting}
          ${qr.expires_in === undefined ? nothing : html`<span role="timer">${left}</span>`}
        </p>
      </div>
      <div class="beside">
        ${
          amount === undefined
            ? html`<button @click=${() => this.#enter({ kind: "asking" })}>${receive.withAmount}</button>`
            : html`<button @click=${() => this.#make(undefined)}>${receive.withoutAmount}</button>`
        }
        ${
          "share" in navigator
            ? html`<button class="only" aria-label=${common.share} @click=${() => this.#share(qr)}>
                ${icon(Share)}
              </button>`
            : nothing
        }
        <button class="only" aria-label=${common.copy} @click=${() => this.#copy(qr)}>${icon(Copy)}</button>
      </div>`;
  }

  #asking(): TemplateResult {
    const { common, receive } = this.context.words;
    return html`<form class="actions" @submit=${this.#amountGiven}>
      <cupo-amount-field
        .label=${common.amount}
        .currency=${this.#currency}
        .fault=${this.fault}
        @amount-change=${() => this.#say("")}
        @keydown=${(event: KeyboardEvent) => event.key === "Enter" && this.#amountGiven(event)}
      ></cupo-amount-field>
      <button class="primary large">${receive.makeCode}</button>
      <button type="button" class="plain" @click=${() => this.#make(undefined)}>${common.back}</button>
    </form>`;
  }

  #paid({ amount, from }: Arrival): TemplateResult {
    const { list, receive } = this.context.words;
    return html`<div class="card sheet arrived" role="alert">
        ${paidMark()}
        <p class="payee">${receive.paidTitle}</p>
        ${amount === undefined ? nothing : money(amount, this.#currency)}
        ${from === undefined ? nothing : html`<p class="soft">${list.receivedFrom(from)}</p>`}
      </div>
      <div class="actions">
        <button class="primary large" @click=${() => this.#make(undefined)}>${receive.another}</button>
      </div>`;
  }

  #say(fault: string): void {
    this.fault = fault;
  }

  #amountGiven(event: Event): void {
    event.preventDefault();
    const field = this.renderRoot.querySelector<AmountField>("cupo-amount-field");
    if (field?.amount !== undefined) return void this.#make(field.amount);
    this.#say(this.context.words.confirm.amountMissing);
    field?.focus();
  }

  async #make(amount: number | undefined): Promise<void> {
    const { api, newId, session } = this.context;
    if (amount === undefined) this.#enter({ kind: "making" });
    try {
      const [{ body: qr }] = await Promise.all([
        api.createMyQr({ body: amount === undefined ? {} : { amount } }, { idempotencyKey: newId() }),
        session.me ?? session.refresh(),
      ]);
      if (this.isConnected) this.#enter({ kind: "showing", qr, ...(amount === undefined ? {} : { amount }) });
    } catch (error) {
      if (error instanceof ApiError && error.code === "amount_too_large_for_qr") {
        return this.#say(this.context.words.receive.tooLarge);
      }
      if (this.isConnected) this.#enter({ kind: "failed", problem: problemOf(error) });
    }
  }

  #enter(stage: Stage): void {
    this.#leave();
    this.stage = stage;
    this.fault = "";
    if (stage.kind === "asking") void this.updateComplete.then(() => this.#focusAmount());
    if (stage.kind !== "showing") return;
    const { qr, amount } = stage;
    this.#wakeLock.hold();
    if (qr.expires_in !== undefined) this.#countdown.countTo(browserPlatform.now(), qr.expires_in);
    const watched = qr.reference === undefined ? {} : { reference: qr.reference };
    this.#watch = new ReceiveWatch(this.context.api, watched, browserPlatform, (arrival) =>
      this.#arrived({ ...arrival, ...(amount === undefined ? {} : { amount }) }),
    );
    this.#watch.start();
  }

  #leave(): void {
    this.#watch?.stop();
    this.#countdown.clear();
    this.#wakeLock.release();
  }

  #focusAmount(): void {
    this.renderRoot.querySelector<AmountField>("cupo-amount-field")?.focus();
  }

  /** Takes an arrival that the app's own watch may report sooner than this page's: each is shown once. */
  #heard(event: ArrivalEvent): void {
    const { stage } = this;
    const { reference, amount, counterparty: from } = event.arrival;
    const isOfCode = stage.kind === "showing" && (stage.qr.reference ?? reference) === reference;
    const wasTold = stage.kind === "paid" && stage.arrival.reference === reference;
    if (isOfCode || wasTold) event.preventDefault();
    if (isOfCode) this.#arrived({ reference, amount, from });
    if (wasTold) this.stage = { kind: "paid", arrival: { ...stage.arrival, from } };
  }

  #arrived(arrival: Arrival): void {
    const { announce, words } = this.context;
    this.#enter({ kind: "paid", arrival });
    void this.#chime.play();
    vibrate([40, 60, 80]);
    if (arrival.amount !== undefined) announce(words.receive.paid(formatMoney(arrival.amount, this.#currency)));
  }

  async #share({ app_link: url }: OwnQr): Promise<void> {
    // Closing the share sheet rejects too, and is no failure.
    await navigator.share({ text: this.context.words.receive.shareText, url }).catch(() => undefined);
  }

  async #copy({ app_link: link }: OwnQr): Promise<void> {
    await copyText(link, this.context);
  }
}

customElements.get("cupo-receive-page") ?? customElements.define("cupo-receive-page", ReceivePage);
