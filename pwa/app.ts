import { html, LitElement, nothing, type TemplateResult } from "lit";
import WifiOff from "lucide-static/dist/esm/icons/wifi-off.mjs";
import { appStyles } from "./app-styles.ts";
import { AppBars } from "./components/app-bars.ts";
import { barStyles } from "./components/bar.ts";
import { notice, noticeStyles } from "./components/notice.ts";
import type { AppContext } from "./context/app-context.ts";
import type { PageName } from "./platform/app-paths.ts";
import { keepViews } from "./platform/keep-views.ts";
import "./components/tab-bar.ts";
import type { Page } from "./context/page.ts";
import type { WelcomePlace } from "./context/welcome-place.ts";
import { base, controls } from "./design/styles.ts";
import { loadWords } from "./language/language.ts";
import { pageWords } from "./language/page-words.ts";
import { destinationAfter, returnPlaceAt } from "./payment/return-place.ts";
import { own } from "./platform/own.ts";
import type { Place, View } from "./platform/router.ts";
import { showPresses } from "./platform/show-presses.ts";
import type { Updates } from "./platform/updates.ts";
import { yieldToBrowser } from "./platform/yield.ts";
import { type Route, routes } from "./routes.ts";

/** Fragment of the address to which a server redirects a person whom it has signed in. */
const SIGNED_IN = "signed-in";

/** Resolves to whether a promise succeeds; its failure is reported. */
async function succeeds(promise: Promise<unknown>): Promise<boolean> {
  try {
    await promise;
    return true;
  } catch (error) {
    reportError(error);
    return false;
  }
}

/**
 * Root element of the app: one page at a time, the tab bar, notices above the page, and the live region for screen
 * readers.
 */
export class CupoApp extends LitElement {
  static override properties = {
    shown: { state: true },
    page: { state: true },
    unopened: { state: true },
    opening: { state: true },
    spoken: { state: true },
  };

  declare context: AppContext;
  declare updates: Updates;
  declare shown: PageName | undefined;
  declare page: Page | undefined;
  /** The page of the present place, while it is not shown yet: its tab is marked at once. */
  declare opening: PageName | undefined;
  /** True if the page of this place could not be loaded or rendered. */
  declare unopened: boolean;
  declare spoken: string;
  readonly #bars = new AppBars(this);
  #navigations = 0;
  #forgetting: Promise<void> | undefined;

  static override styles = [base, controls, noticeStyles, barStyles, appStyles];

  constructor() {
    super();
    this.spoken = "";
    this.unopened = false;
  }

  /** Shows the place of the address, and from then on every place that the router goes to. */
  async open(): Promise<void> {
    const { lock, router } = this.context;
    history.scrollRestoration = "manual";
    router.viewNow = () => this.#view;
    keepViews(router);
    router.addEventListener("change", () => own(this.#show(router.place)));
    lock.addEventListener("change", () => this.#turned());
    this.#bars.watch(this.context, this.updates);
    addEventListener("online", () => this.#connected());
    showPresses(window);
    this.#arrive();
    await this.#show(router.place);
  }

  /** Announces a sentence to screen readers, unless the app is locked. */
  announce(text: string): void {
    if (this.shown !== "lock") this.spoken = text;
  }

  /** Removes a locked page from the document at once, before the lock page has loaded. */
  #turned(): void {
    const { router, session } = this.context;
    // The code that ended the session navigates to the welcome page.
    if (!session.expected) return;
    const covered = this.#pageAt(router.place) === "lock";
    if (covered === (this.shown === "lock")) return;
    if (covered) {
      router.keepView();
      this.page = undefined;
      this.shown = "lock";
      this.spoken = "";
      document.title = "Cupo";
    }
    own(this.#show(router.place));
  }

  /** Returns the page of a place, or the lock page if the app is locked and the place needs a sign-in. */
  #pageAt({ page }: Place): PageName {
    const { lock, session } = this.context;
    return session.expected && lock.locked && !routes[page].open ? "lock" : page;
  }

  override render(): unknown {
    const route: Route | undefined = this.shown && routes[this.shown];
    // A page that failed to load has no action of its own where the tab bar stands.
    const tabs = route?.tabs === true || (this.unopened && route?.open === false);
    return html`${this.#bars.render(route?.busy !== false)}
      <main class=${tabs ? "with-tabs" : ""}>${this.unopened ? this.#failure() : this.page}</main>
      ${
        tabs && this.shown
          ? html`<cupo-tab-bar .page=${this.opening ?? this.shown} .words=${this.context.words}></cupo-tab-bar>`
          : nothing
      }
      <p class="visually-hidden" role="status">${this.spoken}</p>`;
  }

  get #view(): View | undefined {
    const { opening, page, shown } = this;
    return page && !opening && shown !== "lock" ? { top: scrollY, choices: page.choices } : undefined;
  }

  #failure(): TemplateResult {
    const { common, pageNotLoaded } = this.context.words;
    const way = html`<button class="primary" @click=${this.#retry}>${common.retry}</button>`;
    return html`<div role="alert">${notice(WifiOff, pageNotLoaded, { tone: "warn", heading: 1, way })}</div>`;
  }

  /** Retries, then reloads the app: a browser may cache a script's failure, and a newer version has other scripts. */
  async #retry(): Promise<void> {
    await this.#show(this.context.router.place);
    if (this.unopened && navigator.onLine) location.reload();
  }

