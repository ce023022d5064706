import { html, type TemplateResult } from "lit";
import Hourglass from "lucide-static/dist/esm/icons/hourglass.mjs";
import WifiOff from "lucide-static/dist/esm/icons/wifi-off.mjs";
import type { OwnQr } from "../../src/contract/broker/broker.ts";
import { ApiError } from "../../src/contract/shared/errors.ts";
import { Countdown } from "../../widgets/shared/countdown.ts";
import { browserPlatform } from "../../widgets/shared/platform.ts";
import type { AmountField } from "../components/amount-field.ts";
import "../components/amount-field.ts";
import { moneyStyles } from "../components/money.ts";
import { notice, noticeStyles } from "../components/notice.ts";
import { paidMarkStyles } from "../components/paid-mark.ts";
import { qrPlateStyles } from "../components/qr-plate.ts";
import { Page } from "../context/page.ts";
import { base, controls, surfaces } from "../design/styles.ts";
import { formatMoney } from "../format/money-format.ts";
import { sentenceOf } from "../language/words.ts";
import type { ArrivalEvent } from "../live/arrival-event.ts";
import { arrivalText } from "../live/arrival-text.ts";
import { Chime } from "../live/chime.ts";
import { followKeyboard } from "../platform/keyboard.ts";
import { listenWhileConnected } from "../platform/listen-while-connected.ts";
import { own } from "../platform/own.ts";
import { problemOf, type ShownProblem } from "../platform/problem.ts";
import { vibrate } from "../platform/vibrate.ts";
import { KeptCode } from "../receive/kept-code.ts";
import { type Arrival, ReceiveWatch } from "../receive/receive-watch.ts";
import { WakeLock } from "../receive/wake-lock.ts";
import { receiveStyles } from "./receive-styles.ts";
import { arrivedSheet, codeSheet, linkButtons } from "./receive-views.ts";

