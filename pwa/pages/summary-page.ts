import { html, nothing, type TemplateResult } from "lit";
import ArrowLeft from "lucide-static/dist/esm/icons/arrow-left.mjs";
import ChartBar from "lucide-static/dist/esm/icons/chart-no-axes-column.mjs";
import WifiOff from "lucide-static/dist/esm/icons/wifi-off.mjs";
import type { Movement } from "../../src/contract/broker/broker.ts";
import type { SummaryPayee } from "../../src/contract/broker/my-account.ts";
import { sumText } from "../../src/money.ts";
import { barChart, barChartStyles } from "../components/bar-chart.ts";
import { money, moneyStyles } from "../components/money.ts";
import { notice, noticeStyles } from "../components/notice.ts";
import "../components/statement-card.ts";
import { HIDDEN_AMOUNT } from "../../src/money-format.ts";
import { formatDay, formatMonth } from "../../src/time-format.ts";
import type { StatementCard } from "../components/statement-card.ts";
import { Page } from "../context/page.ts";
import { icon } from "../design/icon.ts";
import { base, controls, surfaces } from "../design/styles.ts";
import { formatMoney } from "../format/money-format.ts";
import { wordsOf } from "../language/language.ts";
import { sentenceOf } from "../language/words.ts";
import { KnownMovements } from "../lists/known-movements.ts";
import { everything, filterMovements, monthsOf } from "../lists/movement-search.ts";
import { listenWhileConnected } from "../platform/listen-while-connected.ts";
import { own } from "../platform/own.ts";
import { problemOf, type ShownProblem } from "../platform/problem.ts";
import { isSentPayment, summaryOf } from "../statement/month-summary.ts";
import { summaryStyles } from "./summary-styles.ts";

const PAGE_SIZE = "50";
/** Bars beyond these say less than the table below. */
const MAX_BARS = 6;

/** The choices of a person on the page. */
interface Choices {
  readonly month: string;
  readonly statementMonth: string;
  readonly pages: number;
}

/**
 * Page with the sum of the payments that the person made to each payee, ever or in one month, less refunds and without
 * transfers, as a chart and a table, and with the download of monthly statements. The months are those of the replica
 * on this device.
 */
export class SummaryPage extends Page {
  static override properties = {
    ...Page.properties,
    payees: { state: true },
    cursor: { state: true },
    problem: { state: true },
    loading: { state: true },
    month: { state: true },
    statementMonth: { state: true },
  };

  /** Largest first; undefined before the first answer. */
  declare payees: readonly SummaryPayee[] | undefined;
  declare cursor: string | undefined;
  declare problem: ShownProblem | undefined;
  declare loading: boolean;
  /** The month whose payments are summed, such as `2026-03`; empty for all payments. */
  declare month: string;
  /** The month of the statement: the one of the sums, until the person chooses another. */
  declare statementMonth: string;
  /** Pages of payees that are shown, or will be where the person comes back to them. */
  #pages = 1;
  #loaded = 0;
  #known: KnownMovements | undefined;

  static override styles = [...[base, controls, surfaces, noticeStyles, moneyStyles, barChartStyles, summaryStyles]];

  constructor() {
    super();
    this.loading = false;
    this.month = "";
    this.statementMonth = "";
    listenWhileConnected(
      this,
      () => window,
      "online",
      () => this.#retry(),
    );
  }

  override get name(): string {
    return wordsOf("receipts").summary.name;
  }

  override get choices(): unknown {
    const { month, statementMonth } = this;
    return { month, statementMonth, pages: this.#pages } satisfies Choices;
  }

  override set choices(choices: unknown) {
    const { month, pages, statementMonth } = (choices ?? {}) as { readonly [Name in keyof Choices]?: unknown };
    // An earlier version of the app may have kept something else.
    if (typeof month === "string") this.month = month;
    if (typeof statementMonth === "string") this.statementMonth = statementMonth;
    if (typeof pages === "number") this.#pages = pages;
  }

  override connectedCallback(): void {
    this.#known ??= new KnownMovements(this, this.context.store, { direction: "sent" });
    super.connectedCallback();
    own(this.#loadPages());
  }

  override render(): TemplateResult {
    const { common } = this.context.words;
    const { summary } = wordsOf("receipts");
    return html`<header>
        <button class="plain round" aria-label=${common.back} @click=${() => this.context.router.back()}>
          ${icon(ArrowLeft)}
        </button>
        <h1 tabindex="-1">${summary.name}</h1>
      </header>
      ${this.#choice()} ${this.#body()}`;
  }

  get #payments(): readonly Movement[] {
    return this.#known?.movements?.filter(isSentPayment) ?? [];
  }

  #choice(): unknown {
    const { words } = this.context;
    const months = monthsOf(this.#payments);
    if (months.length === 0) return nothing;
    const option = (value: string, name: string): TemplateResult =>
      html`<option value=${value} ?selected=${value === this.month}>${name}</option>`;
    return html`<label class="month"
      ><span class="soft small">${words.search.month}</span>
      <select @change=${this.#choose}>
        ${option("", words.search.anyMonth)} ${months.map((month) => option(month, formatMonth(month, words.tag)))}
      </select></label
    >`;
  }

  #choose = (event: Event): void => {
    this.month = (event.currentTarget as HTMLSelectElement).value;
    this.statementMonth = this.month;
  };

