import { html, nothing, type TemplateResult } from "lit";
import CircleX from "lucide-static/dist/esm/icons/circle-x.mjs";
import Clock from "lucide-static/dist/esm/icons/clock.mjs";
import Hourglass from "lucide-static/dist/esm/icons/hourglass.mjs";
import KeyRound from "lucide-static/dist/esm/icons/key-round.mjs";
import Link from "lucide-static/dist/esm/icons/link.mjs";
import ShieldAlert from "lucide-static/dist/esm/icons/shield-alert.mjs";
import WifiOff from "lucide-static/dist/esm/icons/wifi-off.mjs";
import type { personContract } from "../../src/contract/broker/broker.ts";
import { ApiError } from "../../src/contract/shared/errors.ts";
import type { AnswerOf } from "../../src/contract/shared/operation.ts";
import { nameFault, tidyName } from "../../src/name-fault.ts";
import { errorMessage } from "../components/error-message.ts";
import { mark } from "../components/mark.ts";
import { notice, noticeStyles } from "../components/notice.ts";
import { Page } from "../context/page.ts";
import { icon } from "../design/icon.ts";
import { base, controls, surfaces } from "../design/styles.ts";
import { wordsOf } from "../language/language.ts";
import { type Sentence, sentenceOf } from "../language/words.ts";
import { deviceNameOf } from "../passkey/device-name.ts";
import { makePasskey } from "../passkey/make-passkey.ts";
import { unavailablePasskey } from "../passkey/passkey-answer.ts";
import { followKeyboard } from "../platform/keyboard.ts";
import { problemOf } from "../platform/problem.ts";
import "./enrol-done.ts";
import type { WelcomePlace } from "../context/welcome-place.ts";
import { own } from "../platform/own.ts";
import { enrolStyles } from "./enrol-styles.ts";

type Enrolment = AnswerOf<typeof personContract.enrolment>;

/** Stage of the page; all but `asking`, `form` and `done` have a notice each. */
type Stage = "asking" | "missing" | "over" | "waiting" | "notHere" | "offline" | "form" | "done";

const [SECRET, CODE] = [/^en_[\w-]{43}$/, /^\d{6}$/];
const isSignedOut = (error: unknown): boolean => error instanceof ApiError && error.code === "unauthorized";

/**
 * Page on which an invited person or operator makes a passkey on this device, with the six-digit code. The link is
 * `/enrol#SECRET`: the secret is taken out of the address at once and kept in memory alone, and the passkey that is
 * made uses it up.
 */
export class EnrolPage extends Page {
  static override properties = {
    ...Page.properties,
    stage: { state: true },
    enrolment: { state: true },
    fault: { state: true },
    failure: { state: true },
    hasOne: { state: true },
    making: { state: true },
  };

  declare stage: Stage;
  declare enrolment: Enrolment | undefined;
  /** The fault of the code; empty while there is none. */
  declare fault: string;
  /** Why the passkey was not made. */
  declare failure: Sentence | undefined;
  /** True if this device has a passkey of the person already. */
  declare hasOne: boolean;
  declare making: boolean;
  #secret = "";
  #mayPayFrom: string | undefined;

  static override styles = [base, controls, surfaces, noticeStyles, enrolStyles];

  constructor() {
    super();
    this.stage = "asking";
    this.fault = "";
    this.hasOne = false;
    this.making = false;
    followKeyboard(this);
  }

