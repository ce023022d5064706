import { html, nothing, type TemplateResult } from "lit";
import X from "lucide-static/dist/esm/icons/x.mjs";
import type { Approval, Scan } from "../../src/contract/broker.ts";
import { Countdown } from "../../widgets/shared/countdown.ts";
import { browserPlatform } from "../../widgets/shared/platform.ts";
import type { AmountField } from "../components/amount-field.ts";
import "../components/amount-field.ts";
import { money, moneyStyles } from "../components/money.ts";
import { noticeStyles } from "../components/notice.ts";
import "../components/pay-button.ts";
import { receipt, receiptStyles } from "../components/receipt.ts";
import { formatMoney } from "../format/money-format.ts";
import { formatRemaining } from "../format/when-format.ts";
import { icon } from "../look/icon.ts";
import { base, controls, surfaces } from "../look/styles.ts";
import { Page } from "../page.ts";
import { type ConfirmPlace, codeOfPlace } from "../payment/confirm-place.ts";
import { Payment } from "../payment/payment.ts";
import type { PaymentState } from "../payment/payment-state.ts";
import type { Problem } from "../payment/problem.ts";
import { type OfflineReading, verifyOffline } from "../payment/verify-offline.ts";
import { waysOn } from "../payment/ways-on.ts";
import { vibrate } from "../vibrate.ts";
import { confirmStyles } from "./confirm-styles.ts";
import { beforePaying, codesOf, payeeOf, stoppedBy, waiting } from "./confirm-views.ts";

/** Shows who and how much, as the service knows it, and pays once. */
export class ConfirmPage extends Page {
  static override properties = {
    ...Page.properties,
    state: { state: true },
    fault: { state: true },
    secondsLeft: { state: true },
    offline: { state: true },
    available: { state: true },
  };

  declare state: PaymentState;
  declare fault: string;
  declare secondsLeft: number;
  /** What the code says of itself where there is no connection. */
  declare offline: OfflineReading | undefined;
  /** What is left to spend, asked for when the page opened; undefined while that is not known. */
  declare available: number | undefined;

