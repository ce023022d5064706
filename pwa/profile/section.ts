import { type CSSResult, html, LitElement, nothing, type TemplateResult } from "lit";
import { ApiError } from "../../src/contract/shared/errors.ts";
import { errorMessage } from "../components/error-message.ts";
import type { AppContext } from "../context/app-context.ts";
import { base, controls, surfaces } from "../design/styles.ts";
import { wordsOf } from "../language/language.ts";
import { type Sentence, sentenceOf } from "../language/words.ts";
import type { PasskeyFault } from "../passkey/passkey-fault.ts";
import { refusedPasskey } from "../passkey/refused-passkey.ts";
import { own } from "../platform/own.ts";
import { problemOf } from "../platform/problem.ts";
import { profileStyles } from "./profile-styles.ts";

/**
 * Base class of profile sections that load data: each is given the context as a page is, loads its own data, runs one
 * action at a time, and shows its failures.
 */
export abstract class Section extends LitElement {
  static override properties = {
    context: { attribute: false },
    failure: { state: true },
    unloaded: { state: true },
    busy: { state: true },
  };

  static override styles: CSSResult[] = [base, controls, surfaces, profileStyles];

  declare context: AppContext;
  /** The last failure. */
  declare failure: Sentence | undefined;
  /** True if the section's data could not be loaded. */
  declare unloaded: boolean;
  /** The action under way, or empty: one at a time. */
  declare busy: string;

  constructor() {
    super();
    this.unloaded = false;
    this.busy = "";
  }

  override connectedCallback(): void {
    super.connectedCallback();
    own(this.ask());
  }

  /** Loads the section's data from the broker. */
  protected abstract load(): Promise<void>;

  /** Loads the data, and shows a failure. */
  protected async ask(): Promise<void> {
    this.failure = undefined;
    this.unloaded = false;
    try {
      await this.load();
    } catch (error) {
      this.unloaded = true;
      this.tell(error);
    }
  }

  /** Runs one action of the person, and shows a failure. */
  protected async act(what: string, action: () => Promise<void>): Promise<void> {
    if (this.busy !== "") return;
    this.busy = what;
    this.failure = undefined;
    try {
      await action();
    } catch (error) {
      this.tell(error);
    }
    this.busy = "";
  }

  /** Shows why there is no proof by passkey. */
  protected tellFault(fault: PasskeyFault): void {
    this.failure = this.context.words.passkey[fault];
  }

  /** Shows what an error means here. */
  protected tell(error: unknown): void {
    const { words } = this.context;
    const { devices } = wordsOf("account");
    const own = { device_too_new: devices.tooNew, device_in_first_day: devices.inFirstDay, last_device: devices.last };
    const code = error instanceof ApiError ? error.code : "";
    const refusal = refusedPasskey(error);
    if (refusal !== undefined) this.failure = words.passkey[refusal];
    else if (Object.hasOwn(own, code)) this.failure = own[code as keyof typeof own];
    else this.failure = sentenceOf(words, problemOf(error), "looking");
  }

  /** Renders the last failure, with a retry where loading failed. */
  protected faults(): TemplateResult {
    const retry = html`<button class="link" @click=${this.ask}>${this.context.words.common.retry}</button>`;
    return html`<div class="failure" role="alert">
      ${errorMessage(this.failure)}
      ${this.unloaded ? retry : nothing}
    </div>`;
  }

  /** Focuses an element once it is rendered. */
  protected async focusOn(selector: string): Promise<void> {
    await this.updateComplete;
    this.renderRoot.querySelector<HTMLElement>(selector)?.focus();
  }
}
