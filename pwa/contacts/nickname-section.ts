import { css, html, LitElement, type TemplateResult } from "lit";
import type { Movement } from "../../src/contract/broker/broker.ts";
import { ApiError } from "../../src/contract/shared/errors.ts";
import { nameFault, tidyName } from "../../src/name-fault.ts";
import type { AppContext } from "../context/app-context.ts";
import { base, controls, surfaces } from "../design/styles.ts";
import { wordsOf } from "../language/language.ts";
import { followKeyboard } from "../platform/keyboard.ts";
import { Nicknames } from "./nicknames.ts";

/** Shows the person's nickname for a movement's counterparty, which nobody else sees, and changes it. */
export class NicknameSection extends LitElement {
  static override properties = {
    context: { attribute: false },
    movement: { attribute: false },
    failure: { state: true },
    busy: { state: true },
  };

  declare context: AppContext;
  declare movement: Movement;
  /** Why the nickname was not saved; empty while it is not so. */
  declare failure: string;
  declare busy: boolean;
  readonly #nicknames = new Nicknames(this, () => this.context);

  static override styles = [
    base,
    controls,
    surfaces,
    css`
      :host {
        display: block;
        margin-top: 16px;
        padding-bottom: var(--cupo-keyboard, 0px);
      }
      .card {
        padding: 0 16px;
      }
      summary {
        min-height: 48px;
        padding: 12px 0;
        font-size: 0.9375rem;
        font-weight: 600;
        overflow-wrap: anywhere;
        cursor: pointer;
      }
      form {
        display: grid;
        gap: 8px;
        padding-bottom: 16px;
      }
    `,
  ];

  constructor() {
    super();
    this.failure = "";
    this.busy = false;
    followKeyboard(this);
  }

  override render(): TemplateResult {
    const { nickname: words } = wordsOf("receipts");
    const nickname = this.#nicknames.all.get(this.movement.counterparty_id);
    return html`<details class="card" @toggle=${this.#turned}>
      <summary>${nickname === undefined ? words.add : `${words.label}: ${nickname}`}</summary>
      <form @submit=${this.#save}>
        <label for="nickname" class="small">${words.label}</label>
        <input
          id="nickname"
          maxlength="40"
          autocomplete="off"
          enterkeyhint="done"
          aria-describedby="hint failure"
          .value=${nickname ?? ""}
        />
        <p id="hint" class="soft tiny">${words.hint}</p>
        <p id="failure" class="bad small" role="alert">${this.failure}</p>
        <button ?disabled=${this.busy}>${words.save}</button>
      </form>
    </details>`;
  }

  get #input(): HTMLInputElement | null {
    return this.renderRoot.querySelector("input");
  }

  #turned = ({ currentTarget }: Event): void => {
    this.failure = "";
    if ((currentTarget as HTMLDetailsElement).open) this.#input?.focus();
  };

  #save = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (this.busy) return;
    const { nickname: words } = wordsOf("receipts");
    const text = tidyName(this.#input?.value ?? "");
    this.failure = text !== "" && nameFault(text) !== undefined ? words.fault : "";
    if (this.failure !== "") return;
    this.busy = true;
    try {
      await this.#nicknames.put(this.movement.counterparty_id, text);
      const details = this.renderRoot.querySelector("details");
      if (details) details.open = false;
      this.renderRoot.querySelector("summary")?.focus();
      this.context.announce(text === "" ? words.removed : words.saved);
    } catch (error) {
      const isFull = error instanceof ApiError && error.code === "not_allowed";
      this.failure = isFull ? words.full : words.failed;
    } finally {
      this.busy = false;
    }
  };
}

customElements.get("cupo-nickname-section") ?? customElements.define("cupo-nickname-section", NicknameSection);