  override get name(): string {
    return wordsOf("account").enrol.name;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    const { fragment, path, state } = this.context.router.place;
    this.context.router.keep(path, state);
    this.#secret = fragment;
    if (SECRET.test(fragment)) own(this.#load());
    else this.stage = "missing";
  }

  override render(): TemplateResult {
    const { common } = this.context.words;
    const { enrolment, stage } = this;
    if (stage === "done") {
      return html`<cupo-enrol-done
        .context=${this.context}
        .person=${this.#firstName}
        .mayPayFrom=${this.#mayPayFrom}
      ></cupo-enrol-done>`;
    }
    if (stage !== "asking" && stage !== "form") return html`<div role="alert">${this.#notice(stage)}</div>`;
    if (enrolment === undefined) return html`<h1 tabindex="-1" aria-busy="true">${common.loading}</h1>`;
    return this.#form(enrolment);
  }

  override focusHeading(): void {
    const done = this.renderRoot.querySelector("cupo-enrol-done");
    if (done === null) super.focusHeading();
    else done.shadowRoot?.querySelector("h1")?.focus();
  }

  #notice(stage: Exclude<Stage, "asking" | "form" | "done">): TemplateResult {
    const { common, confirm, failures, home, looking } = this.context.words;
    const { enrol } = wordsOf("account");
    const again = html`<button class="primary" @click=${this.#load}>${confirm.checkAgain}</button>`;
    const signOut = html`<button @click=${this.#signOut}>${home.signOut}</button>`;
    const signIn = html`<a class="button" href="/welcome">${enrol.signIn}</a>`;
    const offline = { title: failures.no_connection.title, text: looking.no_connection };
    const notices = {
      missing: () => notice(Link, enrol.missing, { heading: 1, way: signIn }),
      over: () => notice(CircleX, enrol.over, { heading: 1, tone: "warn", way: signIn }),
      waiting: () => notice(Hourglass, enrol.waiting, { heading: 1, way: again }),
      notHere: () => notice(ShieldAlert, enrol.notHere, { heading: 1, tone: "warn", way: signOut }),
      offline: () =>
        notice(WifiOff, this.failure ?? offline, {
          heading: 1,
          tone: "warn",
          way: html`<button @click=${this.#load}>${common.retry}</button>`,
        }),
    };
    return notices[stage]();
  }

