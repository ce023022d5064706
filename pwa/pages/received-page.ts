import { html } from "lit";
import type { Movement } from "../../src/contract/broker/broker.ts";
import type { Sentence } from "../language/words.ts";
import type { Shown } from "../lists/known-movements.ts";
import { ListPage } from "./list-page.ts";

/** States of money that has arrived, also where some of it was refunded later. */
const statuses: ReadonlySet<Movement["status"]> = new Set(["approved", "reversed"]);

/**
 * Page with the money that the person received, newest first, as merchants check their sales; rejected and held
 * payments are left out, refunded ones stay.
 */
export class ReceivedPage extends ListPage {
  override get name(): string {
    return this.context.words.list.received;
  }

  protected override get shown(): Shown {
    return { direction: "received", statuses };
  }

  protected override get empty(): { readonly sentence: Sentence; readonly way: unknown } {
    const { list, tabs } = this.context.words;
    return { sentence: list.emptyReceived, way: html`<a class="button" href="/receive">${tabs.receive}</a>` };
  }
}

customElements.get("cupo-received-page") ?? customElements.define("cupo-received-page", ReceivedPage);
