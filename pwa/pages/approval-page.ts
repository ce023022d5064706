import { html, nothing, type TemplateResult } from "lit";
import X from "lucide-static/dist/esm/icons/x.mjs";
import type { Approval } from "../../src/contract/broker/broker.ts";
import { Countdown } from "../../widgets/shared/countdown.ts";
import { browserPlatform } from "../../widgets/shared/platform.ts";
import { backToShop } from "../components/back-to-shop.ts";
import { money, moneyStyles } from "../components/money.ts";
import { noticeStyles } from "../components/notice.ts";
import "../components/pay-button.ts";
import type { ApprovalWords } from "../../src/language/tables/app.ts";
import { formatCountdown } from "../../src/time-format.ts";
import { receipt, receiptStyles } from "../components/receipt.ts";
import { Page } from "../context/page.ts";
import { icon } from "../design/icon.ts";
import { base, controls, surfaces } from "../design/styles.ts";
import { formatMoney } from "../format/money-format.ts";
import { wordsOf } from "../language/language.ts";
import type { OperationWords, Sentence } from "../language/words.ts";
import type { ApprovalFlow } from "../payment/approval-flow.ts";
import type { ApprovalProblem } from "../payment/approval-problem.ts";
import { FreshQuota } from "../payment/fresh-quota.ts";
import type { PaymentState } from "../payment/payment-state.ts";
import { followKeyboard } from "../platform/keyboard.ts";
import { own } from "../platform/own.ts";
import { vibrate } from "../platform/vibrate.ts";
import { confirmStyles } from "./confirm-styles.ts";
import {
  beforePaying,
  codesOf,
  deviceTooNew,
  limitSentence,
  type OperationFacts,
  operationHeading,
  payeeOf,
  proofFault,
  sentBefore,
  stoppedBy,
} from "./confirm-views.ts";

type Ready = Extract<PaymentState, { phase: "ready" }>;

/** Base class of the pages that show payee and amount, as the service knows them, and have a person approve them. */
export abstract class ApprovalPage extends Page {
  static override properties = {
    ...Page.properties,
    state: { state: true },
    secondsLeft: { state: true },
  };

  declare state: PaymentState;
  declare secondsLeft: number;

