import { html, LitElement, nothing } from "lit";
import Download from "lucide-static/dist/esm/icons/download.mjs";
import type { AppContext } from "../context/app-context.ts";
import { icon } from "../design/icon.ts";
import { base, controls, surfaces } from "../design/styles.ts";
import { wordsOf } from "../language/language.ts";
import { listenWhileConnected } from "../platform/listen-while-connected.ts";
import { profileStyles } from "./profile-styles.ts";

/** Profile section that offers to install the app, hidden where it cannot be installed or already is. */
export class InstallSection extends LitElement {
  static override properties = { context: { attribute: false } };

  declare context: AppContext;

  static override styles = [base, controls, surfaces, profileStyles];

  constructor() {
    super();
    const target = () => this.context.install;
    listenWhileConnected(this, target, "change", () => this.requestUpdate());
  }

  override render(): unknown {
    const { install } = this.context;
    const { install: words } = wordsOf("account");
    const { way } = install;
    // An element without a box leaves no gap between its neighbours.
    this.hidden = way === "none";
    if (way === "none") return nothing;
    return html`<section class="card" aria-labelledby="title">
      <h2 id="title">${words.title}</h2>
      <p class="soft small">${way === "ask" ? words.text : words.byHand}</p>
      ${way === "ask" ? html`<button @click=${() => install.ask()}>${icon(Download)}${words.ask}</button>` : nothing}
    </section>`;
  }
}

customElements.get("cupo-install-section") ?? customElements.define("cupo-install-section", InstallSection);
