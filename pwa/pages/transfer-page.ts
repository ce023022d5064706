import { html, nothing, type TemplateResult } from "lit";
import type { Movement } from "../../src/contract/broker/broker.ts";
import { withoutMisleading } from "../../src/misleading-text.ts";
import type { AmountField } from "../components/amount-field.ts";
import "../components/amount-field.ts";
import type { ApprovalWords } from "../../src/language/tables/app.ts";
import { recentList, recentStyles } from "../contacts/recent-list.ts";
import { Recents } from "../contacts/recents.ts";
import { choices, choicesStyles } from "../design/choices.ts";
import { type OperationWords, type Sentence, sentenceOf, textFor } from "../language/words.ts";
import { ApprovalFlow } from "../payment/approval-flow.ts";
import { approvalOptions } from "../payment/approval-options.ts";
import { type ApprovalProblem, isApprovalFailure } from "../payment/approval-problem.ts";
import { lookUpSentence } from "../payment/look-up-sentence.ts";
import { againWord, nextActions } from "../payment/next-actions.ts";
import { own } from "../platform/own.ts";
import type { ShownProblem } from "../platform/problem.ts";
import { ApprovalPage } from "./approval-page.ts";
import { type OperationFacts, payeeOf } from "./confirm-views.ts";
import { transferStyles } from "./transfer-styles.ts";

type By = "phone" | "nit";
type TransferWords = ApprovalWords["transfer"];

/** Somebody to transfer to, and how the broker knows them: by the handle of a look-up, or as a contact. */
interface Receiver {
  readonly to: { readonly handle: string } | { readonly contact_id: string };
  readonly name: string;
}

/** State of the transfer's history entry, for a reload. */
interface TransferPlace {
  readonly attempt: string;
}

/** Fewer digits are nobody's phone or nit. */
const FEWEST_DIGITS = 5;

/**
 * Page that transfers balance, once the person approves it, to a user who is looked up by phone or nit, or to somebody
 * recent, the last amount again: `/transfer#MOVEMENT_ID` begins with that transfer.
 */
export class TransferPage extends ApprovalPage {
  static override properties = {
    ...ApprovalPage.properties,
    by: { state: true },
    receiver: { state: true },
    finding: { state: true },
    fault: { state: true },
  };

  static override styles = [...ApprovalPage.styles, choicesStyles, transferStyles, recentStyles];

