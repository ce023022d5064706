import { html, LitElement, type TemplateResult } from "lit";
import Copy from "lucide-static/dist/esm/icons/copy.mjs";
import type { personContract } from "../../src/contract/broker/broker.ts";
import type { AnswerOf } from "../../src/contract/shared/operation.ts";
import { formatCountdown } from "../../src/time-format.ts";
import { Countdown } from "../../widgets/shared/countdown.ts";
import { browserPlatform } from "../../widgets/shared/platform.ts";
import { qrPlate, qrPlateStyles } from "../components/qr-plate.ts";
import type { AppContext } from "../context/app-context.ts";
import { icon } from "../design/icon.ts";
import { base, controls, surfaces } from "../design/styles.ts";
import { wordsOf } from "../language/language.ts";
import { copyText } from "../share/copy-text.ts";
import { profileStyles } from "./profile-styles.ts";

/** The broker's answer to inviting another device: the enrolment's link, its six digits, and the time left for them. */
export type InvitationLink = AnswerOf<typeof personContract.inviteDevice>;

/** Interval of the checks whether the other device has used it. */
const POLL_MS = 4_000;

/**
 * Shows an invitation for another device until it is used or over: its link as a code to scan, and apart from that the
 * digits to be typed there. Dispatches `poll` every four seconds, for its parent to ask the broker if the other
 * device has used it, and `closed` when the person closes it.
 */
export class DeviceInvitation extends LitElement {
  static override properties = {
    context: { attribute: false },
    invitation: { attribute: false },
    secondsLeft: { state: true },
    copied: { state: true },
  };

  declare context: AppContext;
  declare invitation: InvitationLink;
  declare secondsLeft: number;
  declare copied: boolean;
  #stopLooking: () => void = () => undefined;
  readonly #countdown = new Countdown(browserPlatform, [], {
    tick: () => {
      this.secondsLeft = this.#countdown.secondsLeft ?? 0;
    },
    mark: () => undefined,
    end: () => this.#stopLooking(),
  });

  static override styles = [base, controls, surfaces, qrPlateStyles, profileStyles];

  constructor() {
    super();
    this.secondsLeft = 0;
    this.copied = false;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#countdown.countTo(browserPlatform.now(), this.invitation.expires_in);
    const timer = setInterval(() => this.dispatchEvent(new Event("poll")), POLL_MS);
    this.#stopLooking = () => clearInterval(timer);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#stopLooking();
    this.#countdown.pause();
  }

  override focus(): void {
    this.renderRoot.querySelector<HTMLElement>("#how")?.focus();
  }

  override render(): TemplateResult {
    const { common } = this.context.words;
    const { devices: words } = wordsOf("account");
    const close = html`<button @click=${() => this.dispatchEvent(new Event("closed"))}>${common.close}</button>`;
    if (this.secondsLeft === 0) return html`<div class="asked"><p role="status">${words.over}</p>${close}</div>`;
    const { link, code } = this.invitation;
    return html`<div class="asked invitation" role="group" aria-labelledby="how">
      <p id="how" class="small" tabindex="-1">${words.inviteText}</p>
      ${qrPlate(link, words.qrLabel)}
      <p class="soft small">${words.code}</p>
      <p class="digits"><strong>${code}</strong></p>
      <p class="soft tiny">${words.codeText}</p>
      <p class="soft tiny" role="timer">${words.expiresIn(formatCountdown(this.secondsLeft))}</p>
      <div class="pair">
        <button @click=${this.#copy}>${icon(Copy)}${this.copied ? common.copied : words.copy}</button>
        ${close}
      </div>
    </div>`;
  }

  async #copy(): Promise<void> {
    this.copied = await copyText(this.invitation.link, this.context);
  }
}

customElements.get("cupo-device-invitation") ?? customElements.define("cupo-device-invitation", DeviceInvitation);
