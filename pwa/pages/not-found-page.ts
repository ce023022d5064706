import { html, type TemplateResult } from "lit";
import Compass from "lucide-static/dist/esm/icons/compass.mjs";
import { notice, noticeStyles } from "../components/notice.ts";
import { Page } from "../context/page.ts";
import { base, controls } from "../design/styles.ts";

/** Page for an address that the app does not have. */
export class NotFoundPage extends Page {
  static override styles = [base, controls, noticeStyles];

  override get name(): string {
    return this.context.words.notFound.title;
  }

  override render(): TemplateResult {
    const { common, notFound } = this.context.words;
    return notice(Compass, notFound, { heading: 1, way: html`<a class="button primary" href="/">${common.home}</a>` });
  }
}

customElements.get("cupo-not-found-page") ?? customElements.define("cupo-not-found-page", NotFoundPage);