  #form({ kind, delayed }: Enrolment): TemplateResult {
    const { enrol } = wordsOf("account");
    return html`<form novalidate @submit=${this.#submit}>
      <div class="head">
        ${mark()}
        <h1 tabindex="-1">${enrol.hello(this.#firstName)}</h1>
        <p class="soft">${kind === "operator" ? enrol.operator : enrol.lead}</p>
      </div>
      ${delayed ? html`<p class="note warn">${icon(Clock)}<span>${enrol.delayed}</span></p>` : nothing}
      <label class="field">
        ${enrol.code}
        <input
          id="code"
          class="digits"
          name="code"
          inputmode="numeric"
          enterkeyhint="go"
          autocomplete="one-time-code"
          aria-invalid=${this.fault === "" ? "false" : "true"}
          aria-describedby="hint"
          ?readonly=${this.making}
          @input=${this.#typed}
        />
        <span id="hint" class=${this.fault === "" ? "hint soft" : "fault"} role="alert">
          ${this.fault || enrol.codeHint}
        </span>
      </label>
      <label class="field">
        ${enrol.device}
        <input
          name="device"
          enterkeyhint="go"
          autocomplete="off"
          maxlength="60"
          .defaultValue=${deviceNameOf(navigator.userAgent)}
          ?readonly=${this.making}
        />
      </label>
      <div class="grow" role="alert">
        ${errorMessage(this.failure)}
        ${this.hasOne ? html`<p><a href="/welcome">${enrol.signIn}</a></p>` : nothing}
      </div>
      <button class="primary large" ?disabled=${this.making}>
        ${icon(KeyRound)}${this.making ? enrol.making : enrol.make}
      </button>
    </form>`;
  }

  get #firstName(): string {
    return this.enrolment?.name.split(" ", 1)[0] ?? "";
  }

  #typed(event: InputEvent): void {
    const input = event.target as HTMLInputElement;
    input.value = input.value.replace(/\D/g, "").slice(0, 6);
    this.fault = "";
  }

  async #load(): Promise<void> {
    const { api, words } = this.context;
    this.failure = undefined;
    try {
      const { body } = await api.enrolment({ body: { secret: this.#secret } });
      this.enrolment = body;
      this.stage = body.waiting ? "waiting" : "form";
      const missing = unavailablePasskey();
      if (missing !== undefined) this.failure = words.passkey[missing];
    } catch (error) {
      this.stage = "offline";
      this.#tell(error);
    }
    await this.updateComplete;
    this.focusHeading();
  }

  async #submit(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    const form = event.target as HTMLFormElement;
    const data = new FormData(form);
    const code = String(data.get("code"));
    this.failure = undefined;
    this.fault = CODE.test(code) ? "" : wordsOf("account").enrol.codeMissing;
    if (this.fault !== "") {
      form.querySelector<HTMLInputElement>("#code")?.focus();
      return;
    }
    const device = tidyName(String(data.get("device"))) || deviceNameOf(navigator.userAgent);
    // A name that the broker refused would leave a passkey behind that opens nothing.
    if (nameFault(device) !== undefined) {
      this.failure = wordsOf("account").devices.nameFault;
      return;
    }
    if (!event.isTrusted || this.making) return;
    this.making = true;
    try {
      await this.#make(code, device);
    } catch (error) {
      if (error instanceof ApiError && error.code === "enrolment_code_wrong") await this.#wrong();
      else this.#tell(error);
    }
    this.making = false;
  }

  async #make(code: string, device: string): Promise<void> {
    const { api, lock, session, words } = this.context;
    const { enrol } = wordsOf("account");
    const shown = { secret: this.#secret, code };
    const answer = await makePasskey((await api.startEnrolment({ body: shown })).body.options);
    if ("fault" in answer) {
      const { title, text } = words.passkey[answer.fault];
      this.hasOne = answer.fault === "already";
      this.failure = { title, text: this.hasOne ? text : `${text} ${enrol.stillGood}` };
      return;
    }
    const { body } = await api.finishEnrolment({ body: { ...shown, credential: answer.credential, device } });
    this.#secret = "";
    if (this.enrolment?.kind === "operator") return this.#welcome({ operator: true });
    if (!body.signed_in) return this.#welcome({ frozen: true });
    session.expect(String(answer.credential.id));
    lock.unlock();
    // The browser may have dropped the session's cookie; without an answer the next page asks again.
    if (await session.refresh().then(() => false, isSignedOut)) return this.#welcome({ notKept: true });
    this.#mayPayFrom = body.may_pay_from;
    this.stage = "done";
    await this.updateComplete;
    await this.renderRoot.querySelector("cupo-enrol-done")?.updateComplete;
    this.focusHeading();
  }

  #welcome(state: WelcomePlace): void {
    this.context.router.go("/welcome", { replace: true, state });
  }

  /** Signs the operator out, and asks for the invitation again, which stays with this page. */
  async #signOut(): Promise<void> {
    try {
      await this.context.session.signOut();
      await this.#load();
    } catch (error) {
      this.#tell(error);
      this.stage = "offline";
    }
  }

  /** Asks the broker how many tries are left, which it alone knows: the same link may be open elsewhere. */
  async #wrong(): Promise<void> {
    const { api } = this.context;
    try {
      const { tries_left: left } = (await api.enrolment({ body: { secret: this.#secret } })).body;
      this.fault = wordsOf("account").enrol.wrong(left);
      this.renderRoot.querySelector<HTMLInputElement>("#code")?.select();
    } catch (error) {
      this.#tell(error);
    }
  }

  #tell(error: unknown): void {
    const { words } = this.context;
    const code = error instanceof ApiError ? error.code : undefined;
    if (code === "enrolment_not_found") this.stage = "over";
    else if (code === "enrolment_waiting") this.stage = "waiting";
    else if (code === "not_allowed") this.stage = "notHere";
    else this.failure = sentenceOf(words, problemOf(error), "looking");
  }
}

customElements.get("cupo-enrol-page") ?? customElements.define("cupo-enrol-page", EnrolPage);
