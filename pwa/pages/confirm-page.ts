import { html, nothing, type TemplateResult } from "lit";
import BookmarkCheck from "lucide-static/dist/esm/icons/bookmark-check.mjs";
import Wifi from "lucide-static/dist/esm/icons/wifi.mjs";
import type { Movement, Scan } from "../../src/contract/broker/broker.ts";
import type { AmountField } from "../components/amount-field.ts";
import "../components/amount-field.ts";
import { backToShop } from "../components/back-to-shop.ts";
import { namePayee } from "../contacts/name-payee.ts";
import { dropDraftOf, keepDraft } from "../drafts/keep-draft.ts";
import type { OperationWords } from "../language/words.ts";
import { type Sentence, sentenceOf } from "../language/words.ts";
import { approvalOptions } from "../payment/approval-options.ts";
import { type ApprovalProblem, isApprovalFailure } from "../payment/approval-problem.ts";
import { codeOfPlace } from "../payment/code-of-place.ts";
import type { ConfirmPlace } from "../payment/confirm-place.ts";
import { againWord, nextActions } from "../payment/next-actions.ts";
import { PaymentFlow } from "../payment/payment-flow.ts";
import type { PaymentState } from "../payment/payment-state.ts";
import { type OfflineReading, verifyOffline } from "../payment/verify-offline.ts";
import { listenWhileConnected } from "../platform/listen-while-connected.ts";
import { own } from "../platform/own.ts";
import type { ShownProblem } from "../platform/problem.ts";
import { ApprovalPage } from "./approval-page.ts";
import { codesOf, note, type OperationFacts, offlineCode, payeeOf } from "./confirm-views.ts";

/** States of a payment that the person made; one that was rejected moved nothing. */
const SETTLED: readonly Movement["status"][] = ["approved", "pending", "reversed"];
/** Failures of a code that the broker still knows; of any other that stops an approval, the approval tells. */
const OVER: readonly ApprovalProblem["failure"][] = ["qr_expired", "qr_cancelled", "qr_already_paid"];
/** How many payments are searched for the code's; an older one is in the history. */
const LATEST = 200;
const RECONNECT_PAUSES_MS: readonly number[] = Object.freeze([0, 1_000, 3_000]);

/** Page that shows payee and amount of a payment code, as the service knows them, and pays it once. */
export class ConfirmPage extends ApprovalPage {
  static override properties = {
    ...ApprovalPage.properties,
    fault: { state: true },
    offline: { state: true },
    saved: { state: true },
    back: { state: true },
    payer: { state: true },
    left: { state: true },
  };

  declare fault: string;
  /** The code as verified without a connection, its payee named as it may be shown. */
  declare offline: OfflineReading | undefined;
  /** True once the code is kept as a draft. */
  declare saved: boolean;
  /** True once the connection has come back since this page was opened without one. */
  declare back: boolean;
  /** The payer of a paid code: the person, by that movement, or somebody else; undefined while that is unknown. */
  declare payer: Movement | "other" | undefined;
  /** The code as it is read again when its payment has stopped, with the way back to its shop. */
  declare left: Scan | undefined;

  #payment: PaymentFlow | undefined;

