import { html, nothing, type TemplateResult } from "lit";
import type { Approval, Movement } from "../../src/contract/broker/broker.ts";
import type { AmountField } from "../components/amount-field.ts";
import "../components/amount-field.ts";
import { displayReference } from "../format/display-reference.ts";
import { formatMoney } from "../format/money-format.ts";
import type { OperationWords } from "../language/words.ts";
import { type Sentence, sentenceOf, textFor, whenText } from "../language/words.ts";
import { approvalOptions } from "../payment/approval-options.ts";
import { type ApprovalProblem, isApprovalFailure } from "../payment/approval-problem.ts";
import { againWord, nextActions } from "../payment/next-actions.ts";
import type { PaymentState } from "../payment/payment-state.ts";
import { RefundFlow } from "../payment/refund-flow.ts";
import { own } from "../platform/own.ts";
import type { ShownProblem } from "../platform/problem.ts";
import { refundableOf } from "../receipt/receipt-state.ts";
import { ApprovalPage } from "./approval-page.ts";
import { type OperationFacts, payeeOf } from "./confirm-views.ts";
import { transferStyles } from "./transfer-styles.ts";

/** State of the refund's history entry, for a reload. */
interface RefundPlace {
  readonly attempt: string;
}

/**
 * Page on which the payee of a received payment refunds it: all that is left of it, or a part; `/refund#MOVEMENT_ID`
 * names the payment.
 */
export class RefundPage extends ApprovalPage {
  static override properties = {
    ...ApprovalPage.properties,
    left: { state: true },
    payment: { state: true },
    fault: { state: true },
  };

  static override styles = [...ApprovalPage.styles, transferStyles];

  /** The latest approval to refund all that is left, in which the broker says to whom and how much that is. */
  declare left: Approval | undefined;
  /** The payment as this device knows it. */
  declare payment: Movement | undefined;
  declare fault: string;
  /** The part to refund; undefined for all that is left. */
  #part: number | undefined;

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
    const { attempts, router } = this.context;
    const { attempt } = (router.place.state ?? {}) as Partial<RefundPlace>;
    this.#part = attempts.find(attempt)?.asked?.amount;
    const flow = this.#newFlow();
    own(this.#learnPayment());
    own(flow.goOn(attempt).then((isKnown) => (isKnown ? undefined : this.#offer())));
  }

  protected override get facts(): OperationFacts | undefined {
    if (this.payment === undefined) return undefined;
    const { counterparty: payee, currency } = this.payment;
    return { payee, currency, amount: this.#part ?? refundableOf(this.payment) };
  }

  protected override form(): TemplateResult {
    const { refund } = this.more;
    const { words } = this.context;
    if (this.left === undefined) return this.waiting(refund.reading);
    const { amount, currency, payee } = this.left;
    return html`<form class="form" novalidate @submit=${this.#amountGiven}>
      <div class="body">
        ${payeeOf(refund, payee)} ${this.#received()}
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

  #received(): unknown {
    const { clock, words } = this.context;
    if (this.payment === undefined) return nothing;
    const { amount, created_at, currency, reference } = this.payment;
    return html`<dl class="card facts">
      <dt>${this.more.refund.received}</dt>
      <dd><bdi>${formatMoney(amount, currency)}</bdi></dd>
      <dt>${words.common.date}</dt>
      <dd>${whenText(created_at, words, clock.now())}</dd>
      <dt>${words.common.reference}</dt>
      <dd class="reference">${displayReference(reference)}</dd>
    </dl>`;
  }

  protected override belowCodes(): unknown {
    const { change } = this.context.words.confirm;
    const another = html`<button class="plain" @click=${() => this.#change()}>${change}</button>`;
    return html`${this.#received()}${this.state.phase === "ready" ? another : nothing}`;
  }

  protected override sentenceOf(problem: ApprovalProblem): Sentence {
    const { refund, failures } = this.more;
    const { failure } = problem;
    if (isApprovalFailure(failure)) return failures[failure];
    return textFor(refund.failures, failure) ?? sentenceOf(this.context.words, problem as ShownProblem);
  }

  protected override actionsAfter({ failure }: ApprovalProblem): unknown {
    const { words } = this.context;
    const ways = nextActions(failure, true);
    const again = (): unknown =>
      ways.ask ? this.flow?.pollAgain() : ways.amount ? this.#change() : this.#offer(this.#part);
    const name = againWord(ways, words);
    if (ways.again) return html`<button class="primary large" @click=${again}>${name}</button>`;
    return html`<a class="button primary large" href="/received">${words.list.received}</a>`;
  }

  protected override insteadOfPaying(): TemplateResult {
    const { confirm } = this.context.words;
    return html`<button class="large" @click=${() => this.#change()}>${confirm.change}</button>`;
  }

  protected override changed(state: PaymentState): void {
    super.changed(state);
    if (state.phase === "ready" && this.#part === undefined) this.left = state.approval;
    // Another refund may have been made meanwhile.
    if (state.phase === "stopped") this.left = undefined;
  }

  #newFlow(): RefundFlow {
    const { router } = this.context;
    const path = `/refund#${this.#paymentId}`;
    this.flow?.end();
    const keep = (attempt: string): void => router.keep(path, { attempt } satisfies RefundPlace);
    return this.follow(new RefundFlow(approvalOptions(this.context, keep)));
  }

  async #learnPayment(): Promise<void> {
    this.payment = await this.context.store.movement(this.#paymentId);
  }

  /** Opens an approval to refund a part, or all that is left. */
  async #offer(part?: number): Promise<void> {
    const id = this.#paymentId;
    this.#part = part;
    await this.#newFlow().openNew({ transaction_id: id, ...(part === undefined ? {} : { amount: part }) });
  }

  /** Shows the field for another amount, no larger than what is left. */
  async #change(): Promise<void> {
    const before = this.#part;
    if (this.left === undefined) await this.#offer();
    const { left } = this;
    if (left === undefined) return;
    this.flow?.end();
    this.context.router.keep(`/refund#${this.#paymentId}`, null);
    this.fault = "";
    this.state = { phase: "reading" };
    await this.updateComplete;
    const field = this.#amountField;
    if (field) field.amount = Math.min(before ?? left.amount, left.amount);
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
    const { left, more } = this;
    if (left === undefined) return;
    if (amount === undefined) this.#refuse(this.context.words.confirm.amountMissing);
    else if (amount > left.amount) this.#refuse(more.refund.tooMuch);
    else own(this.#offer(amount));
  }

  #refuse(sentence: string): void {
    this.fault = sentence;
    this.#amountField?.focus();
  }
}

customElements.get("cupo-refund-page") ?? customElements.define("cupo-refund-page", RefundPage);
