import { type PageName, pageOf } from "./app-paths.ts";

/** How a page was left: so many pixels down, and with choices of the person that the page names, such as a filter. */
export interface View {
  readonly top: number;
  readonly choices: unknown;
}

/**
 * A place in the app: page, path, fragment, the state that the previous page handed over (survives a reload), and the
 * person who was signed in at the navigation.
 */
export interface Place {
  readonly page: PageName;
  readonly path: string;
  readonly fragment: string;
  readonly state: unknown;
  /** The person who was signed in at the navigation, if any. */
  readonly personId?: string;
  /** How its page was left, where the person comes back to it. */
  readonly view?: View | undefined;
}

/** Options of a navigation. */
export interface GoOptions {
  readonly state?: unknown;
  /** Replaces the current history entry, so that "back" does not return to it. */
  readonly replace?: boolean;
}

/** State of a history entry. */
interface HistoryState {
  /** Number of this app's entries before it: the browser's own "back" counts like the page's. */
  readonly step: number;
  readonly handed: unknown;
  readonly personId?: string | undefined;
  readonly view?: View | undefined;
}

function isHistoryState(state: unknown): state is HistoryState {
  return typeof state === "object" && state !== null && "step" in state && "handed" in state;
}

/** Properties of a link click that decide if the router handles it: an ordinary click on a link of this app. */
export interface LinkClick {
  readonly button: number;
  readonly modified: boolean;
  readonly defaultPrevented: boolean;
  readonly target: string;
  readonly download: boolean;
  readonly sameOrigin: boolean;
  readonly path: string;
}

/** True if the router handles a click; all others (new tab, download, other sites) are left to the browser. */
export function takesClick(click: LinkClick): boolean {
  if (click.defaultPrevented || click.button !== 0 || click.modified) return false;
  if (click.download || (click.target !== "" && click.target !== "_self")) return false;
  return click.sameOrigin && pageOf(click.path) !== "lost";
}

function linkClickOf(event: MouseEvent, link: HTMLAnchorElement, origin: string): LinkClick {
  return {
    button: event.button,
    modified: event.metaKey || event.ctrlKey || event.shiftKey || event.altKey,
    defaultPrevented: event.defaultPrevented,
    target: link.target,
    download: link.hasAttribute("download"),
    sameOrigin: link.origin === origin,
    path: link.pathname,
  };
}

/** Keeps address and page in sync through the History API. Dispatches `change` after each navigation. */
export class Router extends EventTarget {
  readonly #window: Window;
  readonly #personId: () => string | undefined;
  /** Tells how the page of the current place looks now; undefined while another is being opened. */
  viewNow: () => View | undefined = () => undefined;

  /** `personId` gives the signed-in person, if known, who is stored with each place. */
  constructor(window: Window, personId: () => string | undefined) {
    super();
    this.#window = window;
    this.#personId = personId;
    window.addEventListener("popstate", () => this.#changed());
    window.document.addEventListener("click", (event) => this.#clicked(event));
  }

  /** Where the app is now. */
  get place(): Place {
    const { pathname, hash } = this.#window.location;
    const { handed, personId, view } = this.#historyState;
    return {
      page: pageOf(pathname),
      path: pathname,
      fragment: hash.slice(1),
      state: handed,
      ...(personId === undefined ? {} : { personId }),
      view,
    };
  }

  /** Opens a path of the app. */
  go(path: string, { state = null, replace = false }: GoOptions = {}): void {
    if (!replace) this.keepView();
    if (replace) this.keep(path, state);
    else this.#window.history.pushState(this.#historyStateOf(this.#historyState.step + 1, state), "", path);
    this.#changed();
  }

  /** Replaces the current entry's path and state, which survives a reload, without opening the page again. */
  keep(path: string, state: unknown): void {
    this.#window.history.replaceState(this.#historyStateOf(this.#historyState.step, state), "", path);
  }

  /** Keeps how the page looks now, for the way back to it and for a reload; it is for the present person alone. */
  keepView(): void {
    const view = this.viewNow();
    const { step, handed } = this.#historyState;
    const state = this.#historyStateOf(step, handed);
    if (view && state.personId) this.#window.history.replaceState({ ...state, view }, "");
  }

  #historyStateOf(step: number, handed: unknown): HistoryState {
    return { step, handed, personId: this.#personId() };
  }

  /** Goes one step back, or to Home if the app was opened at this place. */
  back(): void {
    if (this.#historyState.step === 0) this.go("/", { replace: true });
    else this.#window.history.back();
  }

  /** An entry that the browser created, as for a link into the app, has none before it. */
  get #historyState(): HistoryState {
    const state = this.#window.history.state as unknown;
    return isHistoryState(state) ? state : { step: 0, handed: state };
  }

  #changed(): void {
    this.dispatchEvent(new Event("change"));
  }

  #clicked(event: MouseEvent): void {
    const link = event.composedPath().find((node) => node instanceof HTMLAnchorElement);
    if (link === undefined || !takesClick(linkClickOf(event, link, this.#window.location.origin))) return;
    event.preventDefault();
    const path = link.pathname + link.hash;
    if (path !== this.place.path) this.go(path);
  }
}
