import { css, html, LitElement, nothing, type TemplateResult } from "lit";
import FileDown from "lucide-static/dist/esm/icons/file-down.mjs";
import { ApiError } from "../../src/contract/shared/errors.ts";
import { formatMonth } from "../../src/time-format.ts";
import type { AppContext } from "../context/app-context.ts";
import { icon } from "../design/icon.ts";
import { base, controls, surfaces } from "../design/styles.ts";
import { wordsOf } from "../language/language.ts";
import { sentenceOf } from "../language/words.ts";
import { problemOf } from "../platform/problem.ts";
import {
  fetchStatement,
  keepFile,
  recentMonths,
  type StatementAsked,
  statementFileName,
} from "../statement/download-statement.ts";

type Form = StatementAsked["form"];

const MONTHS = 12;
const FORMS: readonly Form[] = ["pdf", "csv"];

/**
 * Card in which a person chooses one of the last twelve months and downloads its statement as PDF or CSV.
 *
 * @fires {Event} change - The person chose another month.
 */
export class StatementCard extends LitElement {
  static override properties = {
    context: { attribute: false },
    month: { attribute: false },
    preparing: { state: true },
    said: { state: true },
  };

  declare context: AppContext;
  /** The chosen month, such as `2026-03`; any that has no statement here stands for the present one. */
  declare month: string;
  /** The format that is being fetched. */
  declare preparing: Form | undefined;
  declare said: { readonly text: string; readonly failed: boolean } | undefined;

  static override styles = [
    ...[base, controls, surfaces],
    css`
      .card {
        display: grid;
        gap: 12px;
      }
      h2 {
        font-size: 1.0625rem;
        line-height: 1.5rem;
      }
      label {
        display: grid;
        gap: 4px;
      }
    `,
  ];

  constructor() {
    super();
    this.month = "";
  }

  override render(): TemplateResult {
    const { statement } = wordsOf("receipts");
    return html`<section class="card" aria-labelledby="title">
      <h2 id="title">${statement.title}</h2>
      <p class="soft small">${statement.lead}</p>
      <label
        ><span class="soft small">${statement.month}</span>
        <select @change=${this.#choose}>
          ${this.#months.map((month) => this.#option(month))}
        </select>
      </label>
      <div class="pair">${FORMS.map((form) => this.#button(form))}</div>
      ${this.#saying()}
    </section>`;
  }

  /** Renders the status even while it is empty, so that screen readers observe it from the start. */
  #saying(): TemplateResult {
    const { statement } = wordsOf("receipts");
    const { preparing, said } = this;
    const done = said?.failed === false ? said.text : "";
    const status = preparing === undefined ? done : statement.preparing;
    return html`<p role="status" class="small ${status === "" ? "visually-hidden" : "soft"}">${status}</p>
      ${said?.failed === true ? html`<p role="alert" class="small bad">${said.text}</p>` : nothing}`;
  }

  #option(month: string): TemplateResult {
    const name = formatMonth(month, this.context.words.tag);
    return html`<option value=${month} ?selected=${month === this.#chosen}>${name}</option>`;
  }

  get #months(): readonly string[] {
    return recentMonths(this.context.clock.now(), MONTHS);
  }

  get #chosen(): string {
    const [present = ""] = this.#months;
    return this.#months.includes(this.month) ? this.month : present;
  }

  #button(form: Form): TemplateResult {
    const { statement } = wordsOf("receipts");
    return html`<button
      aria-label="${statement.title}, ${statement[form]}"
      aria-busy=${this.preparing === form}
      ?disabled=${this.preparing !== undefined}
      @click=${() => this.#download(form)}
    >
      ${icon(FileDown)}${statement[form]}
    </button>`;
  }

  #choose = (event: Event): void => {
    this.month = (event.currentTarget as HTMLSelectElement).value;
    this.said = undefined;
    this.dispatchEvent(new Event("change"));
  };

  async #download(form: Form): Promise<void> {
    const { statement } = wordsOf("receipts");
    const { language, session } = this.context;
    const personId = session.me?.id ?? session.personId;
    const asked: StatementAsked = { form, month: this.#chosen, language, personId };
    this.preparing = form;
    this.said = undefined;
    try {
      keepFile(await fetchStatement(asked, (...call) => fetch(...call)), statementFileName(asked), document);
      this.said = { text: statement.ready, failed: false };
    } catch (error) {
      this.said = { text: await this.#failure(error, form), failed: true };
    }
    this.preparing = undefined;
  }

  async #failure(error: unknown, form: Form): Promise<string> {
    const { api, words } = this.context;
    const { statement } = wordsOf("receipts");
    if (error instanceof ApiError && error.code === "invalid_request" && form === "pdf") return statement.tooMany;
    if (error instanceof ApiError && error.code === "month_not_closed") return statement.notClosed;
    // The session is over or another person's: `me` makes the app show the welcome page or that person.
    const code = error instanceof ApiError ? error.code : "";
    if (["unauthorized", "another_person"].includes(code)) await api.me({}).catch(() => undefined);
    const problem = problemOf(error);
    if (problem.failure === "something_wrong") return statement.failed;
    const { title, text } = sentenceOf(words, problem, "looking");
    return `${title}. ${text}`;
  }
}

customElements.get("cupo-statement-card") ?? customElements.define("cupo-statement-card", StatementCard);