  /** The words of these pages alone. */
  protected readonly more: ApprovalWords = wordsOf("approval");
  /** The approval under way, once there is one. */
  protected flow: ApprovalFlow | undefined;
  #seen: { readonly approval: Approval; readonly at: number } | undefined;
  readonly #quota = new FreshQuota(this, () => this.context);
  readonly #countdown = new Countdown(browserPlatform, [], {
    tick: () => {
      this.secondsLeft = this.#countdown.secondsLeft ?? 0;
    },
    mark: () => undefined,
    end: () => own(this.flow?.timeOut()),
  });

  static override styles = [base, controls, surfaces, moneyStyles, noticeStyles, receiptStyles, confirmStyles];

  constructor() {
    super();
    this.state = { phase: "reading" };
    this.secondsLeft = 0;
    followKeyboard(this);
  }

  /** Words for the operation that this page approves. */
  protected abstract get verbs(): OperationWords;
  /** Begins, or resumes after a reload. */
  protected abstract begin(): void;
  /** Payee and amount, as far as the page knows them before there is an approval. */
  protected abstract get facts(): OperationFacts | undefined;
  /** Renders the page before anything can be approved. */
  protected abstract form(state: PaymentState): unknown;
  /** Returns the sentence for a failure. */
  protected abstract sentenceOf(problem: ApprovalProblem): Sentence;
  /** Renders the actions after a failure. */
  protected abstract actionsAfter(problem: ApprovalProblem): unknown;

  override get name(): string {
    return this.verbs.title;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.begin();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#countdown.clear();
    this.flow?.end();
  }

  override render(): TemplateResult {
    const { state } = this;
    if (state.phase === "paid") return receipt(state.approval, this.context, { ...this.verbs, ...this.more });
    return html`<header>
        <button class="plain round" aria-label=${this.context.words.common.close} @click=${() => this.close()}>
          ${icon(X)}
        </button>
        ${this.#isOperation ? html`<p>${this.name}</p>` : html`<h1 tabindex="-1">${this.name}</h1>`}
      </header>
      ${this.#body(state)}`;
  }

  /** True where payee and amount are the page's heading. */
  get #isOperation(): boolean {
    return ["opening", "ready", "proving", "paying", "asking"].includes(this.state.phase);
  }

  #body(state: PaymentState): unknown {
    const { confirm } = this.context.words;
    switch (state.phase) {
      case "reading":
      case "amount":
        return this.form(state);
      case "opening":
        return this.waiting(confirm.reading);
      case "ready":
        return this.#ready(state);
      case "proving":
        return this.#sent(state.approval, this.more.proving, this.more.provingText);
      case "paying":
        return this.#sent(state.approval, this.verbs.paying);
      case "asking":
        return this.waiting(confirm.asking, this.flow?.sent === true ? confirm.askingText : "", state.approval);
      case "stopped":
        return this.#stopped(state.problem);
      case "paid":
        return nothing;
    }
  }

  #ready({ approval, fault }: Ready): TemplateResult {
    const notes = html`${this.#notes(approval)} ${proofFault(this.more, fault)}`;
    return this.#operation(approval, notes, this.#approve(approval));
  }

  /** Renders an approval that was just given, as it was before. */
  #sent(approval: Approval, awaited: string, text = ""): TemplateResult {
    return this.#operation(approval, this.#notes(approval), this.#foot(awaited, text, { busy: true }), awaited);
  }

  /** Renders payee and amount, as far as they are known, while the button says what is awaited. */
  protected waiting(awaited: string, text = "", facts: OperationFacts | undefined = this.facts): TemplateResult {
    return this.#operation(facts, nothing, this.#foot(awaited, text, { busy: true }), `${awaited}. ${text}`);
  }

  /** Renders every stage of an operation from the same template, so that what is on the screen stays where it is. */
  #operation(facts: OperationFacts | undefined, notes: unknown, foot: unknown, status = ""): TemplateResult {
    const { amount, check_code, currency = "", merchant, nickname, payee, reference } = facts ?? {};
    const sum = amount === undefined ? nothing : money(amount, currency);
    const heading = this.#isOperation ? operationHeading : payeeOf;
    return html`<div class="body">
        ${this.aboveReady()} ${heading(this.verbs, payee, sum, merchant && this.more.atMerchant(merchant), nickname)}
        ${codesOf(this.context.words, reference, check_code)} ${this.belowCodes()} ${notes}
        <p class="visually-hidden" role="status">${status}</p>
      </div>
      <div class="foot">${foot}</div>`;
  }

  #notes(approval: Approval): TemplateResult {
    const { session, words } = this.context;
    const { sum } = this.#quota;
    const available = sum === undefined ? undefined : { sum, masked: session.masked };
    return html`${sentBefore(this.context, approval.id)}
      ${beforePaying(words, this.more, this.verbs, approval, available)}`;
  }

  #approve(approval: Approval): unknown {
    const { clock, words } = this.context;
    const { amount, currency, may_pay_from: mayPayFrom, method } = approval;
    if (mayPayFrom !== undefined) return deviceTooNew(words, this.more, { mayPayFrom, nowMs: clock.now() });
    const short = (this.#quota.sum ?? amount) < amount;
    const below = html`<span role="timer">${words.confirm.expiresIn(formatCountdown(this.secondsLeft))}</span>
      ${method === "button" ? html`<br />${this.more.demo}` : nothing} ${backToShop(this.more, approval, "plain")}`;
    return this.#foot(this.verbs.pay(formatMoney(amount, currency)), below, { short });
  }

  #foot(label: string, below: unknown, { busy = false, short = false }): TemplateResult {
    return html`${short ? this.#getMore() : nothing}
      <cupo-pay-button
        ?busy=${busy}
        ?blocked=${short}
        .label=${label}
        .elapsed=${this.context.clock.elapsed}
        @pay=${() => this.flow?.pay()}
      ></cupo-pay-button>
      <p class="tiny soft">${below}</p>`;
  }

  #getMore(): TemplateResult {
    return html`<a class="button primary large" href="/receive">${this.more.receive}</a>${this.insteadOfPaying()}`;
  }

  #stopped(problem: ApprovalProblem): unknown {
    const { title, text } = this.sentenceOf(problem);
    const limit =
      problem.exceeded === undefined
        ? ""
        : limitSentence(problem.exceeded, this.context, { more: this.more, currency: this.flow?.known?.currency });
    const said = { title, text: [text, limit].filter(Boolean).join(" ") };
    const limits = html`<a class="button large" href="/profile#limits">${this.more.yourLimits}</a>`;
    const above = this.aboveStopped(problem);
    const shown = above === nothing ? sentBefore(this.context, this.flow?.known?.id) : above;
    return html`${stoppedBy(this.looksLike(problem), said, shown)}
      <div class="foot still actions">
        ${this.actionsAfter(problem)} ${problem.failure === "over_limit" ? limits : nothing}
        <a class="button plain" href="/">${this.context.words.common.home}</a>
      </div>`;
  }

  /** Renders the content above payee and amount. */
  protected aboveReady(): unknown {
    return nothing;
  }

  /** Renders further content of the approval, below its codes. */
  protected belowCodes(): unknown {
    return nothing;
  }

  /** Renders the content above a failure. */
  protected aboveStopped(_problem: ApprovalProblem): unknown {
    return nothing;
  }

  /** Returns the failure whose icon and tone are shown. */
  protected looksLike({ failure }: ApprovalProblem): Parameters<typeof stoppedBy>[0] {
    return failure;
  }

  /** Renders what else there is to do when the balance is too small. */
  protected insteadOfPaying(): unknown {
    return nothing;
  }

  /** Leaves the page without approving anything. */
  protected close(): void {
    this.context.router.back();
  }

  /** Shows an approval from now on. */
  protected follow<F extends ApprovalFlow>(flow: F): F {
    this.flow = flow;
    flow.addEventListener("change", () => this.#changed(flow));
    return flow;
  }

  #changed(flow: ApprovalFlow): void {
    if (flow !== this.flow) return;
    const before: PaymentState["phase"] = this.state.phase;
    this.state = flow.state;
    this.#countdown.clear();
    if (this.state.phase === "ready") {
      this.#count(this.state.approval);
      this.#quota.renew();
    }
    if (this.state.phase === "paid" && before !== "paid") own(this.#paid(this.state.approval));
    if (this.state.phase === "stopped" || (this.state.phase === "ready" && before !== "ready")) own(this.#turn());
    this.changed(this.state);
  }

  /** Called with every new state, for pages to override. */
  protected changed(_state: PaymentState): void {
    // Does nothing by default.
  }

  /** Counts down the two minutes from when the approval was first seen: they go on while a passkey is asked for. */
  #count(approval: Approval): void {
    if (this.#seen?.approval !== approval) this.#seen = { approval, at: browserPlatform.now() };
    this.#countdown.countTo(this.#seen.at, approval.expires_in);
  }

  async #paid({ amount, currency, payee }: Approval): Promise<void> {
    const { announce, session } = this.context;
    vibrate([20, 60, 40]);
    announce(`${this.verbs.paidTo} ${payee}: ${formatMoney(amount, currency)}`);
    await this.updateComplete;
    this.focusHeading();
    // The receipt has the new balance already; Home asks again when it opens.
    await session.refresh().catch(() => undefined);
  }

  /** Moves the focus to the new heading, because the one before, or the button that was pressed, is gone. */
  async #turn(): Promise<void> {
    await this.updateComplete;
    this.focusHeading();
  }
}
