import { css, html, LitElement, nothing, type TemplateResult } from "lit";
import WifiOff from "lucide-static/dist/esm/icons/wifi-off.mjs";
import type { AppContext } from "./app-context.ts";
import type { PageName } from "./app-paths.ts";
import { AppBars } from "./components/app-bars.ts";
import { barStyles } from "./components/bar.ts";
import { notice, noticeStyles } from "./components/notice.ts";
import "./components/tab-bar.ts";
import { base, controls } from "./look/styles.ts";
import type { Page } from "./page.ts";
import type { WelcomePlace } from "./pages/welcome-page.ts";
import { breath } from "./pauses.ts";
import type { Place } from "./router.ts";
import { type Route, routes } from "./routes.ts";
import type { Updates } from "./updates.ts";
import { returnFrom, wantedAt } from "./wanted.ts";

/** The fragment of an address to which a server leads whom it has signed in. */
const SIGNED_IN = "signed-in";

/** How a page comes to be shown. */
interface Turn {
  readonly first: boolean;
  /** Whether no other was asked for since. */
  readonly isLast: () => boolean;
}

/** The shell: one page at a time, the tab bar, a quiet word about updates, and the voice for screen readers. */
export class CupoApp extends LitElement {
  static override properties = {
    shown: { state: true },
    page: { state: true },
    unopened: { state: true },
    spoken: { state: true },
  };

  declare context: AppContext;
  declare updates: Updates;
  declare shown: PageName | undefined;
  declare page: Page | undefined;
  /** Whether the page of this place could not be fetched. */
  declare unopened: boolean;
  declare spoken: string;
  readonly #bars = new AppBars(this);
  #navigations = 0;
  #forgetting: Promise<void> | undefined;

  static override styles = [
    base,
    controls,
    noticeStyles,
    barStyles,
    css`
      :host {
        display: flex;
        flex-direction: column;
        min-height: 100dvh;
      }
      :host([away]) {
        visibility: hidden;
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
    `,
  ];

  constructor() {
    super();
    this.spoken = "";
    this.unopened = false;
  }

  /** Shows the place of the address, and from then on every place that the router goes to. */
  async open(): Promise<void> {
    const { lock, router } = this.context;
    router.addEventListener("change", () => void this.#show(router.place));
    lock.addEventListener("change", () => this.#turned());
    this.#bars.watch(this.context, this.updates);
    addEventListener("online", () => this.#connected());
    this.#arrive();
    await this.#show(router.place);
  }

  /** Says a sentence to screen readers, unless it is nobody's to hear now. */
  announce(text: string): void {
    if (this.shown !== "lock") this.spoken = text;
  }

  /** What is locked is taken out of the page at once, before the lock itself is there. */
  #turned(): void {
    const { router, session } = this.context;
    // Whoever ended the session leads on to the welcome.
    if (!session.expected) return;
    const covered = this.#pageAt(router.place) === "lock";
    if (covered === (this.shown === "lock")) return;
    if (covered) {
      this.page = undefined;
      this.shown = "lock";
      this.spoken = "";
      document.title = "Cupo";
    }
    void this.#show(router.place);
  }

  /** The page of a place, or the lock in place of what is the signed-in person's. */
  #pageAt({ page }: Place): PageName {
    const { lock, session } = this.context;
    return session.expected && lock.locked && !routes[page].open ? "lock" : page;
  }

  override render(): unknown {
    const route: Route | undefined = this.shown && routes[this.shown];
    // A page that is not there has no action in the tabs' place.
    const tabs = route?.tabs === true || (this.unopened && route?.open === false);
    return html`${this.#bars.render(route?.busy !== false)}
      <main class=${tabs ? "with-tabs" : ""}>${this.unopened ? this.#failure() : this.page}</main>
      ${
        tabs && this.shown
          ? html`<cupo-tab-bar .page=${this.shown} .words=${this.context.words}></cupo-tab-bar>`
          : nothing
      }
      <p class="visually-hidden" role="status">${this.spoken}</p>`;
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

  #connected(): void {
    if (this.unopened) void this.#show(this.context.router.place);
  }

  /** A stranger sees the welcome, without anybody being asked: who is signed in here was noted when it happened. */
  #allowed(place: Place): boolean {
    const { router, session } = this.context;
    const isTheirs = place.personId === undefined || place.personId === session.shownId;
    if (routes[place.page].open || (session.expected && isTheirs)) return true;
    // A page that somebody else had opened stays theirs: the person who is signed in now starts at Home.
    if (session.expected) router.go("/", { replace: true });
    else router.go("/welcome", { replace: true, state: wantedAt(place) });
    return false;
  }

