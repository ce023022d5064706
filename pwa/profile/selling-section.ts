import { html, nothing, type TemplateResult } from "lit";
import ShieldAlert from "lucide-static/dist/esm/icons/shield-alert.mjs";
import type { SellingRequest } from "../../src/contract/broker/merchant-changes.ts";
import { icon } from "../design/icon.ts";
import { wordsOf } from "../language/language.ts";
import { whenText } from "../language/words.ts";
import { askPasskey } from "../passkey/ask-passkey.ts";
import { own } from "../platform/own.ts";
import { Section } from "./section.ts";

/**
 * Profile section with the requests of merchants to sell top-ups that the person's own quota pays for: the person
 * allows each with a passkey, or refuses it. Hidden without requests.
 */
export class SellingSection extends Section {
  static override properties = { ...Section.properties, requests: { state: true } };

  declare requests: readonly SellingRequest[] | undefined;

  override render(): unknown {
    const { selling: words } = wordsOf("account");
    const { requests = [] } = this;
    const isQuiet = requests.length === 0 && this.failure === undefined;
    // An element without a box leaves no gap between its neighbours.
    this.hidden = isQuiet;
    if (isQuiet) return nothing;
    return html`<section class="card" aria-labelledby="title">
      <h2 id="title" tabindex="-1">${words.title}</h2>
      ${this.faults()}
      <ul class="rows">${requests.map((request) => this.#row(request))}</ul>
    </section>`;
  }

  protected override async load(): Promise<void> {
    this.requests = (await this.context.api.mySellingRequests({})).body;
  }

  #row(request: SellingRequest): TemplateResult {
    const { selling: words } = wordsOf("account");
    const { clock, words: spoken } = this.context;
    const { id, merchant, origins, server_keys: keys } = request;
    const { title, text } = words.asks(merchant);
    const keyTexts = keys.map((key) => `${key.id} (${whenText(key.created_at, spoken, clock.now())})`);
    const isBusy = this.busy !== "";
    return html`<li>
      <div class="note newcomer">
        <span class="warn">${icon(ShieldAlert)}</span>
        <div>
          <p><strong>${title}</strong></p>
          <p class="soft">${text}</p>
          ${origins.length === 0 ? nothing : html`<p class="soft tiny">${words.pages(origins.join(", "))}</p>`}
          ${keys.length === 0 ? nothing : html`<p class="soft tiny">${words.keys(keyTexts.join(", "))}</p>`}
        </div>
      </div>
      <div class="pair">
        <button ?disabled=${isBusy} aria-label=${`${words.refuse}: ${merchant}`} @click=${() => this.#refuse(id)}>
          ${words.refuse}
        </button>
        <button ?disabled=${isBusy} aria-label=${`${words.agree}: ${merchant}`} @click=${() => this.#agree(request)}>
          ${words.agree}
        </button>
      </div>
    </li>`;
  }

  async #agree({ id, options }: SellingRequest): Promise<void> {
    await this.act(id, async () => {
      const answer = await askPasskey(options);
      if ("fault" in answer) return this.tellFault(answer.fault);
      await this.context.api.agreeToSelling({ params: { id }, body: { credential: answer.credential } });
      this.#done(id, wordsOf("account").selling.agreed);
    });
  }

  async #refuse(id: string): Promise<void> {
    await this.act(id, async () => {
      await this.context.api.refuseSelling({ params: { id } });
      this.#done(id, wordsOf("account").selling.refused);
    });
  }

  #done(id: string, said: string): void {
    this.requests = this.requests?.filter((request) => request.id !== id);
    this.context.announce(said);
    own(this.focusOn("h2"));
  }
}

customElements.get("cupo-selling-section") ?? customElements.define("cupo-selling-section", SellingSection);

declare global {
  interface HTMLElementTagNameMap {
    "cupo-selling-section": SellingSection;
  }
}
