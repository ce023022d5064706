import { css, html, nothing, type TemplateResult } from "lit";
import ChevronRight from "lucide-static/dist/esm/icons/chevron-right.mjs";
import LogOut from "lucide-static/dist/esm/icons/log-out.mjs";
import { avatar } from "../../widgets/shared/avatar.ts";
import { errorMessage } from "../components/error-message.ts";
import { signOut } from "../components/sign-out.ts";
import { Page } from "../context/page.ts";
import { icon } from "../design/icon.ts";
import { base, controls, surfaces } from "../design/styles.ts";
import { wordsOf } from "../language/language.ts";
import type { Sentence } from "../language/words.ts";
import { followKeyboard } from "../platform/keyboard.ts";
import { listenWhileConnected } from "../platform/listen-while-connected.ts";
import { profileSections } from "../profile/profile-sections.ts";

/** Page of the person's account on this and other devices, section by section, with the button to sign out. */
export class ProfilePage extends Page {
  static override properties = { ...Page.properties, failure: { state: true } };

  declare failure: Sentence | undefined;
  #sections: readonly HTMLElement[] = [];

  static override styles = [
    base,
    controls,
    surfaces,
    css`
      :host {
        display: grid;
        grid-template-columns: minmax(0, 1fr);
        gap: 16px;
        padding: 0 16px var(--cupo-keyboard, 0px);
      }
      header {
        gap: 12px;
      }
      .grants {
        display: flex;
        align-items: center;
        gap: 12px;
        min-height: 64px;
        color: inherit;
        font-weight: 600;
        text-decoration: none;
      }
      .grants span:first-child {
        flex: 1;
      }
    `,
  ];

  constructor() {
    super();
    const target = () => this.context.session;
    listenWhileConnected(this, target, "change", () => this.requestUpdate());
    followKeyboard(this);
  }

  override get name(): string {
    return wordsOf("account").profile.name;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    const { session } = this.context;
    this.#sections = profileSections.map((tag) =>
      Object.assign(document.createElement(tag), { context: this.context }),
    );
    // The name is shown also where the app is opened here; each section shows its own failure.
    if (session.me === undefined) session.refresh().catch(() => undefined);
  }

  /** Focuses the heading of the section that the address names, as `/profile#limits` does. */
  override focusHeading(): void {
    const tag = `cupo-${this.context.router.place.fragment}-section`;
    const section = this.#sections.find(({ localName }) => localName === tag);
    const heading = section?.shadowRoot?.querySelector<HTMLElement>("h2");
    if (heading) heading.focus();
    else super.focusHeading();
  }

  override render(): TemplateResult {
    const { session, words } = this.context;
    const { profile } = wordsOf("account");
    const { me } = session;
    return html`<header>
        ${avatar(me?.name)}
        <div>
          <h1 tabindex="-1">${me?.name ?? profile.name}</h1>
          ${me?.business_name ? html`<p class="soft tiny">${me.business_name}</p>` : nothing}
        </div>
      </header>
      ${this.#sections}
      <a class="card grants" href="/grants"><span>${words.grant.name}</span>${icon(ChevronRight)}</a>
      <div role="alert">${errorMessage(this.failure)}</div>
      <button class="large" @click=${this.#signOut}>${icon(LogOut)}${words.home.signOut}</button>`;
  }

  async #signOut(): Promise<void> {
    this.failure = await signOut(this.context);
  }
}

customElements.get("cupo-profile-page") ?? customElements.define("cupo-profile-page", ProfilePage);