  /** A server that has signed somebody in by itself, as the demo's addresses do, says so where it leads to. */
  #arrive(): void {
    const { lock, router, session } = this.context;
    const { fragment, path, state } = router.place;
    if (fragment !== SIGNED_IN) return;
    // Anybody can write such an address: what is locked stays so.
    if (!session.expected || !(lock.locked || session.hasPasskey)) {
      session.expect();
      lock.unlock();
    }
    router.keep(path, state);
  }

  async #show(place: Place): Promise<void> {
    const navigation = ++this.#navigations;
    if (!this.#allowed(place)) return;
    const name = this.#pageAt(place);
    const route: Route = routes[name];
    const first = this.shown === undefined;
    // The bars stand there already while the page comes.
    this.shown ??= name;
    const loaded = await this.#loaded(route);
    // To read a page's script and to draw the page are two steps.
    await breath();
    if (navigation !== this.#navigations) return;
    if (!loaded) return this.#failed(name);
    const page = document.createElement(route.tag) as Page;
    page.context = this.context;
    const isLast = (): boolean => navigation === this.#navigations;
    await this.#change(page, name, { first, isLast });
    // One that never stood there has no heading, and names no window.
    if (!isLast()) return;
    document.title = name === "home" || name === "lock" ? "Cupo" : `${page.name} · Cupo`;
    if (!first) page.focusHeading();
  }

  async #loaded({ load }: Route): Promise<boolean> {
    try {
      await load(this.context.language);
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

  async #change(page: Page, shown: PageName, { first, isLast }: Turn): Promise<void> {
    const swap = async (): Promise<void> => {
      // Until a transition begins, the app may have been locked.
      if (!isLast()) return;
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
    const transition = document.startViewTransition(swap);
    // A newer transition or a hidden page skips the animation: `ready` rejects then, and the page changes all the same.
    transition.ready.catch(() => undefined);
    // Rejects for what `updateCallbackDone` rejects for, which is thrown below.
    transition.finished.catch(() => undefined);
    await transition.updateCallbackDone;
  }

  /**
   * Leaves everything of a person whose session is over, and remembers where they were going. An attempt to pay stays
   * until it is known who comes back: whether it was paid is asked with it.
   */
  async signedOut(): Promise<void> {
    // Nothing is shown yet: the start itself looks at who is gone.
    if (this.context === undefined) return;
    const { attempts, router, session } = this.context;
    const wanted = wantedAt(router.place, session.personId);
    if (router.place.page !== "welcome" && wanted.attempt === undefined) attempts.clear();
    await this.#forget();
    if (router.place.page !== "welcome") router.go("/welcome", { replace: true, state: wanted });
  }

  /** Shows an operator what there is for them: a word, and the way out. */
  async operatorCame(): Promise<void> {
    if (this.context === undefined) return;
    const { attempts, router } = this.context;
    attempts.clear();
    await this.#forget();
    router.go("/welcome", { replace: true, state: { operator: true } satisfies WelcomePlace });
  }

  /** A person has left in another tab: nothing of them stays in this one either. */
  left(personId: string | undefined): void {
    // An app that is not put together, or does not know yet whom it shows, may have read of them already.
    const shown = this.context?.session.me?.id;
    if (shown !== undefined && shown !== personId) return;
    this.context?.attempts.clear();
    location.reload();
  }

  /** The welcome waits until the person's data is gone, for all who bring it about. */
  async #forget(): Promise<void> {
    this.#forgetting ??= this.context.session.forget().finally(() => {
      this.#forgetting = undefined;
    });
    await this.#forgetting;
  }

  /** Goes where the person was going before the welcome. */
  signedIn(): void {
    const { attempts, lock, router, session } = this.context;
    lock.unlock();
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
