import { css, html, nothing, type TemplateResult } from "lit";
import { nameOfError } from "../../src/name-of-error.ts";
import { errorMessage } from "../components/error-message.ts";
import { choices, choicesStyles } from "../design/choices.ts";
import { wordsOf } from "../language/language.ts";
import { arrivalText } from "../live/arrival-text.ts";
import { Chime, type Sound } from "../live/chime.ts";
import { own } from "../platform/own.ts";
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

const SOUNDS: readonly Sound[] = ["none", "tones", "says"];
/** The amount that is said when the sound is chosen, in currency units. */
const EXAMPLE = 25_000;

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
    choicesStyles,
    css`
      .push {
        display: grid;
        grid-template-columns: 1fr auto;
        align-items: center;
        gap: 0 16px;
        min-height: 48px;
      }
      .push input {
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
      ${choices<Sound>({
        legend: arrivals.sound,
        name: "sound",
        options: SOUNDS.map((value) => ({ value, label: arrivals.sounds[value] })),
        chosen: this.#chime.chosen,
        choose: (chosen) => this.#chooseSound(chosen),
      })}
      <p class="soft tiny">${arrivals.soundText}</p>
      ${this.push === undefined || this.push === "unsupported" ? nothing : this.#pushChoice(this.push)}
      <div role="alert">${errorMessage(this.failure)}</div>
    </section>`;
  }

  #pushChoice(push: PushState): TemplateResult {
    const { arrivals } = wordsOf("account");
    return html`<label class="push">
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

  #chooseSound(chosen: Sound): void {
    this.#chime.chosen = chosen;
    this.requestUpdate();
    const { context } = this;
    own(this.#chime.play(arrivalText(context, { amount: EXAMPLE, currency: context.session.me?.currency ?? "COP" })));
  }

  async #choosePush({ target }: Event): Promise<void> {
    const { api, language } = this.context;
    const options = { api, language, storage: localStorage };
    await this.act("push", async () => {
      try {
        this.push = await ((target as HTMLInputElement).checked ? turnPushOn(options) : turnPushOff(options));
      } catch (error) {
        await this.load();
        if (!PUSH_FAULTS.has(nameOfError(error))) throw error;
        this.failure = wordsOf("account").arrivals.pushFailed;
      }
    });
  }
}

customElements.get("cupo-arrivals-section") ?? customElements.define("cupo-arrivals-section", ArrivalsSection);
