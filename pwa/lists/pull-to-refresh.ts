import { css, html, LitElement, nothing, type PropertyValues } from "lit";
import RefreshCw from "lucide-static/dist/esm/icons/refresh-cw.mjs";
import { icon } from "../design/icon.ts";
import { base } from "../design/styles.ts";

/** How far a finger pulls, in CSS pixels, until letting go refreshes. */
const ENOUGH = 72;
/** The sign moves half as far as the finger. */
const RESISTANCE = 2;

/**
 * Dispatches `refresh` when a finger pulls the page down from its top far enough. A button beside it does the same for
 * everybody else, so this says nothing to screen readers and takes no room.
 */
export class PullToRefresh extends LitElement {
  static override properties = { pulled: { state: true } };

  /** How far the sign has come down, in CSS pixels. */
  declare pulled: number;
  #startY: number | undefined;

  static override styles = [
    base,
    css`
      :host {
        position: fixed;
        z-index: 3;
        inset: env(safe-area-inset-top) 0 auto;
        display: grid;
        justify-items: center;
        height: 0;
        pointer-events: none;
      }
      .sign {
        display: grid;
        place-items: center;
        width: 44px;
        height: 44px;
        margin-top: -52px;
        border: 1px solid var(--cupo-line);
        border-radius: 50%;
        background: var(--cupo-surface);
        color: var(--cupo-brand);
      }
      .sign:not(.ready) {
        color: var(--cupo-ink-soft);
      }
    `,
  ];

  constructor() {
    super();
    this.pulled = 0;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    addEventListener("touchstart", this.#start, { passive: true });
    addEventListener("touchmove", this.#move, { passive: true });
    addEventListener("touchend", this.#end, { passive: true });
    addEventListener("touchcancel", this.#cancel, { passive: true });
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    removeEventListener("touchstart", this.#start);
    removeEventListener("touchmove", this.#move);
    removeEventListener("touchend", this.#end);
    removeEventListener("touchcancel", this.#cancel);
  }

  override render(): unknown {
    if (this.pulled === 0) return nothing;
    const isReady = this.pulled * RESISTANCE >= ENOUGH;
    return html`<div class="sign ${isReady ? "ready" : ""}" aria-hidden="true">${icon(RefreshCw)}</div>`;
  }

  protected override updated(changed: PropertyValues): void {
    if (!changed.has("pulled")) return;
    const sign = this.renderRoot.querySelector<HTMLElement>(".sign");
    sign?.style.setProperty("transform", `translateY(${this.pulled * 2}px) rotate(${this.pulled * 4}deg)`);
  }

  readonly #start = ({ touches }: TouchEvent): void => {
    this.#startY = scrollY <= 0 && touches.length === 1 ? touches[0]?.clientY : undefined;
  };

  readonly #move = ({ touches }: TouchEvent): void => {
    if (this.#startY === undefined) return;
    const way = (touches[0]?.clientY ?? 0) - this.#startY;
    this.pulled = scrollY > 0 ? 0 : Math.min(Math.max(0, way), ENOUGH * 1.5) / RESISTANCE;
  };

  readonly #end = (): void => {
    const isEnough = this.pulled * RESISTANCE >= ENOUGH;
    this.#cancel();
    if (isEnough) this.dispatchEvent(new Event("refresh"));
  };

  readonly #cancel = (): void => {
    this.#startY = undefined;
    this.pulled = 0;
  };
}

customElements.get("cupo-pull-to-refresh") ?? customElements.define("cupo-pull-to-refresh", PullToRefresh);
