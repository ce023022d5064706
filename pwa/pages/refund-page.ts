import { html, nothing, type TemplateResult } from "lit";
import type { Approval, Movement } from "../../src/contract/broker/broker.ts";
import { ApiError } from "../../src/contract/shared/errors.ts";
import type { AmountField } from "../components/amount-field.ts";
import "../components/amount-field.ts";
import { displayReference } from "../format/display-reference.ts";
import { formatMoney } from "../format/money-format.ts";
import { formatWhen } from "../format/when-format.ts";
import type { OperationWords } from "../language/words.ts";
import { type Sentence, sentenceOf, textFor } from "../language/words.ts";
import { ApprovalFlow } from "../payment/approval-flow.ts";
import { approvalOptions } from "../payment/approval-options.ts";
import { type ApprovalProblem, approvalProblemOf, isApprovalFailure } from "../payment/approval-problem.ts";
import { nextActions } from "../payment/next-actions.ts";
import type { ShownProblem } from "../platform/problem.ts";
import { ApprovalPage } from "./approval-page.ts";
import { type OperationFacts, payeeOf } from "./confirm-views.ts";
import { transferStyles } from "./transfer-styles.ts";

/** State of the refund's history entry, for a reload. */
interface RefundPlace {
  readonly attempt: string;
}

/**
 * Page on which the payee of a received payment refunds it, whole or in part; `/refund#MOVEMENT_ID` names the payment.
 */
export class RefundPage extends ApprovalPage {
  static override properties = {
    ...ApprovalPage.properties,
    whole: { state: true },
    payment: { state: true },
    fault: { state: true },
  };

  static override styles = [...ApprovalPage.styles, transferStyles];

  /** An approval to refund all that is left, in which the broker says to whom and how much that is. */
  declare whole: Approval | undefined;
  /** The payment as this device knows it. */
  declare payment: Movement | undefined;
  declare fault: string;
  #typed: number | undefined;

  constructor() {
    super();
    this.fault = "";
  }

  protected override get verbs(): OperationWords {
    return this.more.refund;
  }

  get #paymentId(): string {
    return this.context.router.place.fragment;
  }

  protected override begin(): void {
    const { attempt } = (this.context.router.place.state ?? {}) as Partial<RefundPlace>;
    const flow = this.#newFlow();
    void flow.goOn(attempt).then((isKnown) => (isKnown ? undefined : this.#load()));
  }

  protected override get facts(): OperationFacts | undefined {
    if (this.whole !== undefined) return { ...this.whole, amount: this.#typed };
    const { counterparty: payee, currency } = this.payment ?? {};
    return payee === undefined || currency === undefined ? undefined : { payee, currency };
  }

  protected override form(): TemplateResult {
    const { refund } = this.more;
    const { words } = this.context;
    if (this.whole === undefined) return this.waiting(refund.reading);
    const { amount, currency, payee } = this.whole;
    return html`<form class="form" novalidate @submit=${this.#amountGiven}>
      <div class="body">
        ${payeeOf(refund, payee)} ${this.#received(refund.received)}
        <cupo-amount-field
          .label=${refund.askAmount}
          .currency=${currency}
          .fault=${this.fault}
          @amount-change=${() => this.#clearFault()}
        ></cupo-amount-field>
        <p class="soft small left">${refund.left(formatMoney(amount, currency))}</p>
      </div>
      <div class="foot"><button class="primary large">${words.confirm.continue}</button></div>
    </form>`;
  }

  #received(name: string): unknown {
    const { clock, words } = this.context;
    if (this.payment === undefined) return nothing;
    const { amount, created_at, currency, reference } = this.payment;
    return html`<dl class="card facts">
      <dt>${name}</dt>
      <dd><bdi>${formatMoney(amount, currency)}</bdi></dd>
      <dt>${words.common.date}</dt>
      <dd>${formatWhen(created_at, clock.now(), words)}</dd>
      <dt>${words.common.reference}</dt>
      <dd class="reference">${displayReference(reference)}</dd>
    </dl>`;
  }

  protected override sentenceOf(problem: ApprovalProblem): Sentence {
    const { refund, failures } = this.more;
    const { failure } = problem;
    if (isApprovalFailure(failure)) return failures[failure];
    return textFor(refund.failures, failure) ?? sentenceOf(this.context.words, problem as ShownProblem);
  }

  protected override actionsAfter({ failure }: ApprovalProblem): unknown {
    const { words } = this.context;
    const { confirm } = words;
    const ways = nextActions(failure, true);
    const again = (): unknown => (ways.ask ? this.flow?.pollAgain() : this.#load());
    const name = ways.amount ? confirm.change : confirm.tryAgain;
    if (ways.again) return html`<button class="primary large" @click=${again}>${name}</button>`;
    return html`<a class="button primary large" href="/received">${words.list.received}</a>`;
  }

  protected override insteadOfPaying(): TemplateResult {
    const { confirm } = this.context.words;
    return html`<button class="large" @click=${() => this.#load()}>${confirm.change}</button>`;
  }

  #newFlow(): ApprovalFlow {
    const { router } = this.context;
    const path = `/refund#${this.#paymentId}`;
    this.flow?.end();
    const keep = (attempt: string): void => router.keep(path, { attempt } satisfies RefundPlace);
    return this.follow(new ApprovalFlow(approvalOptions(this.context, keep)));
  }

  /** Asks what is left of the payment, by opening an approval to refund it all, which nobody approves. */
  async #load(): Promise<void> {
    const { api, router, store } = this.context;
    const id = this.#paymentId;
    this.flow?.end();
    router.keep(`/refund#${id}`, null);
    this.whole = undefined;
    this.state = { phase: "reading" };
    try {
      this.payment = await store.movement(id);
      this.whole = (await api.openApproval({ body: { transaction_id: id } })).body;
    } catch (error) {
      // An address that names no payment is treated like an unknown payment.
      const isNoPayment = error instanceof ApiError && error.code === "invalid_request";
      this.state = { phase: "stopped", problem: isNoPayment ? { failure: "not_received" } : approvalProblemOf(error) };
      await this.updateComplete;
      return this.focusHeading();
    }
    await this.updateComplete;
    const field = this.#amountField;
    if (field) field.amount = this.#typed === undefined ? this.whole.amount : Math.min(this.#typed, this.whole.amount);
    field?.focus();
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
    const { more, whole } = this;
    if (whole === undefined) return;
    if (amount === undefined) return void this.#refuse(this.context.words.confirm.amountMissing);
    if (amount > whole.amount) return void this.#refuse(more.refund.tooMuch);
    this.#typed = amount;
    void this.#newFlow().openNew({ transaction_id: this.#paymentId, amount });
  }

  #refuse(sentence: string): void {
    this.fault = sentence;
    this.#amountField?.focus();
  }
}

customElements.get("cupo-refund-page") ?? customElements.define("cupo-refund-page", RefundPage);
