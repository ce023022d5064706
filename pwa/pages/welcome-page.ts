import { css, html, nothing, type TemplateResult } from "lit";
import ChevronRight from "lucide-static/dist/esm/icons/chevron-right.mjs";
import { ApiError } from "../../src/contract/errors.ts";
import type { Api } from "../api.ts";
import { mark } from "../components/mark.ts";
import { noticeStyles } from "../components/notice.ts";
import { initial } from "../format/initial.ts";
import { sentenceOf } from "../language/words.ts";
import { icon } from "../look/icon.ts";
import { base, controls, surfaces } from "../look/styles.ts";
import { Page } from "../page.ts";
import { type Problem, problemOf } from "../payment/problem.ts";

type DemoPerson = Awaited<ReturnType<Api["demoPeople"]>>["body"][number];

/** What the welcome finds in its place of the history when somebody is signed in who has nothing else here. */
export interface WelcomePlace {
  readonly operator: true;
}

/** The way in: for now the people of the demo, and a word for those who have an invitation. */
export class WelcomePage extends Page {
  static override properties = {
    ...Page.properties,
    people: { state: true },
    problem: { state: true },
    entering: { state: true },
  };

  /** Undefined while they are asked for; empty where there is no demo. */
  declare people: readonly DemoPerson[] | undefined;
  declare problem: Problem | undefined;
  declare entering: string;

  static override styles = [
    base,
    controls,
    surfaces,
    noticeStyles,
    css`
      :host {
        display: flex;
        flex-direction: column;
        min-height: 100dvh;
        padding: 16px 16px calc(24px + env(safe-area-inset-bottom));
      }
      .hero {
        flex: 1;
        display: grid;
        align-content: center;
        gap: 12px;
        padding: 32px 8px;
      }
      .hero .mark {
        width: 88px;
        height: 88px;
        margin-bottom: 12px;
        color: var(--cupo-brand);
      }
      h1 {
        font-size: 34px;
        line-height: 40px;
        letter-spacing: -0.02em;
        text-wrap: balance;
      }
      .people {
        display: grid;
        gap: 8px;
        margin-top: 12px;
      }
      .person {
        justify-content: flex-start;
        gap: 12px;
        min-height: 72px;
        padding: 12px;
        border-radius: 16px;
        text-align: start;
        font-weight: 400;
      }
      .person > span:nth-child(2) {
        flex: 1;
      }
      .person.primary .soft {
        color: inherit;
      }
      .person.primary .avatar {
        border-color: transparent;
        background: var(--cupo-on-brand);
        color: var(--cupo-brand);
      }
      .name {
        display: block;
        font-weight: 600;
      }
      .out {
        margin-top: 8px;
      }
      .hold {
        min-height: 152px;
      }
    `,
  ];

  constructor() {
    super();
    this.entering = "";
  }

  override get name(): string {
    return this.context.words.welcome.title;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    void this.#load();
  }

  override render(): TemplateResult {
    const { welcome } = this.context.words;
    const { title, text } = this.#isOperator ? welcome.operator : { title: welcome.title, text: welcome.lead };
    return html`<header class="hero">
        ${mark()}
        <h1 tabindex="-1">${title}</h1>
        <p class="soft">${text}</p>
      </header>
      <section class="hold">${this.#way()} ${this.#isOperator ? this.#wayOut() : nothing}</section>`;
  }

  #way(): unknown {
    const { common, welcome } = this.context.words;
    if (this.problem !== undefined) {
      const { title, text } = sentenceOf(this.context.words, this.problem, "looking");
      return html`<div role="alert"><h2>${title}</h2><p class="soft small">${text}</p></div>
        <button class="primary large" @click=${this.#load}>${common.retry}</button>`;
    }
    if (this.people === undefined) return nothing;
    if (this.people.length === 0) {
      if (this.#isOperator) return nothing;
      return html`<div class="card"><h2>${welcome.invited}</h2><p class="soft small">${welcome.invitedText}</p></div>`;
    }
    return html`<p class="soft small">${welcome.demo}</p>
      <div class="people">${this.people.map((person, index) => this.#button(person, index === 0))}</div>`;
  }

  #wayOut(): TemplateResult {
    const { home } = this.context.words;
    return html`<button class="plain large out" @click=${this.#signOut}>${home.signOut}</button>`;
  }

  #button({ person, name, role }: DemoPerson, first: boolean): TemplateResult {
    const { welcome } = this.context.words;
    const what = role === "operator" ? "" : welcome.roles[role];
    return html`<button
      class="person ${first ? "primary" : ""}"
      ?disabled=${this.entering !== ""}
      @click=${() => this.#enter(person)}
    >
      <span class="avatar" aria-hidden="true">${initial(name)}</span>
      <span><span class="name">${welcome.continueAs(name)}</span><span class="soft small">${what}</span></span>
      ${icon(ChevronRight)}
    </button>`;
  }

  get #isOperator(): boolean {
    return ((this.context.router.place.state ?? {}) as Partial<WelcomePlace>).operator === true;
  }

  async #load(): Promise<void> {
    this.problem = undefined;
    try {
      const { body } = await this.context.api.demoPeople({});
      this.people = body.filter(({ role }) => role !== "operator");
    } catch (error) {
      if (error instanceof ApiError && error.status === 404) this.people = [];
      else this.problem = problemOf(error);
    }
  }

  async #signOut(): Promise<void> {
    try {
      await this.context.session.signOut();
      this.context.router.go("/welcome", { replace: true });
    } catch (error) {
      this.problem = problemOf(error);
    }
  }

  async #enter(person: string): Promise<void> {
    this.entering = person;
    try {
      await this.context.api.demoSignIn({ body: { person } });
      await this.context.session.refresh();
      this.context.signedIn();
    } catch (error) {
      this.problem = problemOf(error);
    }
    this.entering = "";
  }
}

customElements.get("cupo-welcome-page") ?? customElements.define("cupo-welcome-page", WelcomePage);

declare global {
  interface HTMLElementTagNameMap {
    "cupo-welcome-page": WelcomePage;
  }
}
