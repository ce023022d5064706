import { css, html, LitElement, type TemplateResult } from "lit";
import House from "lucide-static/dist/esm/icons/house.mjs";
import QrCode from "lucide-static/dist/esm/icons/qr-code.mjs";
import History from "lucide-static/dist/esm/icons/rotate-ccw-clock.mjs";
import ScanLine from "lucide-static/dist/esm/icons/scan-line.mjs";
import User from "lucide-static/dist/esm/icons/user-round.mjs";
import { icon } from "../design/icon.ts";
import { base } from "../design/styles.ts";
import type { Words } from "../language/words.ts";
import type { PageName } from "../platform/app-paths.ts";

interface Tab {
  readonly page: keyof Words["tabs"];
  readonly path: string;
  readonly sign: string;
}

const tabs: readonly Tab[] = Object.freeze([
  { page: "home", path: "/", sign: House },
  { page: "history", path: "/history", sign: History },
  { page: "scan", path: "/scan", sign: ScanLine },
  { page: "receive", path: "/receive", sign: QrCode },
  { page: "profile", path: "/profile", sign: User },
]);

/** Pages that are reached from one of the tabs, whose tab stays marked. */
const within: Readonly<Partial<Record<PageName, Tab["page"]>>> = Object.freeze({
  received: "history",
  summary: "history",
  grants: "profile",
});

/**
 * Navigation bar at the bottom of the app with its five sections; the big one in the middle, under the thumb, is Scan.
 */
export class TabBar extends LitElement {
  static override properties = { page: { type: String }, words: { attribute: false } };
  static override shadowRootOptions = { ...LitElement.shadowRootOptions, delegatesFocus: true };

  /** The page that is shown or being opened. */
  declare page: PageName;
  declare words: Words;

  static override styles = [
    base,
    css`
      :host {
        position: fixed;
        inset: auto 0 0;
        z-index: 2;
        border-top: 1px solid var(--cupo-line);
        background: var(--cupo-surface);
        padding-bottom: env(safe-area-inset-bottom);
      }
      ul {
        display: grid;
        grid-template-columns: 0.8fr 1.4fr 1fr 1.1fr 1.1fr;
        max-width: 560px;
        height: var(--cupo-tab-bar);
        margin: 0 auto;
      }
      a {
        display: grid;
        align-content: center;
        justify-items: center;
        gap: 2px;
        height: 100%;
        border-radius: 12px;
        color: var(--cupo-ink-soft);
        /* Five words side by side would not fit a phone at twice the size: they grow as far as the bar is wide. */
        font-size: min(0.75rem, max(12px, 3.4vw));
        line-height: min(1rem, max(16px, 4.6vw));
        text-decoration: none;
        outline-offset: -3px;
        touch-action: manipulation;
      }
      a .icon {
        font-size: 20px;
      }
      a[aria-current] {
        color: var(--cupo-brand);
        font-weight: 600;
      }
      .scan {
        align-content: end;
        padding-bottom: 11px;
        color: var(--cupo-brand);
        font-weight: 600;
      }
      .scan .plate {
        display: grid;
        place-items: center;
        width: 64px;
        height: 64px;
        margin-top: -32px;
        color: var(--cupo-on-brand);
        background: var(--cupo-brand);
        border-radius: 20px;
        mask: radial-gradient(circle 7px at 100% 50%, #0000 96%, #000);
      }
      .scan .icon {
        font-size: 24px;
      }
      @media (forced-colors: active) {
        a[aria-current] {
          text-decoration: underline;
        }
        .scan .plate {
          border: 2px solid LinkText;
        }
      }
    `,
  ];

  override render(): TemplateResult {
    return html`<nav aria-label=${this.words.common.navigation}>
      <ul>
        ${tabs.map((tab) => html`<li>${this.#link(tab)}</li>`)}
      </ul>
    </nav>`;
  }

  #link({ page, path, sign }: Tab): TemplateResult {
    const name = this.words.tabs[page];
    if (page === "scan") {
      return html`<a class="scan" href=${path}><span class="plate">${icon(sign)}</span>${name}</a>`;
    }
    const current = this.page === page ? "page" : "true";
    return this.page === page || within[this.page] === page
      ? html`<a href=${path} aria-current=${current}>${icon(sign)}${name}</a>`
      : html`<a href=${path}>${icon(sign)}${name}</a>`;
  }
}

customElements.get("cupo-tab-bar") ?? customElements.define("cupo-tab-bar", TabBar);

declare global {
  interface HTMLElementTagNameMap {
    "cupo-tab-bar": TabBar;
  }
}