  #connected(): void {
    if (this.unopened) own(this.#show(this.context.router.place));
  }

  /** Returns true if the place may be shown, else redirects; sends no request: the device stores the sign-in. */
  #allowed(place: Place): boolean {
    const { router, session } = this.context;
    const isTheirs = place.personId === undefined || place.personId === session.shownId;
    if (routes[place.page].open || (session.expected && isTheirs)) return true;
    // A page that another person opened is not shown: the person who is signed in now starts at Home.
    if (session.expected) router.go("/", { replace: true });
    else router.go("/welcome", { replace: true, state: returnPlaceAt(place) });
    return false;
  }

  /** Records a sign-in that a server made and announced in the fragment, as the demo's addresses do. */
  #arrive(): void {
    const { lock, router, session } = this.context;
    const { fragment, path, state } = router.place;
    if (fragment !== SIGNED_IN) return;
    // Anybody can craft such an address: it must not unlock the app or replace a sign-in by passkey.
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
    this.opening = name;
    const route: Route = routes[name];
    const first = this.shown === undefined;
    // The bars are shown while the page loads.
    this.shown ??= name;
    // At the app's own start there is more to do than the processor of a phone can.
    if (!first) route.beside?.();
    const loaded = await this.#load(name);
    // Yields between evaluating the page's script and rendering the page.
    await yieldToBrowser();
    if (navigation !== this.#navigations) return;
    if (!loaded) return this.#failed(name);
    const page = document.createElement(route.tag) as Page;
    page.context = this.context;
    const isLast = (): boolean => navigation === this.#navigations;
    const view = name === place.page ? place.view : undefined;
    if (view !== undefined) page.choices = view.choices;
    const isRendered = await this.#change(page, name);
    // A page that was never shown has no heading, and must not set the title.
    if (!isLast()) return;
    if (!isRendered) return this.#failed(name);
    this.opening = undefined;
    document.title = name === "home" || name === "lock" ? "Cupo" : `${page.name} · Cupo`;
    if (!first) page.focusHeading();
    if (view?.top) await this.#scrollBack(page, view.top, isLast).catch(reportError);
  }

  /** Fetches a page that is about to be opened, so that it opens at once. */
  prepare(name: PageName): void {
    own(this.#load(name));
  }

  /** Loads the script and the words of a page; resolves to false if one of them cannot be had. */
  #load(name: PageName): Promise<boolean> {
    const words = pageWords[name];
    return succeeds(Promise.all([routes[name].load(), words && loadWords(words, this.context.language)]));
  }

  async #scrollBack(...left: Parameters<typeof import("./platform/scroll-back.ts").scrollBack>): Promise<void> {
    const { scrollBack } = await import("./platform/scroll-back.ts");
    await scrollBack(...left);
  }

  async #failed(shown: PageName): Promise<void> {
    this.opening = undefined;
    this.shown = shown;
    this.page = undefined;
    this.unopened = true;
    document.title = "Cupo";
    await this.updateComplete;
    this.renderRoot.querySelector<HTMLElement>("h1")?.focus();
  }

  /** Shows a page; resolves to false if it failed to render. */
  async #change(page: Page, shown: PageName): Promise<boolean> {
    this.page = page;
    this.shown = shown;
    this.unopened = false;
    this.spoken = "";
    scrollTo(0, 0);
    await this.updateComplete;
    return succeeds(page.updateComplete);
  }

  /**
   * Removes the data of a person whose session is over, and keeps the place that they wanted. An attempt to pay stays
   * until it is known who signs in next: its key is needed to ask if it was paid.
   */
  async signedOut(): Promise<void> {
    // Nothing is shown yet: `Session.finishLeaving` handles it at the start.
    if (this.context === undefined) return;
    const { attempts, router, session } = this.context;
    const wanted = returnPlaceAt(router.place, session.personId);
    if (router.place.page !== "welcome" && wanted.attempt === undefined) attempts.clear();
    await this.#forget();
    if (router.place.page !== "welcome") router.go("/welcome", { replace: true, state: wanted });
  }

  /** Removes the previous person's data, and shows the welcome page's notice for operators. */
  async operatorCame(): Promise<void> {
    if (this.context === undefined) return;
    const { attempts, router } = this.context;
    attempts.clear();
    await this.#forget();
    router.go("/welcome", { replace: true, state: { operator: true } satisfies WelcomePlace });
  }

  /** Reloads this tab if it may show a person whose data another tab has removed. */
  left(personId: string | undefined): void {
    // An app that is still starting, or does not know yet which person it shows, may have read their data already.
    const shown = this.context?.session.me?.id;
    if (shown !== undefined && shown !== personId) return;
    this.context?.attempts.clear();
    location.reload();
  }

  /** Removes the person's data once for all concurrent callers; the welcome page waits for it. */
  async #forget(): Promise<void> {
    this.#forgetting ??= this.context.session.forget().finally(() => {
      this.#forgetting = undefined;
    });
    await this.#forgetting;
  }

  /** Navigates to the page that the person wanted before the welcome page. */
  signedIn(): void {
    const { attempts, lock, router, session } = this.context;
    lock.unlock();
    const { path, state, samePerson } = destinationAfter(router.place.state, session.me?.id);
    if (!samePerson) attempts.clear();
    router.go(path, { replace: true, state });
  }
}

customElements.get("cupo-app") ?? customElements.define("cupo-app", CupoApp);