  declare by: By;
  declare receiver: Receiver | undefined;
  declare finding: boolean;
  /** The fault of the field that is shown; empty while there is none. */
  declare fault: string;
  #typed: number | undefined;
  #note = "";
  readonly #recents = new Recents(this, () => this.context);

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
    const { fragment, state } = router.place;
    const { attempt } = (state ?? {}) as Partial<TransferPlace>;
    this.#note = attempts.find(attempt)?.asked?.note ?? "";
    const flow = this.#newFlow();
    own(flow.goOn(attempt).then((isKnown) => (isKnown ? undefined : this.#beginAnew(fragment))));
  }

  /** Begins with a transfer that is made again, else with the field and whoever is recent. */
  async #beginAnew(movementId: string): Promise<void> {
    const { store } = this.context;
    // One that was made a moment ago may not have come to this device yet.
    if (movementId !== "" && !(await store.movement(movementId))) await store.sync();
    const earlier = movementId === "" ? undefined : await store.movement(movementId);
    if (earlier?.kind === "transfer" && earlier.direction === "sent") return this.#repeat(earlier);
    await this.updateComplete;
    this.#focusField();
    await this.#recents.read();
  }

  /** Reading begins in the field, because the page is opened to type into it. */
  override focusHeading(): void {
    if (this.state.phase === "reading") this.#focusField();
    else super.focusHeading();
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
    const { masked } = this.context.session;
    const ways = (["phone", "nit"] as const).map((value) => ({ value, label: words[value] }));
    const choose = (by: By): void => this.#lookBy(by);
    return html`<form class="form" novalidate @submit=${this.#lookUp}>
      <div class="body fields">
        <p class="soft">${words.lead}</p>
        ${choices({ legend: words.by, isLegendHidden: true, name: "by", options: ways, chosen: this.by, choose })}
        <label class="field">
          <span class="soft small">${words[this.by]}</span>
          <input
            id="number"
            inputmode="tel"
            enterkeyhint="search"
            autocomplete="off"
            maxlength="40"
            aria-invalid=${this.fault === "" ? "false" : "true"}
            aria-describedby="hint fault"
            @input=${() => this.#clearFault()}
          />
        </label>
        <p id="hint" class="soft tiny">${this.by === "phone" ? words.phoneHint : nothing}</p>
        <p id="fault" class="bad small" role="alert">${this.fault}</p>
        ${recentList(this.#recents.transfers, words, { masked, onChoose: (movement) => this.#repeat(movement) })}
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
        ></cupo-amount-field>
        <label class="field">
          <span class="soft small">${transfer.note}</span>
          <input id="note" maxlength="140" autocomplete="off" enterkeyhint="go" aria-describedby="note-hint" />
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
    const ways = nextActions(failure, true);
    const hasReceiver = this.receiver !== undefined && failure !== "look_up_expired" && failure !== "not_allowed";
    const again = (): unknown => (ways.ask ? this.flow?.pollAgain() : this.#again());
    const name = againWord(ways, this.context.words);
    const goesOn = hasReceiver || ways.ask;
    const other = html`<button class="large ${goesOn ? "" : "primary"}" @click=${() => this.#startOver()}>
      ${transfer.other}
    </button>`;
    return html`${goesOn ? html`<button class="primary large" @click=${again}>${name}</button>` : nothing}
      ${ways.ask ? nothing : other}`;
  }

  protected override belowCodes(): unknown {
    const { change } = this.context.words.confirm;
    const note = html`<dl class="card facts">
      <dt>${this.more.transfer.noteSent}</dt>
      <dd>${this.#note}</dd>
    </dl>`;
    const again = html`<button class="plain" @click=${() => this.#again()}>${change}</button>`;
    return html`${this.#note === "" ? nothing : note}${this.receiver === undefined ? nothing : again}`;
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
    if (text.replace(/\D/g, "").length < FEWEST_DIGITS) return this.#refuse(more.transfer.numberMissing);
    this.finding = true;
    try {
      const { body } = await this.context.api.lookUp({ body: this.by === "phone" ? { phone: text } : { nit: text } });
      this.receiver = { to: { handle: body.handle }, name: body.name };
      await this.updateComplete;
      this.#focusField();
    } catch (error) {
      this.#refuse(lookUpSentence(error, this.context.words, more.transfer));
    } finally {
      this.finding = false;
    }
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
    if (amount === undefined || !Number.isInteger(amount)) {
      this.#refuse(amount === undefined ? this.context.words.confirm.amountMissing : more.transfer.wholeAmount);
      return;
    }
    const note = withoutMisleading(this.#input("note")?.value ?? "").trim();
    this.#typed = amount;
    this.#note = note;
    own(this.#newFlow().openNew({ ...receiver.to, amount, ...(note === "" ? {} : { note }) }));
  }

  /** Opens the approval of an earlier transfer's amount to its receiver; the person may change the amount first. */
  #repeat({ amount, counterparty, counterparty_id: id }: Movement): void {
    this.receiver = { to: { contact_id: id }, name: counterparty };
    this.#typed = amount;
    this.#note = "";
    own(this.#newFlow().openNew({ contact_id: id, amount }));
  }

  /** Returns to the amount, with the values that were typed. */
  async #again(): Promise<void> {
    this.#leaveFlow();
    await this.updateComplete;
    const field = this.renderRoot.querySelector<AmountField>("cupo-amount-field");
    const note = this.#input("note");
    if (field) field.amount = this.#typed;
    if (note) note.value = this.#note;
    this.#focusField();
  }

  #startOver(): void {
    this.receiver = undefined;
    this.#note = "";
    this.#leaveFlow();
    own(this.#beginAnew(""));
  }

  #leaveFlow(): void {
    this.flow?.end();
    this.context.router.keep("/transfer", null);
    this.fault = "";
    this.state = { phase: "reading" };
  }
}

customElements.get("cupo-transfer-page") ?? customElements.define("cupo-transfer-page", TransferPage);