  #payment: Payment | undefined;
  readonly #retry = (): void => void this.#reconnected();
  readonly #countdown = new Countdown(browserPlatform, [], {
    tick: () => {
      this.secondsLeft = this.#countdown.secondsLeft ?? 0;
    },
    mark: () => undefined,
    end: () => this.#payment?.runOut(),
  });

  static override styles = [base, controls, surfaces, moneyStyles, noticeStyles, receiptStyles, confirmStyles];

  constructor() {
    super();
    this.state = { phase: "reading" };
    this.fault = "";
    this.secondsLeft = 0;
  }

  override get name(): string {
    return this.context.words.confirm.title;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    addEventListener("online", this.#retry);
    this.#start();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    removeEventListener("online", this.#retry);
    this.#countdown.clear();
    this.#payment?.end();
  }

  override render(): TemplateResult {
    const { common, confirm } = this.context.words;
    if (this.state.phase === "paid") return receipt(this.state.approval, this.context);
    return html`<header>
        <button class="plain round" aria-label=${common.close} @click=${() => this.context.router.back()}>
          ${icon(X)}
        </button>
        <h1 tabindex="-1">${confirm.title}</h1>
      </header>
      ${this.#body(this.state)}`;
  }

  #body(state: PaymentState): unknown {
    const { confirm } = this.context.words;
    switch (state.phase) {
      case "reading":
      case "opening":
        return waiting(confirm.reading);
      case "amount":
        return this.#askAmount(state.scan);
      case "ready":
        return this.#ready(state.approval);
      case "paying":
        return waiting(confirm.paying);
      case "asking":
        return waiting(confirm.asking, confirm.askingText);
      case "stopped":
        return this.#stopped(state.problem);
      case "paid":
        return nothing;
    }
  }

  #askAmount({ payee, currency, check_code }: Scan): TemplateResult {
    const { words } = this.context;
    return html`<form class="form" @submit=${this.#amountGiven}>
      <div class="body">
        ${payeeOf(words, payee)}
        <cupo-amount-field
          .label=${words.confirm.askAmount}
          .currency=${currency}
          .fault=${this.fault}
          @amount-change=${() => this.#clearFault()}
          @keydown=${(event: KeyboardEvent) => event.key === "Enter" && this.#amountGiven(event)}
        ></cupo-amount-field>
        ${codesOf(words, undefined, check_code)}
      </div>
      <div class="foot"><button class="primary large">${words.confirm.continue}</button></div>
    </form>`;
  }

  #ready(approval: Approval): TemplateResult {
    const { session, words } = this.context;
    const { confirm } = words;
    const { amount, check_code, currency, payee, reference } = approval;
    const available = this.available === undefined ? undefined : { sum: this.available, masked: session.masked };
    const short = this.available !== undefined && this.available < amount;
    return html`<div class="body">
        ${payeeOf(words, payee, money(amount, currency))} ${codesOf(words, reference, check_code)}
        ${beforePaying(words, approval, available)}
      </div>
      <div class="foot">
        ${short ? this.#insteadOfPaying() : nothing}
        <cupo-pay-button
          ?quiet=${short}
          .label=${confirm.pay(formatMoney(amount, currency))}
          .elapsed=${this.context.clock.elapsed}
          @pay=${() => this.#payment?.pay()}
        ></cupo-pay-button>
        <p class="tiny soft">
          <span role="timer">${confirm.expiresIn(formatRemaining(this.secondsLeft))}</span>
          ${approval.method === "button" ? html`<br />${confirm.demo}` : nothing}
        </p>
      </div>`;
  }

  #stopped(problem: Problem): TemplateResult {
    const { session, words } = this.context;
    const offline = problem.failure === "no_connection" ? this.offline : undefined;
    const shown = offline?.kind === "problem" ? offline.problem : problem;
    const amountIsTyped = this.#payment?.amountIsTyped === true;
    const currency = session.me?.currency ?? "COP";
    return html`${stoppedBy(words, shown, { offline, currency, amountIsTyped })}
      <div class="foot still actions">${this.#waysOn(shown)}</div>`;
  }

  /** The way on when the balance is too small: another amount where the person typed it, else another code. */
  #insteadOfPaying(): TemplateResult {
    const { confirm } = this.context.words;
    if (this.#payment?.amountIsTyped !== true) {
      return html`<a class="button primary large" href="/scan">${confirm.scanAnother}</a>`;
    }
    const change = (): unknown => this.#payment?.restart();
    return html`<button class="primary large" @click=${change}>${confirm.change}</button>`;
  }

  #waysOn({ failure }: Problem): unknown {
    const { common, confirm } = this.context.words;
    const ways = waysOn(failure, this.#payment?.amountIsTyped === true);
    const name = ways.amount ? confirm.change : confirm.tryAgain;
    const again = (): unknown => (ways.ask ? this.#payment?.askAgain() : this.#payment?.restart());
    return html`${ways.again ? html`<button class="primary large" @click=${again}>${name}</button>` : nothing}
      <a class="button large ${ways.again ? "" : "primary"}" href="/scan">${confirm.scanAnother}</a>
      <a class="button plain" href="/">${common.home}</a>`;
  }

  get #amountField(): AmountField | null {
    return this.renderRoot.querySelector<AmountField>("cupo-amount-field");
  }

  #clearFault(): void {
    this.fault = "";
  }

  #amountGiven(event: Event): void {
    event.preventDefault();
    const amount = this.#amountField?.amount;
    if (amount !== undefined) return void this.#payment?.giveAmount(amount);
    this.fault = this.context.words.confirm.amountMissing;
    this.#amountField?.focus();
  }

  #start(): void {
    const { api, attempts, keys, newId, router } = this.context;
    const read = codeOfPlace(router.place, keys.guid);
    if (!read.ok) {
      this.state = { phase: "stopped", problem: read.problem };
      return;
    }
    const { code } = read;
    this.#payment = new Payment(
      {
        api,
        attempts,
        newId,
        wait: (delayMs) => new Promise((done) => setTimeout(done, delayMs)),
        onAttempt: (attempt) => router.keep("/confirm", { code, attempt } satisfies ConfirmPlace),
      },
      code,
    );
    this.#payment.addEventListener("change", () => this.#changed());
    void this.#learnQuota();
    void this.#payment.resume(read.attempt);
  }

  /** What would be left is worth knowing, and no reason to stop: without it the page just says less. */
  async #learnQuota(): Promise<void> {
    const me = await this.context.session.refresh().catch(() => undefined);
    this.available = me?.quota_available ?? undefined;
  }

  #changed(): void {
    if (this.#payment === undefined) return;
    const before: PaymentState["phase"] = this.state.phase;
    this.state = this.#payment.state;
    this.#countdown.clear();
    if (this.state.phase === "ready") {
      this.#countdown.countTo(browserPlatform.now(), this.state.approval.expires_in);
    }
    if (this.state.phase === "paid" && before !== "paid") void this.#paid(this.state.approval);
    if (this.state.phase === "amount") void this.updateComplete.then(() => this.#amountField?.focus());
    if (this.state.phase === "stopped") void this.#stop(this.state.problem);
  }

  async #paid({ amount, currency, payee }: Approval): Promise<void> {
    const { announce, session, words } = this.context;
    vibrate([20, 60, 40]);
    announce(`${words.confirm.paidTo(payee)}: ${formatMoney(amount, currency)}`);
    await this.updateComplete;
    this.focusHeading();
    // The receipt has the new balance already; Home asks again when it opens.
    await session.refresh().catch(() => undefined);
  }

  /** The button that was pressed is gone: reading goes on at the heading. */
  async #stop({ failure }: Problem): Promise<void> {
    await this.updateComplete;
    this.focusHeading();
    const code = this.#payment?.code;
    if (failure !== "no_connection" || code === undefined || !("payload" in code)) return;
    this.offline = await verifyOffline(code.payload, this.context.keys.kept, this.context.clock.now());
  }

  async #reconnected(): Promise<void> {
    if (this.state.phase === "stopped" && this.state.problem.failure === "no_connection") {
      await this.#payment?.restart();
    }
  }
}

customElements.get("cupo-confirm-page") ?? customElements.define("cupo-confirm-page", ConfirmPage);

declare global {
  interface HTMLElementTagNameMap {
    "cupo-confirm-page": ConfirmPage;
  }
}
