import { css, html, type TemplateResult } from "lit";
import LockOpen from "lucide-static/dist/esm/icons/lock-open.mjs";
import { askOwner } from "../components/ask-owner.ts";
import { errorMessage } from "../components/error-message.ts";
import { mark } from "../components/mark.ts";
import { signOut } from "../components/sign-out.ts";
import { Page } from "../context/page.ts";
import { icon } from "../design/icon.ts";
import { base, controls } from "../design/styles.ts";
import type { Sentence } from "../language/words.ts";

/** Page that replaces every page of the person while the app is locked: no data of the person is in the document. */
export class LockPage extends Page {
  static override properties = { ...Page.properties, failure: { state: true }, asking: { state: true } };

  declare failure: Sentence | undefined;
  declare asking: boolean;

  static override styles = [
    base,
    controls,
    css`
      :host {
        display: grid;
        align-content: center;
        min-height: 100dvh;
        padding: 24px;
      }
      .door {
        display: grid;
        justify-items: center;
        gap: 12px;
        text-align: center;
      }
      .mark {
        width: 64px;
        height: 64px;
        color: var(--cupo-brand);
      }
      .door p {
        max-width: 36ch;
        text-wrap: pretty;
      }
      .failure {
        min-height: 48px;
        padding-top: 16px;
        text-align: center;
      }
      .actions {
        width: 100%;
        max-width: 360px;
        margin: 16px auto 0;
      }
    `,
  ];

  constructor() {
    super();
    this.asking = false;
  }

  override get name(): string {
    return this.context.words.lock.title;
  }

  override render(): TemplateResult {
    const { session, words } = this.context;
    const { home, lock } = words;
    return html`<div class="door">
        ${mark()}
        <h1 tabindex="-1">${lock.title}</h1>
        <p class="soft">${session.hasPasskey ? lock.text : lock.demo}</p>
      </div>
      <div class="failure" role="alert">${errorMessage(this.failure)}</div>
      <div class="actions">
        <button class="primary large" ?disabled=${this.asking} @click=${this.#open}>
          ${icon(LockOpen)}${this.asking ? lock.asking : lock.open}
        </button>
        <button class="plain large" ?disabled=${this.asking} @click=${this.#signOut}>${home.signOut}</button>
      </div>`;
  }

  async #open({ isTrusted }: Event): Promise<void> {
    if (!isTrusted) return;
    this.asking = true;
    this.failure = undefined;
    this.failure = await askOwner(this.context);
    if (this.failure === undefined) this.context.lock.unlock();
    this.asking = false;
  }

  async #signOut(): Promise<void> {
    this.failure = await signOut(this.context);
  }
}

customElements.get("cupo-lock-page") ?? customElements.define("cupo-lock-page", LockPage);
