import { css, html, LitElement, nothing, type TemplateResult } from "lit";
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
  static override properties = { page: { type: String }, pressed: { state: true }, words: { attribute: false } };
  static override shadowRootOptions = { ...LitElement.shadowRootOptions, delegatesFocus: true };

  /** The page that is shown or being opened. */
  declare page: PageName;
  /** The tab under the finger, which is marked before its page is opened. */
  declare pressed: Tab["page"] | undefined;
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
      a[aria-current],
      .scan {
        color: var(--cupo-brand);
        font-weight: 600;
      }
      .scan {
        align-content: end;
        padding-bottom: 11px;
      }
      .scan[aria-current] .plate {
        opacity: 0.7;
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

  /** Renders a tab, always from the same template: a link that is replaced under the finger is not clicked. */
  #link({ page, path, sign }: Tab): TemplateResult {
    const isScan = page === "scan";
    const marked = this.pressed ?? this.page;
    const isMarked = marked === page || within[marked] === page;
    return html`<a
      class=${isScan ? "scan" : nothing}
      href=${path}
      aria-current=${isMarked ? (this.page === page ? "page" : "true") : nothing}
      @pointerdown=${(event: PointerEvent) => this.#press(event, page)}
      @pointerleave=${this.#leave}
      @pointercancel=${this.#release}
      @click=${this.#release}
      >${isScan ? html`<span class="plate">${icon(sign)}</span>` : icon(sign)}${this.words.tabs[page]}</a
    >`;
  }

  #press({ button, currentTarget, isPrimary, pointerId }: PointerEvent, page: Tab["page"]): void {
    if (!isPrimary || button > 0) return;
    // A finger that slides off the tab then leaves it as a mouse does.
    (currentTarget as Element).releasePointerCapture(pointerId);
    this.pressed = page;
  }

  /** Ends the mark where the pointer slides off; a finger that is lifted leaves too, but its click follows. */
  #leave({ buttons }: PointerEvent): void {
    if (buttons > 0) this.#release();
  }

  #release(): void {
    this.pressed = undefined;
  }
}

customElements.get("cupo-tab-bar") ?? customElements.define("cupo-tab-bar", TabBar);

declare global {
  interface HTMLElementTagNameMap {
    "cupo-tab-bar": TabBar;
  }
}
