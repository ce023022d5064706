import { html } from "lit";
import { formatMoney } from "../format/money-format.ts";
import { wordsOf } from "../language/language.ts";
import type { Sentence } from "../language/words.ts";
import type { Shown } from "../lists/known-movements.ts";
import { arrivedStatuses, salesTotal } from "../lists/sales.ts";
import { ListPage } from "./list-page.ts";

/**
 * Page with the money that the person received, newest first, as merchants check their sales; rejected and held
 * payments are left out, refunded ones stay. A merchant sees each day's sum of sales.
 */
export class ReceivedPage extends ListPage {
  override get name(): string {
    return this.context.words.list.received;
  }

  protected override get shown(): Shown {
    return { direction: "received", statuses: arrivedStatuses };
  }

  protected override readonly totalOf: ListPage["totalOf"] = (movements, isOldest) => {
    const { session, store } = this.context;
    const { masked, me } = session;
    if (!me?.business_name || masked || (isOldest && !store.isComplete)) return "";
    return formatMoney(salesTotal(movements), me.currency);
  };

  /** A day's sum is of its sales as they stand now: a later refund changes it, which the page says. */
  protected override ways(): unknown {
    const isShop = Boolean(this.context.session.me?.business_name);
    return isShop ? html`<p class="soft small">${wordsOf("shop").refundsTaken}</p>` : "";
  }

  protected override get empty(): { readonly sentence: Sentence; readonly way: unknown } {
    const { list, tabs } = this.context.words;
    return { sentence: list.emptyReceived, way: html`<a class="button" href="/receive">${tabs.receive}</a>` };
  }
}

customElements.get("cupo-received-page") ?? customElements.define("cupo-received-page", ReceivedPage);
