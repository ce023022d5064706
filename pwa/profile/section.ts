import { html, LitElement, nothing, type TemplateResult } from "lit";
import { ApiError } from "../../src/contract/errors.ts";
import type { AppContext } from "../app-context.ts";
import { told } from "../components/told.ts";
import { accountWords } from "../language/account/load-account-words.ts";
import { type Sentence, sentenceOf } from "../language/words.ts";
import type { PasskeyFault } from "../passkey/passkey-fault.ts";
import { refusedPasskey } from "../passkey/refused-passkey.ts";
import { problemOf } from "../payment/problem.ts";

/** One part of the profile: given the context as a page is, it asks for its own things and says what went wrong. */
export abstract class Section extends LitElement {
  static override properties = {
    context: { attribute: false },
    told: { state: true },
    unloaded: { state: true },
    busy: { state: true },
  };

  declare context: AppContext;
  /** What went wrong last. */
  declare told: Sentence | undefined;
  /** Whether what the section shows could not be asked for. */
  declare unloaded: boolean;
  /** What is under way, if anything: one thing at a time. */
  declare busy: string;

  constructor() {
    super();
    this.unloaded = false;
    this.busy = "";
  }

  override connectedCallback(): void {
    super.connectedCallback();
    void this.ask();
  }

  /** Asks the broker for what the section shows. */
  protected abstract load(): Promise<void>;

  /** Loads, and says so where that fails. */
  protected async ask(): Promise<void> {
    this.told = undefined;
    this.unloaded = false;
    try {
      await this.load();
    } catch (error) {
      this.unloaded = true;
      this.tell(error);
    }
  }

  /** Does one thing that the person asked for, and says so where it fails. */
  protected async act(what: string, action: () => Promise<void>): Promise<void> {
    if (this.busy !== "") return;
    this.busy = what;
    this.told = undefined;
    try {
      await action();
    } catch (error) {
      this.tell(error);
    }
    this.busy = "";
  }

  /** Says why there is no proof. */
  protected tellFault(fault: PasskeyFault): void {
    this.told = this.context.words.passkey[fault];
  }

  /** Says what an error means here. */
  protected tell(error: unknown): void {
    const { words } = this.context;
    const { devices } = accountWords();
    const own = { device_too_new: devices.tooNew, device_in_first_day: devices.inFirstDay, last_device: devices.last };
    const code = error instanceof ApiError ? error.code : "";
    const refusal = refusedPasskey(error);
    if (refusal !== undefined) this.told = words.passkey[refusal];
    else if (Object.hasOwn(own, code)) this.told = own[code as keyof typeof own];
    else this.told = sentenceOf(words, problemOf(error), "looking");
  }

  /** The place where faults are said, with the way on where there is one. */
  protected faults(): TemplateResult {
    const retry = html`<button class="link" @click=${this.ask}>${this.context.words.common.retry}</button>`;
    return html`<div class="told" role="alert">
      ${told(this.told)}
      ${this.unloaded ? retry : nothing}
    </div>`;
  }

  /** Puts the focus on something once it is there. */
  protected async focusOn(selector: string): Promise<void> {
    await this.updateComplete;
    this.renderRoot.querySelector<HTMLElement>(selector)?.focus();
  }
}
