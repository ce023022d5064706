import { html, type TemplateResult } from "lit";
import type { Sentence } from "../language/words.ts";
import type { Shown } from "../lists/known-movements.ts";
import { ListPage } from "./list-page.ts";

const directions = Object.freeze(["all", "sent", "received"] as const);

/** Page with all movements of the person, sent and received, newest first. */
export class HistoryPage extends ListPage {
  override get name(): string {
    return this.context.words.list.history;
  }

  protected override get shown(): Shown {
    return {};
  }

  protected override get empty(): { readonly sentence: Sentence } {
    return { sentence: this.context.words.list.emptyHistory };
  }

  protected override ways(): TemplateResult {
    const { list } = this.context.words;
    return html`<nav class="ways">
      <a href="/received">${list.received}</a>
      <a href="/summary">${list.statements}</a>
    </nav>`;
  }

  protected override filters(): TemplateResult {
    const { list } = this.context.words;
    const names = { all: list.all, sent: list.sent, received: list.receivedOnly };
    return html`<fieldset>
      <legend class="visually-hidden">${list.filter}</legend>
      ${directions.map(
        (direction) => html`<label>
          <input
            type="radio"
            name="direction"
            .checked=${direction === this.filter.direction}
            @change=${() => this.narrow({ direction })}
          />${names[direction]}
        </label>`,
      )}
    </fieldset>`;
  }
}

customElements.get("cupo-history-page") ?? customElements.define("cupo-history-page", HistoryPage);
