import { html, nothing, type TemplateResult } from "lit";
import { ApiError } from "../../src/contract/shared/errors.ts";
import { withoutMisleading } from "../../src/misleading-text.ts";
import type { AmountField } from "../components/amount-field.ts";
import "../components/amount-field.ts";
import type { ApprovalWords } from "../../src/language/tables/app.ts";
import type { OperationWords } from "../language/words.ts";
import { type Sentence, sentenceOf, textFor } from "../language/words.ts";
import { ApprovalFlow } from "../payment/approval-flow.ts";
import { approvalOptions } from "../payment/approval-options.ts";
import { type ApprovalProblem, isApprovalFailure } from "../payment/approval-problem.ts";
import { nextActions } from "../payment/next-actions.ts";
import { problemOf, type ShownProblem } from "../platform/problem.ts";
import { ApprovalPage } from "./approval-page.ts";
import { type OperationFacts, payeeOf } from "./confirm-views.ts";
import { transferStyles } from "./transfer-styles.ts";

type By = "phone" | "nit";
type TransferWords = ApprovalWords["transfer"];

/** Somebody who was found: their masked name, and the handle that stands for them. */
interface Receiver {
  readonly handle: string;
  readonly name: string;
}

/** State of the transfer's history entry, for a reload. */
interface TransferPlace {
  readonly attempt: string;
}

/** Fewer digits are nobody's phone or nit. */
const FEWEST_DIGITS = 5;

/** Page that looks up a user by phone or nit, and transfers balance to that user once the person approves it. */
export class TransferPage extends ApprovalPage {
  static override properties = {
    ...ApprovalPage.properties,
    by: { state: true },
    receiver: { state: true },
    finding: { state: true },
    fault: { state: true },
  };

  static override styles = [...ApprovalPage.styles, transferStyles];

  declare by: By;
  declare receiver: Receiver | undefined;
  declare finding: boolean;
  /** The fault of the field that is shown; empty while there is none. */
  declare fault: string;
  #typed: number | undefined;
  #note = "";

  constructor() {
    super();
    this.by = "phone";
    this.finding = false;
    this.fault = "";
  }

  protected override get verbs(): OperationWords {
    return this.more.transfer;
  }

  protected override begin(): void {
    const { attempts, router } = this.context;
    const { attempt } = (router.place.state ?? {}) as Partial<TransferPlace>;
    this.#note = attempts.find(attempt)?.asked?.note ?? "";
    const flow = this.#newFlow();
    void flow.goOn(attempt).then((isKnown) => {
      if (!isKnown) this.#focusField();
    });
  }

  protected override get facts(): OperationFacts | undefined {
    const { receiver } = this;
    const currency = this.context.session.me?.currency ?? "COP";
    return receiver === undefined ? undefined : { payee: receiver.name, amount: this.#typed, currency };
  }

  protected override form(): TemplateResult {
    const { transfer } = this.more;
    return this.receiver === undefined ? this.#find(transfer) : this.#askAmount(this.receiver, transfer);
  }

  #find(words: TransferWords): TemplateResult {
    const way = (by: By) => html`<label class="way">
      <input type="radio" name="by" .checked=${this.by === by} @change=${() => this.#lookBy(by)} />
      <span>${words[by]}</span>
    </label>`;
    return html`<form class="form" novalidate @submit=${this.#lookUp}>
      <div class="body fields">
        <p class="soft">${words.lead}</p>
        <fieldset class="ways">
          <legend class="visually-hidden">${words.by}</legend>
          ${way("phone")}${way("nit")}
        </fieldset>
        <label class="field">
          <span class="soft small">${words[this.by]}</span>
          <input
            id="number"
            inputmode="tel"
            autocomplete="off"
            maxlength="40"
            aria-invalid=${this.fault === "" ? "false" : "true"}
            aria-describedby="hint fault"
            @input=${() => this.#clearFault()}
          />
        </label>
        <p id="hint" class="soft tiny">${this.by === "phone" ? words.phoneHint : nothing}</p>
        <p id="fault" class="bad small" role="alert">${this.fault}</p>
      </div>
      <div class="foot">
        <button class="primary large" ?disabled=${this.finding}>${this.finding ? words.finding : words.find}</button>
      </div>
    </form>`;
  }

