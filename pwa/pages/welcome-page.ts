import { html, nothing, type TemplateResult } from "lit";
import ChevronRight from "lucide-static/dist/esm/icons/chevron-right.mjs";
import KeyRound from "lucide-static/dist/esm/icons/key-round.mjs";
import { ApiError } from "../../src/contract/shared/errors.ts";
import { avatar } from "../../widgets/shared/avatar.ts";
import { errorMessage } from "../components/error-message.ts";
import { mark } from "../components/mark.ts";
import { Page } from "../context/page.ts";
import type { WelcomePlace } from "../context/welcome-place.ts";
import { icon } from "../design/icon.ts";
import { base, controls, surfaces } from "../design/styles.ts";
import { wordsOf } from "../language/language.ts";
import { type Sentence, sentenceOf } from "../language/words.ts";
import { askPasskey } from "../passkey/ask-passkey.ts";
import { refusedPasskey } from "../passkey/refused-passkey.ts";
import { attemptIn } from "../payment/return-place.ts";
import type { Api } from "../platform/api.ts";
import { problemOf } from "../platform/problem.ts";
import { welcomeStyles } from "./welcome-styles.ts";

type DemoPerson = Awaited<ReturnType<Api["demoPeople"]>>["body"][number];

/** Value of `entering` while a passkey is asked for; demo people have names of their own. */
const BY_PASSKEY = "passkey";

/** The place at which a person who lost a phone ends its sessions, or freezes the account. */
const SESSIONS = "/profile#sessions";

/** Longest wait for the people of the demo, before the page is shown without them. */
const DEMO_PEOPLE_TIMEOUT_MS = 1_500;

function later(durationMs: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, durationMs));
}

/**
 * Sign-in page: by passkey, without a user name, or as a person of the demo. It also refers invited people to their
 * link, tells people without their phone what they can do, and tells operators, and people whose account is frozen,
 * that they cannot enter.
 */
export class WelcomePage extends Page {
  static override properties = {
    ...Page.properties,
    people: { state: true },
    failure: { state: true },
    unasked: { state: true },
    entering: { state: true },
  };

  /** Empty while they are asked for, and where there is no demo. */
  declare people: readonly DemoPerson[];
  /** The last failure. */
  declare failure: Sentence | undefined;
  /** True if the people of the demo could not be loaded. */
  declare unasked: boolean;
  declare entering: string;
  #asked: Promise<void> | undefined;

  static override styles = [base, controls, surfaces, welcomeStyles];

  constructor() {
    super();
    this.people = [];
    this.unasked = false;
    this.entering = "";
  }

  override get name(): string {
    return wordsOf("welcome").title;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    if (this.#place.frozen === true) this.failure = this.context.words.passkey.frozen;
    if (this.#place.notKept === true) this.failure = wordsOf("welcome").notKept;
    this.toggleAttribute("asking", true);
    this.#asked = Promise.race([this.#load(), later(DEMO_PEOPLE_TIMEOUT_MS)]).then(() => {
      this.toggleAttribute("asking", false);
    });
  }

  /** Waits until everything can be shown at once, so that nothing moves under a finger. */
  protected override async getUpdateComplete(): Promise<boolean> {
    await this.#asked;
    return super.getUpdateComplete();
  }

  override render(): TemplateResult {
    const { attempts, router, words } = this.context;
    const welcome = wordsOf("welcome");
    const wasApproving = attempts.find(attemptIn(router.place.state))?.sent === true;
    const stranger = { title: welcome.title, text: wasApproving ? welcome.interrupted : welcome.lead };
    const { title, text } = this.#isOperator ? welcome.operator : stranger;
    return html`<div class="hero">
        ${mark()}
        <h1 tabindex="-1">${title}</h1>
        <p class="soft">${text}</p>
      </div>
      <div class="failure" role="alert">
        ${errorMessage(this.failure)}
        ${this.unasked ? html`<button class="link" @click=${this.#again}>${words.common.retry}</button>` : nothing}
      </div>
      ${this.#isOperator ? this.#wayOut() : this.#way()}
      <div class="people">${this.#demo()}</div>`;
  }

  #way(): TemplateResult {
    const welcome = wordsOf("welcome");
    const asking = this.entering === BY_PASSKEY;
    return html`<button class="primary large" ?disabled=${this.entering !== ""} @click=${() => this.#enterByPasskey()}>
        ${icon(KeyRound)}${asking ? this.context.words.lock.asking : welcome.signIn}
      </button>
      <p class="invited soft small">${welcome.invitedText}</p>
      ${this.#lost()}`;
  }

  /** Renders the ways that a person without the phone has at once: another device, a synced passkey here, a call. */
  #lost(): TemplateResult {
    const { after, elsewhere, neither, synced, title } = wordsOf("welcome").lost;
    const way = ({ title, text }: Sentence, act: unknown = nothing): TemplateResult =>
      html`<li><p class="small"><strong>${title}</strong></p><p class="soft small">${text}</p>${act}</li>`;
    const enter = html`<button ?disabled=${this.entering !== ""} @click=${() => this.#enterByPasskey(SESSIONS)}>
      ${icon(KeyRound)}${synced.enter}
    </button>`;
    return html`<details class="lost">
      <summary>${title}</summary>
      <ul class="card">${way(elsewhere)} ${way(synced, enter)} ${way(neither)}</ul>
      <p class="soft small">${after}</p>
    </details>`;
  }

  #demo(): unknown {
    if (this.people.length === 0) return nothing;
    return html`<p class="soft small">${wordsOf("welcome").demo}</p>
      ${this.people.map((person) => this.#button(person))}`;
  }

