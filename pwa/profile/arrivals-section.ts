import { css, html, nothing, type TemplateResult } from "lit";
import { nameOfError } from "../../src/name-of-error.ts";
import { errorMessage } from "../components/error-message.ts";
import { wordsOf } from "../language/language.ts";
import { Chime } from "../live/chime.ts";
import { type PushState, pushState, turnPushOff, turnPushOn } from "../store/push-setting.ts";
import { Section } from "./section.ts";

/** The names of what is thrown where the push service is away or refuses (Push API, `subscribe`). */
const PUSH_FAULTS: ReadonlySet<string> = new Set([
  "AbortError",
  "NotAllowedError",
  "NotSupportedError",
  "InvalidStateError",
  "NetworkError",
]);

/**
 * Profile section that turns on or off how this device reports money that arrives: a sound while the app is open, and
 * push messages while it is not.
 */
export class ArrivalsSection extends Section {
  static override properties = { ...Section.properties, push: { state: true } };

  /** Undefined until the browser has been asked. */
  declare push: PushState | undefined;
  readonly #chime = new Chime(localStorage);

  static override styles = [
    ...Section.styles,
    css`
      label {
        display: grid;
        grid-template-columns: 1fr auto;
        align-items: center;
        gap: 0 16px;
        min-height: 48px;
      }
      input {
        grid-row: span 2;
        width: 24px;
        height: 24px;
        margin: 0;
        accent-color: var(--cupo-brand);
      }
    `,
  ];

  override render(): TemplateResult {
    const { arrivals } = wordsOf("account");
    return html`<section class="card" aria-labelledby="title">
      <h2 id="title">${arrivals.title}</h2>
      <label>
        <span>${arrivals.sound}</span>
        <input type="checkbox" switch .checked=${this.#chime.on} @change=${this.#chooseSound} />
        <span class="soft tiny">${arrivals.soundText}</span>
      </label>
      ${this.push === undefined || this.push === "unsupported" ? nothing : this.#pushChoice(this.push)}
      <div role="alert">${errorMessage(this.failure)}</div>
    </section>`;
  }

  #pushChoice(push: PushState): TemplateResult {
    const { arrivals } = wordsOf("account");
    return html`<label>
      <span>${arrivals.push}</span>
      <input
        type="checkbox"
        switch
        .checked=${push === "on"}
        ?disabled=${push === "refused" || this.busy !== ""}
        @change=${this.#choosePush}
      />
      <span class="soft tiny">${push === "refused" ? arrivals.pushRefused : arrivals.pushText}</span>
    </label>`;
  }

  protected override async load(): Promise<void> {
    this.push = await pushState();
  }

  #chooseSound({ target }: Event): void {
    this.#chime.on = (target as HTMLInputElement).checked;
    void this.#chime.play();
  }

  async #choosePush({ target }: Event): Promise<void> {
    const { api, language } = this.context;
    await this.act("push", async () => {
      try {
        this.push = await ((target as HTMLInputElement).checked ? turnPushOn({ api, language }) : turnPushOff({ api }));
      } catch (error) {
        await this.load();
        if (!PUSH_FAULTS.has(nameOfError(error))) throw error;
        this.failure = wordsOf("account").arrivals.pushFailed;
      }
    });
  }
}

customElements.get("cupo-arrivals-section") ?? customElements.define("cupo-arrivals-section", ArrivalsSection);
