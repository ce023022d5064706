import { css, html, LitElement, nothing } from "lit";
import type { AppContext } from "./app-context.ts";
import type { PageName } from "./app-paths.ts";
import "./components/tab-bar.ts";
import { base, controls } from "./look/styles.ts";
import type { Page } from "./page.ts";
import type { Place } from "./router.ts";
import { type Route, routes } from "./routes.ts";
import type { Updates } from "./updates.ts";

/** Where a stranger wanted to go, to be opened after the welcome. */
interface Wanted {
  readonly wanted: string;
}

/** With its fragment, which carries the code of a QR link. */
function wantedAt({ path, fragment }: Place): Wanted {
  return { wanted: fragment === "" ? path : `${path}#${fragment}` };
}

function wantedOf(state: unknown): string {
  const { wanted } = (state ?? {}) as Partial<Wanted>;
  return typeof wanted === "string" && wanted.startsWith("/") ? wanted : "/";
}

/** The shell: one page at a time, the tab bar, a quiet word about updates, and the voice for screen readers. */
export class CupoApp extends LitElement {
  static override properties = {
    shown: { state: true },
    page: { state: true },
    spoken: { state: true },
    updateWaits: { state: true },
    offline: { state: true },
  };

  declare context: AppContext;
  declare updates: Updates;
  declare shown: PageName | undefined;
  declare page: Page | undefined;
  declare spoken: string;
  declare updateWaits: boolean;
  declare offline: boolean;
  #navigations = 0;

  static override styles = [
    base,
    controls,
    css`
      :host {
        display: block;
      }
      main {
        display: block;
        max-width: 560px;
        min-height: 100dvh;
        margin: 0 auto;
        padding: env(safe-area-inset-top) env(safe-area-inset-right) 0 env(safe-area-inset-left);
      }
      .with-tabs {
        padding-bottom: calc(var(--cupo-tab-bar) + 24px + env(safe-area-inset-bottom));
      }
      .bar {
        display: flex;
        align-items: center;
        gap: 8px;
        max-width: 560px;
        margin: 0 auto;
        padding: 8px 16px;
        border-bottom: 1px solid var(--cupo-line);
        background: var(--cupo-surface);
        font-size: 15px;
      }
      .bar span {
        flex: 1;
      }
    `,
  ];

  constructor() {
    super();
    this.spoken = "";
    this.updateWaits = false;
    this.offline = !navigator.onLine;
  }

  /** Shows the place of the address, and from then on every place that the router goes to. */
  async open(): Promise<void> {
    const { router } = this.context;
    router.addEventListener("change", () => void this.#show(router.place));
    this.updates.addEventListener("waiting", () => {
      this.updateWaits = true;
    });
    addEventListener("online", () => this.#connected(true));
    addEventListener("offline", () => this.#connected(false));
    await this.#show(router.place);
  }

  /** Says a sentence to screen readers. */
  announce(text: string): void {
    this.spoken = text;
  }

  override render(): unknown {
    const route: Route | undefined = this.shown && routes[this.shown];
    return html`${this.offline ? html`<p class="bar" role="status">${this.context.words.common.offline}</p>` : nothing}
      ${this.updateWaits && route?.busy === false ? this.#updatePrompt() : nothing}
      <main class=${route?.tabs ? "with-tabs" : ""}>${this.page}</main>
      ${
        route?.tabs && this.shown
          ? html`<cupo-tab-bar .page=${this.shown} .words=${this.context.words}></cupo-tab-bar>`
          : nothing
      }
      <p class="visually-hidden" role="status">${this.spoken}</p>`;
  }

  #updatePrompt(): unknown {
    const { text, accept, later } = this.context.words.update;
    return html`<div class="bar" role="status">
      <span>${text}</span>
      <button class="link" @click=${() => this.updates.accept()}>${accept}</button>
      <button class="link" @click=${() => this.#dismissUpdate()}>${later}</button>
    </div>`;
  }

  #dismissUpdate(): void {
    this.updateWaits = false;
  }

  #connected(online: boolean): void {
    this.offline = !online;
  }

  /** A stranger sees the welcome; whoever is signed in never does. */
  async #allowed(place: Place): Promise<boolean> {
    const { router, session } = this.context;
    if (routes[place.page].open || session.expected) return true;
    try {
      await session.refresh();
      return true;
    } catch {
      router.go("/welcome", { replace: true, state: wantedAt(place) });
      return false;
    }
  }

  async #show(place: Place): Promise<void> {
    const navigation = ++this.#navigations;
    if (!(await this.#allowed(place))) return;
    const route: Route = routes[place.page];
    await route.load();
    if (navigation !== this.#navigations) return;
    const page = document.createElement(route.tag) as Page;
    page.context = this.context;
    const first = this.page === undefined;
    await this.#change(page, place.page, first);
    document.title = place.page === "home" ? "Cupo" : `${page.name} · Cupo`;
    if (!first) page.focusHeading();
  }

  async #change(page: Page, shown: PageName, first: boolean): Promise<void> {
    const swap = async (): Promise<void> => {
      this.page = page;
      this.shown = shown;
      this.spoken = "";
      scrollTo(0, 0);
      await this.updateComplete;
      await page.updateComplete;
    };
    const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
    if (first || still || document.startViewTransition === undefined || document.hidden) return swap();
    await document.startViewTransition(swap).updateCallbackDone;
  }

  /** Leaves everything of a person whose session is over, and remembers where they were going. */
  signedOut(): void {
    const { attempts, router, session } = this.context;
    session.forget();
    attempts.clear();
    if (this.shown === "welcome") return;
    router.go("/welcome", { replace: true, state: wantedAt(router.place) });
  }

  /** Goes where the person was going before the welcome. */
  signedIn(): void {
    const { router } = this.context;
    router.go(wantedOf(router.place.state), { replace: true });
  }
}

customElements.get("cupo-app") ?? customElements.define("cupo-app", CupoApp);

declare global {
  interface HTMLElementTagNameMap {
    "cupo-app": CupoApp;
  }
}