  #wayOut(): TemplateResult {
    const { home } = this.context.words;
    return html`<button class="large" @click=${this.#signOut}>${home.signOut}</button>`;
  }

  #button({ person, name, role }: DemoPerson): TemplateResult {
    const welcome = wordsOf("welcome");
    return html`<button class="person" ?disabled=${this.entering !== ""} @click=${() => this.#enterAs(person)}>
      ${avatar(name)}
      <span>
        <span class="name">${welcome.continueAs(name)}</span><span class="soft tiny">${welcome.roles[role]}</span>
      </span>
      ${icon(ChevronRight)}
    </button>`;
  }

  get #isOperator(): boolean {
    return this.#place.operator === true;
  }

  get #place(): WelcomePlace {
    return (this.context.router.place.state ?? {}) as WelcomePlace;
  }

  async #load(): Promise<void> {
    this.unasked = false;
    try {
      this.people = (await this.context.api.demoPeople({})).body;
    } catch (error) {
      // Where there is no demo, nothing is missing.
      if (error instanceof ApiError && error.status === 404) return;
      this.#tell(error);
      this.unasked = true;
    }
  }

  async #again(): Promise<void> {
    this.failure = undefined;
    await this.#load();
  }

  async #signOut(): Promise<void> {
    try {
      await this.context.session.signOut();
      this.context.router.go("/welcome", { replace: true });
    } catch (error) {
      this.#tell(error);
    }
  }

  /** Signs in by passkey, and goes to a place of the person's choice instead of the one that was wanted before. */
  async #enterByPasskey(chosen?: string): Promise<void> {
    const { api, router, session, words } = this.context;
    const enter = async (): Promise<boolean> => {
      const answer = await askPasskey((await api.startSignIn({})).body.options);
      if ("fault" in answer) {
        this.failure = words.passkey[answer.fault];
        return false;
      }
      await api.signIn({ body: answer });
      session.expect(String(answer.credential.id));
      if (chosen !== undefined) router.keep(router.place.path, { ...this.#place, path: chosen, handed: undefined });
      return true;
    };
    await this.#enter(BY_PASSKEY, enter);
  }

  async #enterAs(person: string): Promise<void> {
    const { api, session } = this.context;
    await this.#enter(person, async () => {
      await api.demoSignIn({ body: { person } });
      session.expect();
      return true;
    });
  }

  /** Signs somebody in, and asks who it is: the answer redirects an operator. */
  async #enter(who: string, signIn: () => Promise<boolean>): Promise<void> {
    this.entering = who;
    this.failure = undefined;
    this.unasked = false;
    let isSignedIn = false;
    try {
      isSignedIn = await signIn();
      if (isSignedIn) {
        await this.context.session.refresh();
        this.context.signedIn();
      }
    } catch (error) {
      // The broker began a session, and the browser dropped its cookie.
      const isLost = isSignedIn && error instanceof ApiError && error.code === "unauthorized";
      if (isLost) this.failure = wordsOf("welcome").notKept;
      else this.#tell(error);
    }
    this.entering = "";
  }

  #tell(error: unknown): void {
    const { words } = this.context;
    const refusal = refusedPasskey(error);
    this.failure = refusal === undefined ? sentenceOf(words, problemOf(error), "looking") : words.passkey[refusal];
  }
}

customElements.get("cupo-welcome-page") ?? customElements.define("cupo-welcome-page", WelcomePage);
