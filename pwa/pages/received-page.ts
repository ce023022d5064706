import { html, type TemplateResult } from "lit";
import RefreshCw from "lucide-static/dist/esm/icons/refresh-cw.mjs";
import { noticeStyles } from "../components/notice.ts";
import { listBody } from "../lists/list-body.ts";
import { MovementPages } from "../lists/movement-pages.ts";
import { icon } from "../look/icon.ts";
import { base, controls } from "../look/styles.ts";
import { Page } from "../page.ts";
import { listStyles } from "./list-styles.ts";

const PAGE_SIZE = "30";

/** Money that arrived: what a merchant looks at. */
export class ReceivedPage extends Page {
  declare pages: MovementPages;

  static override styles = [base, controls, noticeStyles, listStyles];

  override get name(): string {
    return this.context.words.list.received;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.pages = new MovementPages((cursor) =>
      this.context.api.myReceived({ query: { limit: PAGE_SIZE, ...(cursor === undefined ? {} : { cursor }) } }),
    );
    this.pages.addEventListener("change", () => this.requestUpdate());
    void this.pages.refresh();
  }

  override render(): TemplateResult {
    const { common, list, tabs } = this.context.words;
    return html`<header>
        <h1 tabindex="-1">${list.received}</h1>
        <button class="plain round" aria-label=${common.refresh} @click=${() => this.pages.refresh()}>
          ${icon(RefreshCw)}
        </button>
      </header>
      ${listBody(this.pages, this.context, {
        sentence: list.emptyReceived,
        way: html`<a class="button" href="/receive">${tabs.receive}</a>`,
      })}`;
  }
}

customElements.get("cupo-received-page") ?? customElements.define("cupo-received-page", ReceivedPage);

declare global {
  interface HTMLElementTagNameMap {
    "cupo-received-page": ReceivedPage;
  }
}