  #askAmount({ name }: Receiver, transfer: TransferWords): TemplateResult {
    const { session, words } = this.context;
    return html`<form class="form" novalidate @submit=${this.#amountGiven}>
      <div class="body">
        ${payeeOf(transfer, name)}
        <p class="soft small compare">${transfer.compareName}</p>
        <cupo-amount-field
          .label=${transfer.askAmount}
          .currency=${session.me?.currency ?? "COP"}
          .fault=${this.fault}
          @amount-change=${() => this.#clearFault()}
          @keydown=${(event: KeyboardEvent) => event.key === "Enter" && this.#amountGiven(event)}
        ></cupo-amount-field>
        <label class="field">
          <span class="soft small">${transfer.note}</span>
          <input id="note" maxlength="140" autocomplete="off" aria-describedby="note-hint" />
          <span id="note-hint" class="soft tiny">${transfer.noteHint}</span>
        </label>
      </div>
      <div class="foot actions">
        <button class="primary large">${words.confirm.continue}</button>
        <button type="button" class="plain" @click=${() => this.#startOver()}>${transfer.other}</button>
      </div>
    </form>`;
  }

  protected override sentenceOf(problem: ApprovalProblem): Sentence {
    const { transfer, failures } = this.more;
    const { failure } = problem;
    if (isApprovalFailure(failure)) return failures[failure];
    return textFor(transfer.failures, failure) ?? sentenceOf(this.context.words, problem as ShownProblem);
  }

  protected override actionsAfter({ failure }: ApprovalProblem): unknown {
    const { transfer } = this.more;
    const { confirm } = this.context.words;
    const ways = nextActions(failure, true);
    const hasReceiver = this.receiver !== undefined && failure !== "look_up_expired" && failure !== "not_allowed";
    const again = (): unknown => (ways.ask ? this.flow?.pollAgain() : this.#again());
    const name = ways.ask || !ways.amount ? confirm.tryAgain : confirm.change;
    const goesOn = hasReceiver || ways.ask;
    const other = html`<button class="large ${goesOn ? "" : "primary"}" @click=${() => this.#startOver()}>
      ${transfer.other}
    </button>`;
    return html`${goesOn ? html`<button class="primary large" @click=${again}>${name}</button>` : nothing}
      ${ways.ask ? nothing : other}`;
  }

  protected override insteadOfPaying(): TemplateResult {
    const { confirm } = this.context.words;
    return html`<button class="primary large" @click=${() => this.#again()}>${confirm.change}</button>`;
  }

  protected override belowCodes(): unknown {
    if (this.#note === "") return nothing;
    return html`<dl class="card facts">
      <dt>${this.more.transfer.noteSent}</dt>
      <dd>${this.#note}</dd>
    </dl>`;
  }

  #newFlow(): ApprovalFlow {
    const { router } = this.context;
    this.flow?.end();
    const keep = (attempt: string): void => router.keep("/transfer", { attempt } satisfies TransferPlace);
    return this.follow(new ApprovalFlow(approvalOptions(this.context, keep)));
  }

  #lookBy(by: By): void {
    this.by = by;
    this.#clearFault();
  }

  #clearFault(): void {
    this.fault = "";
  }

  #input(id: "number" | "note"): HTMLInputElement | null {
    return this.renderRoot.querySelector<HTMLInputElement>(`#${id}`);
  }

  async #lookUp(event: Event): Promise<void> {
    event.preventDefault();
    const text = this.#input("number")?.value.trim() ?? "";
    const { more } = this;
    if (this.finding) return;
    if (text.replace(/\D/g, "").length < FEWEST_DIGITS) return void this.#refuse(more.transfer.numberMissing);
    this.finding = true;
    try {
      const { body } = await this.context.api.lookUp({ body: this.by === "phone" ? { phone: text } : { nit: text } });
      this.receiver = body;
      await this.updateComplete;
      this.#focusField();
    } catch (error) {
      this.#refuse(this.#sentenceOfLookUp(error, more.transfer));
    } finally {
      this.finding = false;
    }
  }

  #sentenceOfLookUp(error: unknown, { failures, nobody }: TransferWords): string {
    const code = error instanceof ApiError ? error.code : undefined;
    const own = code === "not_allowed" ? failures.not_allowed : undefined;
    const looking = sentenceOf(this.context.words, problemOf(error), "looking");
    const { title, text } = code === "user_not_found" ? nobody : (own ?? looking);
    return `${title}. ${text}`;
  }

  #refuse(sentence: string): void {
    this.fault = sentence;
    this.#focusField();
  }

  #focusField(): void {
    const field = this.renderRoot.querySelector<AmountField>("cupo-amount-field");
    (field ?? this.#input("number"))?.focus();
  }

  #amountGiven(event: Event): void {
    event.preventDefault();
    const amount = this.renderRoot.querySelector<AmountField>("cupo-amount-field")?.amount;
    const { more, receiver } = this;
    if (receiver === undefined) return;
    if (amount === undefined) return void this.#refuse(this.context.words.confirm.amountMissing);
    if (!Number.isInteger(amount)) return void this.#refuse(more.transfer.wholeAmount);
    const note = withoutMisleading(this.#input("note")?.value ?? "").trim();
    this.#typed = amount;
    this.#note = note;
    const body = { handle: receiver.handle, amount, ...(note === "" ? {} : { note }) };
    void this.#newFlow().openNew(body);
  }

  /** Returns to the amount, with the values that were typed. */
  #again(): void {
    this.#leaveFlow();
    void this.updateComplete.then(() => {
      const field = this.renderRoot.querySelector<AmountField>("cupo-amount-field");
      const note = this.#input("note");
      if (field) field.amount = this.#typed;
      if (note) note.value = this.#note;
      this.#focusField();
    });
  }

  #startOver(): void {
    this.receiver = undefined;
    this.#note = "";
    this.#leaveFlow();
    void this.updateComplete.then(() => this.#focusField());
  }

  #leaveFlow(): void {
    this.flow?.end();
    this.context.router.keep("/transfer", null);
    this.fault = "";
    this.state = { phase: "reading" };
  }
}

customElements.get("cupo-transfer-page") ?? customElements.define("cupo-transfer-page", TransferPage);
