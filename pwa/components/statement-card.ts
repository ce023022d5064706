import { css, html, LitElement, type TemplateResult } from "lit";
import { formatMonth } from "../../src/time-format.ts";
import type { AppContext } from "../context/app-context.ts";
import { base, controls, surfaces } from "../design/styles.ts";
import { wordsOf } from "../language/language.ts";
import { recentMonths } from "../statement/download-statement.ts";
import { StatementDownload } from "./statement-download.ts";

const MONTHS = 12;
const FORMS = ["pdf", "csv"] as const;

/**
 * Card in which a person chooses one of the last twelve months and downloads its statement as PDF or CSV.
 *
 * @fires {Event} change - The person chose another month.
 */
export class StatementCard extends LitElement {
  static override properties = {
    context: { attribute: false },
    month: { attribute: false },
  };

  declare context: AppContext;
  /** The chosen month, such as `2026-03`; any that has no statement here stands for the present one. */
  declare month: string;
  readonly #download = new StatementDownload(this, () => this.context);

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
      <div class="pair">${FORMS.map((form) => this.#download.button(form, this.#chosen, statement[form]))}</div>
      ${this.#download.status()}
    </section>`;
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

  #choose = (event: Event): void => {
    this.month = (event.currentTarget as HTMLSelectElement).value;
    this.#download.clear();
    this.dispatchEvent(new Event("change"));
  };
}

customElements.get("cupo-statement-card") ?? customElements.define("cupo-statement-card", StatementCard);
