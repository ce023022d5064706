import { css, html, LitElement, nothing, type TemplateResult } from "lit";
import WifiOff from "lucide-static/dist/esm/icons/wifi-off.mjs";
import type { AppContext } from "./app-context.ts";
import type { PageName } from "./app-paths.ts";
import { notice, noticeStyles } from "./components/notice.ts";
import "./components/tab-bar.ts";
import { base, controls } from "./look/styles.ts";
import type { Page } from "./page.ts";
import type { WelcomePlace } from "./pages/welcome-page.ts";
import type { Place } from "./router.ts";
import { type Route, routes } from "./routes.ts";
import type { Updates } from "./updates.ts";
import { returnFrom, wantedAt } from "./wanted.ts";

/** The shell: one page at a time, the tab bar, a quiet word about updates, and the voice for screen readers. */
export class CupoApp extends LitElement {
  static override properties = {
    shown: { state: true },
    page: { state: true },
    unopened: { state: true },
    spoken: { state: true },
    updateWaits: { state: true },
    offline: { state: true },
  };

  declare context: AppContext;
  declare updates: Updates;
  declare shown: PageName | undefined;
  declare page: Page | undefined;
  /** Whether the page of this place could not be fetched. */
  declare unopened: boolean;
  declare spoken: string;
  declare updateWaits: boolean;
  declare offline: boolean;
  #navigations = 0;

  static override styles = [
    base,
    controls,
    noticeStyles,
    css`
      :host {
        display: flex;
        flex-direction: column;
        min-height: 100dvh;
      }
      main {
        flex: 1;
        display: grid;
        grid-template-columns: minmax(0, 1fr);
        align-items: start;
        width: 100%;
        max-width: 560px;
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
        width: 100%;
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
    this.unopened = false;
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
    // A page that is not there has no action in the tabs' place.
    const tabs = route?.tabs === true || (this.unopened && route?.open === false);
    return html`${this.offline ? html`<p class="bar" role="status">${this.context.words.common.offline}</p>` : nothing}
      ${this.updateWaits && route?.busy === false ? this.#updatePrompt() : nothing}
      <main class=${tabs ? "with-tabs" : ""}>${this.unopened ? this.#failure() : this.page}</main>
      ${
        tabs && this.shown
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

  #failure(): TemplateResult {
    const { common, unopened } = this.context.words;
    const way = html`<button class="primary" @click=${this.#retry}>${common.retry}</button>`;
    return html`<div role="alert">${notice(WifiOff, unopened, { tone: "warn", heading: 1, way })}</div>`;
  }

  /** A browser may remember that a script failed, and a newer version has other scripts: then everything is new. */
  async #retry(): Promise<void> {
    await this.#show(this.context.router.place);
    if (this.unopened && navigator.onLine) location.reload();
  }

  #dismissUpdate(): void {
    this.updateWaits = false;
  }

  #connected(online: boolean): void {
    this.offline = !online;
    if (online && this.unopened) void this.#show(this.context.router.place);
  }

  /** A stranger sees the welcome; whoever is signed in never does. */
  async #allowed(place: Place): Promise<boolean> {
    const { router, session } = this.context;
    if (routes[place.page].open || session.expected) return true;
    try {
      await session.refresh();
      return true;
    } catch {
      // The API has told already whose session it is not.
      if (router.place.page !== "welcome") router.go("/welcome", { replace: true, state: wantedAt(place) });
      return false;
    }
  }

  async #show(place: Place): Promise<void> {
    const navigation = ++this.#navigations;
    if (!(await this.#allowed(place))) return;
    const route: Route = routes[place.page];
    const loaded = await this.#loaded(route);
    if (navigation !== this.#navigations) return;
    if (!loaded) return this.#failed(place.page);
    const page = document.createElement(route.tag) as Page;
    page.context = this.context;
    const first = this.shown === undefined;
    await this.#change(page, place.page, first);
    document.title = place.page === "home" ? "Cupo" : `${page.name} · Cupo`;
    if (!first) page.focusHeading();
  }

  async #loaded({ load }: Route): Promise<boolean> {
    try {
      await load();
      return true;
    } catch (error) {
      reportError(error);
      return false;
    }
  }

  async #failed(shown: PageName): Promise<void> {
    this.shown = shown;
    this.page = undefined;
    this.unopened = true;
    document.title = "Cupo";
    await this.updateComplete;
    this.renderRoot.querySelector<HTMLElement>("h1")?.focus();
  }

  async #change(page: Page, shown: PageName, first: boolean): Promise<void> {
    const swap = async (): Promise<void> => {
      this.page = page;
      this.shown = shown;
      this.unopened = false;
      this.spoken = "";
      scrollTo(0, 0);
      await this.updateComplete;
      await page.updateComplete;
    };
    const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
    if (first || still || document.startViewTransition === undefined || document.hidden) return swap();
    await document.startViewTransition(swap).updateCallbackDone;
  }

  /**
   * Leaves everything of a person whose session is over, and remembers where they were going. An attempt to pay stays
   * until it is known who comes back: whether it was paid is asked with it.
   */
  signedOut(): void {
    const { attempts, router, session } = this.context;
    const wanted = wantedAt(router.place, session.me?.id);
    session.forget();
    if (router.place.page === "welcome") return;
    if (wanted.handed?.attempt === undefined) attempts.clear();
    router.go("/welcome", { replace: true, state: wanted });
  }

  /** Shows an operator what there is for them: a word, and the way out. */
  operatorCame(): void {
    const { attempts, router, session } = this.context;
    session.forget();
    attempts.clear();
    router.go("/welcome", { replace: true, state: { operator: true } satisfies WelcomePlace });
  }

  /** Goes where the person was going before the welcome. */
  signedIn(): void {
    const { attempts, router, session } = this.context;
    const { path, state, samePerson } = returnFrom(router.place.state, session.me?.id);
    if (!samePerson) attempts.clear();
    router.go(path, { replace: true, state });
  }
}

customElements.get("cupo-app") ?? customElements.define("cupo-app", CupoApp);

declare global {
  interface HTMLElementTagNameMap {
    "cupo-app": CupoApp;
  }
}
