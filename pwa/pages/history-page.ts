import { html, type TemplateResult } from "lit";
import { StatementDownload } from "../components/statement-download.ts";
import { choices } from "../design/choices.ts";
import type { Sentence } from "../language/words.ts";
import type { Shown } from "../lists/known-movements.ts";
import { recentMonths } from "../statement/download-statement.ts";
import { ListPage } from "./list-page.ts";

const directions = Object.freeze(["all", "sent", "received"] as const);

/** Page with all movements of the person, sent and received, newest first. */
export class HistoryPage extends ListPage {
  readonly #statement = new StatementDownload(this, () => this.context);

  override get name(): string {
    return this.context.words.list.history;
  }

  protected override get shown(): Shown {
    return {};
  }

  protected override get empty(): { readonly sentence: Sentence } {
    return { sentence: this.context.words.list.emptyHistory };
  }

  /** Renders the download of the statement of the month that is shown, of the present one where all are. */
  protected override action(): TemplateResult {
    const [present = ""] = recentMonths(this.context.clock.now(), 1);
    return this.#statement.button("pdf", this.filter.month || present);
  }

  protected override ways(): TemplateResult {
    const { list } = this.context.words;
    return html`<nav class="ways">
        <a href="/received">${list.received}</a>
        <a href="/summary">${list.statements}</a>
      </nav>
      ${this.#statement.status()}`;
  }

  protected override filters(): TemplateResult {
    const { list } = this.context.words;
    const names = { all: list.all, sent: list.sent, received: list.receivedOnly };
    return choices({
      legend: list.filter,
      isLegendHidden: true,
      name: "direction",
      options: directions.map((direction) => ({ value: direction, label: names[direction] })),
      chosen: this.filter.direction,
      choose: (direction) => this.narrow({ direction }),
    });
  }
}

customElements.get("cupo-history-page") ?? customElements.define("cupo-history-page", HistoryPage);