/** Fragment with which the page opens to ask for the amount of a sale. */
const CHARGE = "charge";

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
  readonly #kept = new KeptCode(localStorage);
  readonly #hear = (event: ArrivalEvent): void => this.#heard(event);
  /** References of the payments that were shown: each is an arrival once, also beside the next code. */
  readonly #shown = new Set<string>();
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
    const target = () => this.context.session;
    listenWhileConnected(this, target, "change", () => this.requestUpdate());
    this.stage = { kind: "making" };
    this.fault = "";
    this.secondsLeft = 0;
    followKeyboard(this);
  }

  override get name(): string {
    return this.context.words.receive.title;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    addEventListener("arrival", this.#hear);
    if (this.context.router.place.fragment === CHARGE) this.#enter({ kind: "asking" });
    else this.#open();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    removeEventListener("arrival", this.#hear);
    this.#leave();
  }

  override render(): TemplateResult {
    return html`<header><h1 tabindex="-1">${this.context.words.receive.title}</h1></header>
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
    return html`<button class="primary" @click=${() => this.#open()}>${name}</button>`;
  }

  #showing(qr: OwnQr, amount: number | undefined): TemplateResult {
    const { receive } = this.context.words;
    const ask = html`<button @click=${() => this.#enter({ kind: "asking" })}>${receive.withAmount}</button>`;
    const open = html`<button @click=${() => this.#open()}>${receive.withoutAmount}</button>`;
    return html`${codeSheet(this.context, { qr, amount, currency: this.#currency, secondsLeft: this.secondsLeft })}
      <div class="beside">${amount === undefined ? ask : open} ${linkButtons(this.context, qr)}</div>
      ${this.#received()}`;
  }

  #received(): TemplateResult {
    return html`<a class="button plain" href="/received">${this.context.words.list.received}</a>`;
  }

  #asking(): TemplateResult {
    return html`${this.#amountForm()}
      <button class="plain" @click=${() => this.#open()}>${this.context.words.common.back}</button>`;
  }

  #amountForm(): TemplateResult {
    const { common, receive } = this.context.words;
    return html`<form class="actions" @submit=${this.#amountGiven}>
      <cupo-amount-field
        .label=${common.amount}
        .currency=${this.#currency}
        .fault=${this.fault}
        @amount-change=${() => this.#say("")}
      ></cupo-amount-field>
      <button class="primary large">${receive.makeCode}</button>
    </form>`;
  }

  /** Renders an arrival, and for a merchant the next sale below it: its amount can be typed at once. */
  #paid(arrival: Arrival): TemplateResult {
    const { words } = this.context;
    const another = html`<button class="primary large" @click=${() => this.#open()}>${words.receive.another}</button>`;
    return html`${arrivedSheet(words, arrival, this.#currency)}
      ${this.#isShop ? this.#amountForm() : another} ${this.#received()}`;
  }

  get #isShop(): boolean {
    return Boolean(this.context.session.me?.business_name);
  }

  #say(fault: string): void {
    this.fault = fault;
  }

  #amountGiven(event: Event): void {
    event.preventDefault();
    const field = this.#amountField;
    if (field?.amount !== undefined) {
      own(this.#make(field.amount));
      return;
    }
    this.#say(this.context.words.confirm.amountMissing);
    field?.focus();
  }

  /** Shows the code without an amount: the one that this device keeps at once, and the broker's when it answers. */
  #open(): void {
    const { session } = this.context;
    const qr = this.#kept.of(session.shownId);
    this.#enter(qr === undefined ? { kind: "making" } : { kind: "showing", qr });
    own(this.#make(undefined));
  }

  async #make(amount: number | undefined): Promise<void> {
    const { api, newId, session } = this.context;
    const before = this.stage;
    const body = amount === undefined ? {} : { amount };
    try {
      const [{ body: qr }, { id }] = await Promise.all([
        api.createMyQr({ body }, { idempotencyKey: newId() }),
        session.me ?? session.refresh(),
      ]);
      if (amount === undefined) this.#kept.keep(id, qr);
      // The person has gone on meanwhile, or sees this code already.
      if (!this.isConnected || this.stage !== before || isSame(before, qr)) return;
      this.#enter({ kind: "showing", qr, ...body });
    } catch (error) {
      if (error instanceof ApiError && error.code === "amount_too_large_for_qr") {
        return this.#say(this.context.words.receive.tooLarge);
      }
      const problem = problemOf(error);
      // A code that is kept can be paid also while this phone has no connection.
      if (before.kind === "showing" && problem.failure === "no_connection") return;
      if (this.isConnected && this.stage === before) this.#enter({ kind: "failed", problem });
    }
  }

  #enter(stage: Stage): void {
    this.#leave();
    this.stage = stage;
    this.fault = "";
    own(this.updateComplete.then(() => this.#amountField?.focus()));
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

  /** The field of an amount that is asked for. */
  get #amountField(): AmountField | null {
    return this.renderRoot.querySelector<AmountField>("cupo-amount-field");
  }

  override focusHeading(): void {
    if (this.#amountField === null) super.focusHeading();
    else this.#amountField.focus();
  }

  /** Takes an arrival that the app's own watch may report sooner than this page's: each is shown once. */
  #heard(event: ArrivalEvent): void {
    const { stage } = this;
    const { reference, amount, counterparty: from } = event.arrival;
    const isOfCode = stage.kind === "showing" && (stage.qr.reference ?? reference) === reference;
    const isShown = stage.kind === "paid" && stage.arrival.reference === reference;
    if (isOfCode || this.#shown.has(reference)) event.preventDefault();
    if (isOfCode) this.#arrived({ reference, amount, from });
    if (isShown) this.stage = { kind: "paid", arrival: { ...stage.arrival, from } };
  }

  #arrived(arrival: Arrival): void {
    if (this.#shown.has(arrival.reference)) return;
    this.#shown.add(arrival.reference);
    const { announce, words } = this.context;
    this.#enter({ kind: "paid", arrival });
    own(this.#chime.play(arrivalText(this.context, { ...arrival, currency: this.#currency })));
    vibrate([40, 60, 80]);
    if (arrival.amount !== undefined) announce(words.receive.paid(formatMoney(arrival.amount, this.#currency)));
  }
}

function isSame(stage: Stage, { payload }: OwnQr): boolean {
  return stage.kind === "showing" && stage.qr.payload === payload;
}

customElements.get("cupo-receive-page") ?? customElements.define("cupo-receive-page", ReceivePage);
