import { html, nothing, type TemplateResult } from "lit";
import type { AccountChange } from "../../src/contract/broker/account-changes.ts";
import { wordsOf } from "../language/language.ts";
import { whenText } from "../language/words.ts";
import { Section } from "./section.ts";

/**
 * Profile section that lists the latest changes to the account's security, with their times; the person's other devices
 * are notified of the same changes by push message.
 */
export class ChangesSection extends Section {
  static override properties = { ...Section.properties, changes: { state: true } };

  declare changes: readonly AccountChange[] | undefined;

  override render(): TemplateResult {
    const words = wordsOf("account").changes;
    const { changes } = this;
    return html`<section class="card" aria-labelledby="title">
      <h2 id="title" tabindex="-1">${words.title}</h2>
      ${this.faults()}
      ${changes?.length === 0 ? html`<p class="soft small">${words.none}</p>` : nothing}
      <ul class="rows ${changes === undefined ? "hold" : ""}">${changes?.map((change) => this.#row(change))}</ul>
    </section>`;
  }

  protected override async load(): Promise<void> {
    this.changes = (await this.context.api.myAccountChanges({})).body;
  }

  #row({ kind, at, here }: AccountChange): TemplateResult {
    const { clock, words } = this.context;
    const { here: badge, kinds } = wordsOf("account").changes;
    return html`<li>
      <div class="what">
        <p class="title small">${kinds[kind]} ${here ? html`<span class="badge">${badge}</span>` : nothing}</p>
        <p class="soft tiny">${whenText(at, words, clock.now())}</p>
      </div>
    </li>`;
  }
}

customElements.get("cupo-changes-section") ?? customElements.define("cupo-changes-section", ChangesSection);