  constructor() {
    super();
    this.fault = "";
    this.saved = false;
    this.back = false;
    listenWhileConnected(
      this,
      () => window,
      "online",
      () => own(this.#reconnected()),
    );
  }

  protected override get verbs(): OperationWords {
    return this.context.words.confirm;
  }

  protected override begin(): void {
    const { keys, router } = this.context;
    const read = codeOfPlace(router.place, keys.guid);
    if (!read.ok) {
      this.state = { phase: "stopped", problem: read.problem };
      return;
    }
    const { code } = read;
    const keep = (attempt: string): void => router.keep("/confirm", { code, attempt } satisfies ConfirmPlace);
    this.#payment = this.follow(new PaymentFlow(approvalOptions(this.context, keep), code, keys.guid));
    own(this.#payment.resume(read.attempt));
    own(this.#readOffline());
  }

  /** The broker's answer about the code; until then what the code itself says, if its signature is known here. */
  protected override get facts(): OperationFacts | undefined {
    const scan = this.#payment?.scan;
    if (scan !== undefined) return { ...scan, amount: scan.amount ?? this.#payment?.typedAmount };
    const { currency } = this.context.session.me ?? {};
    if (this.offline?.kind !== "authentic" || currency === undefined) return undefined;
    return { ...this.offline.code, currency };
  }

  protected override form(state: PaymentState): TemplateResult {
    return state.phase === "amount" ? this.#askAmount(state.scan) : this.waiting(this.context.words.confirm.reading);
  }

  #askAmount({ payee, currency, check_code }: Scan): TemplateResult {
    const { words } = this.context;
    return html`<form class="form" @submit=${this.#amountGiven}>
      <div class="body">
        ${payeeOf(words.confirm, payee)}
        <cupo-amount-field
          .label=${words.confirm.askAmount}
          .currency=${currency}
          .fault=${this.fault}
          @amount-change=${() => this.#clearFault()}
        ></cupo-amount-field>
        ${codesOf(words, undefined, check_code)}
      </div>
      <div class="foot"><button class="primary large">${words.confirm.continue}</button></div>
    </form>`;
  }

  protected override aboveReady(): unknown {
    return this.back ? note("good", Wifi, this.more.online) : nothing;
  }

  protected override aboveStopped(problem: ApprovalProblem): unknown {
    const { words, session } = this.context;
    const { offline } = this;
    if (problem.failure !== "no_connection" || offline?.kind !== "authentic") return nothing;
    const currency = session.me?.currency ?? "COP";
    return html`${offlineCode(words, { ...offline.code, currency })}
    ${this.saved ? note("good", BookmarkCheck, this.more.savedOnHome) : nothing}`;
  }

  protected override sentenceOf(problem: ApprovalProblem): Sentence {
    const { more } = this;
    const shown = this.#shown(problem);
    const { failure } = shown;
    if (isApprovalFailure(failure)) return more.failures[failure];
    // Before there is an approval nobody knows whether the code was paid already.
    const occasion = this.#typed ? "typing" : "paying";
    const isKnown = this.#payment?.known !== undefined;
    const sentence = sentenceOf(this.context.words, shown as ShownProblem, isKnown ? occasion : "looking");
    if (failure !== "qr_already_paid") return sentence;
    if (this.#mine(failure)) return more.paidByYou;
    return { title: sentence.title, text: this.payer === "other" ? more.paidByOther : more.paidByWhom };
  }

  protected override looksLike(problem: ApprovalProblem): ReturnType<ApprovalPage["looksLike"]> {
    const { failure } = this.#shown(problem);
    return this.#mine(failure) ? "paid_by_you" : failure;
  }

  protected override actionsAfter(problem: ApprovalProblem): unknown {
    const { seeReceipt } = this.more;
    const { confirm } = this.context.words;
    const { failure } = this.#shown(problem);
    const ways = nextActions(failure, this.#typed);
    const name = againWord(ways, this.context.words);
    const again = (): unknown => (ways.ask ? this.#payment?.pollAgain() : this.#payment?.restart());
    const mine = this.#mine(failure);
    const first = ways.again || mine !== undefined;
    return html`${ways.again ? html`<button class="primary large" @click=${again}>${name}</button>` : nothing}
      ${mine ? html`<a class="button primary large" href="/receipt#${mine.id}">${seeReceipt}</a>` : nothing}
      <a class="button large ${first ? "" : "primary"}" href="/scan">${confirm.scanAnother}</a>
      ${this.left === undefined ? nothing : backToShop(this.more, this.left, "large")}`;
  }

  /** When the balance is too small: another amount where the person typed it, else another code. */
  protected override insteadOfPaying(): TemplateResult {
    const { confirm } = this.context.words;
    if (!this.#typed) return html`<a class="button large" href="/scan">${confirm.scanAnother}</a>`;
    const change = (): unknown => this.#payment?.restart();
    return html`<button class="large" @click=${change}>${confirm.change}</button>`;
  }

  protected override changed(state: PaymentState): void {
    super.changed(state);
    if (state.phase === "amount") own(this.updateComplete.then(() => this.#amountField?.focus()));
    if (state.phase === "paid") this.#settle();
    this.left = undefined;
    if (state.phase !== "stopped") return;
    if (OVER.includes(state.problem.failure) || this.#payment?.known?.return_url) own(this.#readAgain());
    if (state.problem.failure === "no_connection") own(this.#readOffline());
    if (state.problem.failure === "qr_already_paid") own(this.#learnPayer());
  }

  /** The person's own payment of a code that is paid. */
  #mine(failure: ApprovalProblem["failure"]): Movement | undefined {
    return failure === "qr_already_paid" && typeof this.payer === "object" ? this.payer : undefined;
  }

  get #typed(): boolean {
    return this.#payment?.typedAmount !== undefined;
  }

  get #amountField(): AmountField | null {
    return this.renderRoot.querySelector<AmountField>("cupo-amount-field");
  }

  /** Returns the problem to show: without a connection, a fault of the code itself comes first. */
  #shown(problem: ApprovalProblem): ApprovalProblem {
    const { offline } = this;
    return problem.failure === "no_connection" && offline?.kind === "problem" ? offline.problem : problem;
  }

  #clearFault(): void {
    this.fault = "";
  }

  #amountGiven(event: Event): void {
    event.preventDefault();
    const amount = this.#amountField?.amount;
    if (amount !== undefined) {
      own(this.#payment?.giveAmount(amount));
      return;
    }
    this.fault = this.context.words.confirm.amountMissing;
    this.#amountField?.focus();
  }

  async #readOffline(): Promise<void> {
    const code = this.#payment?.code;
    if (code === undefined || !("payload" in code)) return;
    const { clock, keys, store } = this.context;
    const reading = await verifyOffline(code.payload, keys.kept, clock.now());
    if (reading.kind !== "authentic") {
      this.offline = reading;
      return;
    }
    const payee = await namePayee(reading.code, store);
    this.offline = { ...reading, code: { ...reading.code, payee } };
    if (this.#lacksConnection) this.saved = await keepDraft(code.payload, payee, this.context);
  }

  /** Forgets the draft of the code, which is paid. */
  #settle(): void {
    const code = this.#payment?.code;
    if (code !== undefined && "payload" in code) own(dropDraftOf(code.payload, this.context));
  }

  /** Reads the code again for the way back to its shop, which is offered where the broker tells one. */
  async #readAgain(): Promise<void> {
    const code = this.#payment?.code;
    if (code === undefined) return;
    const { state } = this;
    const read = await this.context.api.createScan({ body: code }).catch(() => undefined);
    if (this.state === state) this.left = read?.body;
  }

  /** Learns whether it was the person who paid: in another tab, or on another device a moment ago. */
  async #learnPayer(): Promise<void> {
    const reference = this.#payment?.scan?.reference ?? this.#payment?.known?.reference;
    const { store } = this.context;
    if (reference === undefined) return;
    await store.sync();
    const sent = await store.movements({ direction: "sent", limit: LATEST });
    const mine = sent.find((movement) => movement.reference === reference && SETTLED.includes(movement.status));
    if (mine !== undefined || store.problem === undefined) this.payer = mine ?? "other";
  }

  get #lacksConnection(): boolean {
    return this.state.phase === "stopped" && this.state.problem.failure === "no_connection";
  }

  /** Retries several times: a device says that it is online a little before anything can be reached. */
  async #reconnected(): Promise<void> {
    for (const pauseMs of RECONNECT_PAUSES_MS) {
      await new Promise((done) => setTimeout(done, pauseMs));
      if (!this.#lacksConnection || !this.isConnected) return;
      this.back = true;
      await this.#payment?.restart();
      if (this.#payment?.state.phase === "ready") this.context.announce(this.more.online);
    }
  }
}

customElements.get("cupo-confirm-page") ?? customElements.define("cupo-confirm-page", ConfirmPage);