  #sum(amount: number | string): string {
    const currency = this.context.session.me?.currency ?? this.#payments[0]?.currency ?? "COP";
    return this.context.session.masked ? HIDDEN_AMOUNT : formatMoney(amount, currency);
  }

  /** The statement stands above the table, which may be long. */
  #body(): unknown {
    const { common } = this.context.words;
    const { summary } = wordsOf("receipts");
    const statement = html`<cupo-statement-card
      .context=${this.context}
      .month=${this.statementMonth}
      @change=${({ currentTarget }: Event) => this.#takeStatement(currentTarget as StatementCard)}
    ></cupo-statement-card>`;
    const problem = this.problem === undefined ? nothing : this.#failure(this.problem);
    if (this.month !== "") {
      const payees = summaryOf(filterMovements(this.#payments, { ...everything, month: this.month }));
      return html`${this.#top(payees)} ${statement} ${this.#table(payees)}`;
    }
    const { payees } = this;
    if (payees === undefined) {
      if (this.problem !== undefined) return html`${problem}${statement}`;
      return html`<div class="blank" role="status" aria-label=${common.loading}><span></span><span></span></div>`;
    }
    if (payees.length === 0) return html`${problem}${notice(ChartBar, summary.empty)}${statement}`;
    return html`${this.#top(payees)} ${statement} ${this.#table(payees)} ${problem}
      ${
        this.cursor === undefined
          ? nothing
          : html`<button class="more" ?disabled=${this.loading} @click=${() => this.#more()}>
              ${this.loading ? common.loading : summary.more}
            </button>`
      }`;
  }

  #top(payees: readonly SummaryPayee[]): TemplateResult {
    const { session, store, words } = this.context;
    const { summary } = wordsOf("receipts");
    const bars = payees.slice(0, MAX_BARS).map(({ payee, total }) => ({
      ...{ name: payee, text: this.#sum(total) },
      // The lengths would reveal what the figures hide.
      value: session.masked ? 0 : total,
    }));
    const { masked, me } = this.context.session;
    const currency = me?.currency ?? this.#payments[0]?.currency ?? "COP";
    const total = masked
      ? html`<span class="money middle">${HIDDEN_AMOUNT}</span>`
      : money(totalOf(payees), currency, "middle");
    const hasMore = this.month === "" && this.cursor !== undefined;
    return html`<p class="soft small">${summary.lead}</p>
      ${this.month === "" || store.isComplete ? nothing : html`<p class="warn small">${words.search.loadingOlder}</p>`}
      <section class="card" aria-labelledby="chart">
        <p class="sum"><span class="soft small">${summary.total}</span>${total}</p>
        <p class="soft tiny">${summary.payees(payees.length)}${hasMore ? " …" : ""}</p>
        <h2 id="chart">${payees.length > MAX_BARS ? summary.largest(MAX_BARS) : summary.chart}</h2>
        ${barChart(bars, summary.chart)}
      </section>`;
  }

  #table(payees: readonly SummaryPayee[]): TemplateResult {
    const { clock, words } = this.context;
    const { summary } = wordsOf("receipts");
    return html`<table>
      <caption>
        ${summary.table}
      </caption>
      <thead>
        <tr>
          <th scope="col">${summary.payee}</th>
          <th scope="col" class="number">${summary.payments}</th>
          <th scope="col" class="number">${summary.total}</th>
        </tr>
      </thead>
      <tbody>
        ${payees.map(
          ({ last_at, payee, payments, total }) => html`<tr>
            <th scope="row">
              ${payee}<span class="soft tiny">${summary.last}: ${formatDay(last_at, words.tag, clock.now())}</span>
            </th>
            <td class="number" data-name=${summary.payments}>${payments}</td>
            <td class="number" data-name=${summary.total}><bdi>${this.#sum(total)}</bdi></td>
          </tr>`,
        )}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row">${summary.total}</th>
          <td class="number" data-name=${summary.payments}>
            ${payees.reduce((count, { payments }) => count + payments, 0)}
          </td>
          <td class="number" data-name=${summary.total}><bdi>${this.#sum(totalOf(payees))}</bdi></td>
        </tr>
      </tfoot>
    </table>`;
  }

  #failure(problem: ShownProblem): TemplateResult {
    const { words } = this.context;
    const way = html`<button @click=${() => this.#loadPages()}>${words.common.retry}</button>`;
    return html`<div role="alert">
      ${notice(WifiOff, sentenceOf(words, problem, "looking"), { tone: "warn", way })}
    </div>`;
  }

  #takeStatement({ month }: StatementCard): void {
    this.statementMonth = month;
  }

  #more(): void {
    this.#pages += 1;
    own(this.#loadPages());
  }

  #retry(): void {
    if (this.problem !== undefined) own(this.#loadPages());
  }

  /** Loads the pages that are still missing: all that were shown, where the person comes back to them. */
  async #loadPages(): Promise<void> {
    if (this.loading) return;
    this.loading = true;
    this.problem = undefined;
    try {
      const { session } = this.context;
      if (session.me === undefined) await session.refresh();
      do await this.#loadPage();
      while (this.#loaded < this.#pages && this.cursor !== undefined);
    } catch (error) {
      this.problem = problemOf(error);
    }
    this.loading = false;
  }

  async #loadPage(): Promise<void> {
    const { cursor } = this;
    const query = { limit: PAGE_SIZE, ...(cursor === undefined ? {} : { cursor }) };
    const { body, nextCursor } = await this.context.api.mySummary({ query });
    this.payees = joined(this.payees ?? [], body);
    this.cursor = nextCursor;
    this.#loaded += 1;
  }
}

/** Merges two pages: a payee of both is shown once, as in the later one; the largest come first. */
function joined(known: readonly SummaryPayee[], more: readonly SummaryPayee[]): readonly SummaryPayee[] {
  const byId = new Map([...known, ...more].map((payee) => [payee.payee_id, payee]));
  return [...byId.values()].sort((one, other) => other.total - one.total);
}

function totalOf(payees: readonly SummaryPayee[]): string {
  return sumText(payees.map(({ total }) => total));
}

customElements.get("cupo-summary-page") ?? customElements.define("cupo-summary-page", SummaryPage);
