import { html, type TemplateResult } from "lit";
import Snowflake from "lucide-static/dist/esm/icons/snowflake.mjs";
import { question } from "../components/question.ts";
import type { WelcomePlace } from "../context/welcome-place.ts";
import { icon } from "../design/icon.ts";
import { wordsOf } from "../language/language.ts";
import { own } from "../platform/own.ts";
import { Section } from "./section.ts";

/**
 * Profile section that freezes the person's account, which ends every session: one press, and a second to confirm it.
 */
export class FreezeSection extends Section {
  static override properties = { ...Section.properties, asking: { state: true } };

  declare asking: boolean;

  constructor() {
    super();
    this.asking = false;
  }

  override render(): TemplateResult {
    const { freeze } = wordsOf("account");
    return html`<section class="card" aria-labelledby="title">
      <h2 id="title" tabindex="-1">${freeze.title}</h2>
      <p class="soft small">${freeze.text}</p>
      ${this.faults()}
      ${
        this.asking
          ? this.#question()
          : html`<button class="danger" @click=${this.#begin}>${icon(Snowflake)}${freeze.ask}</button>`
      }
    </section>`;
  }

  /** There is nothing to load. */
  protected override load(): Promise<void> {
    return Promise.resolve();
  }

  /** Shows any failure with the advice to try again, or to ask the provider: this cannot wait. */
  protected override tell(error: unknown): void {
    super.tell(error);
    if (this.failure !== undefined)
      this.failure = { title: this.failure.title, text: wordsOf("account").freeze.failed };
  }

  #question(): TemplateResult {
    const { devices, freeze } = wordsOf("account");
    const leave = { label: devices.cancel, act: () => this.#cancel() };
    return question(freeze.asking, leave, {
      label: freeze.confirm,
      act: () => this.#freeze(),
      busy: this.busy !== "",
    });
  }

  #begin(): void {
    this.failure = undefined;
    this.asking = true;
    own(this.focusOn("#question"));
  }

  #cancel(): void {
    this.asking = false;
    own(this.focusOn("h2"));
  }

  /** Freezes the account, which ends this session like all others. */
  async #freeze(): Promise<void> {
    const { api, attempts, router, session } = this.context;
    await this.act("freeze", async () => {
      await api.freezeMe({});
      await session.forget();
      attempts.clear();
      router.go("/welcome", { replace: true, state: { frozen: true } satisfies WelcomePlace });
    });
  }
}

customElements.get("cupo-freeze-section") ?? customElements.define("cupo-freeze-section", FreezeSection);

declare global {
  interface HTMLElementTagNameMap {
    "cupo-freeze-section": FreezeSection;
  }
}
