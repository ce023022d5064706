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
  readonly personId?: string | undefined;
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
  return typeof (state as Partial<HistoryState> | null)?.step === "number";
}

type ClickKeys = Pick<MouseEvent, "altKey" | "button" | "ctrlKey" | "defaultPrevented" | "metaKey" | "shiftKey">;

/** True if the router handles a click on a link; new tabs, downloads and other sites are left to the browser. */
export function takesClick(
  { altKey, button, ctrlKey, defaultPrevented, metaKey, shiftKey }: ClickKeys,
  link: Pick<HTMLAnchorElement, "hasAttribute" | "origin" | "pathname" | "target">,
  origin: string,
): boolean {
  if (defaultPrevented || button !== 0 || altKey || ctrlKey || metaKey || shiftKey) return false;
  if (link.hasAttribute("download") || (link.target !== "" && link.target !== "_self")) return false;
  return link.origin === origin && pageOf(link.pathname) !== "lost";
}

/** Keeps address and page in sync through the History API. Dispatches `change` after each navigation. */
export class Router extends EventTarget {
  readonly #window: Window;
  readonly #personId: () => string | undefined;
  /** The step of the place that is shown. */
  #step: number;
  /** How pages were left by the browser's own buttons, by step: the entry that is left can no longer be changed. */
  readonly #left = new Map<number, View>();
  /** Tells how the page that is shown looks now; undefined while another is being opened. */
  viewNow: () => View | undefined = () => undefined;

  /** `personId` gives the signed-in person, if known, who is stored with each place. */
  constructor(window: Window, personId: () => string | undefined) {
    super();
    this.#window = window;
    this.#personId = personId;
    this.#step = this.#historyState.step;
    window.addEventListener("popstate", () => this.#popped());
    window.document.addEventListener("click", (event) => this.#clicked(event));
  }

  /** Where the app is now. */
  get place(): Place {
    const { pathname, hash } = this.#window.location;
    const { step, handed, personId, view } = this.#historyState;
    return {
      page: pageOf(pathname),
      path: pathname,
      fragment: hash.slice(1),
      state: handed,
      personId,
      view: this.#left.get(step) ?? view,
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
    const { step, handed } = this.#historyState;
    const view = step === this.#step && this.#personId() ? this.viewNow() : undefined;
    if (view) this.#window.history.replaceState({ ...this.#historyStateOf(step, handed), view }, "");
  }

  /** Makes the state of a new or changed entry. */
  #historyStateOf(step: number, handed: unknown): HistoryState {
    this.#left.delete(step);
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

  #popped(): void {
    const view = this.viewNow();
    if (view) this.#left.set(this.#step, view);
    this.#changed();
  }

  #changed(): void {
    this.#step = this.#historyState.step;
    this.dispatchEvent(new Event("change"));
  }

  #clicked(event: MouseEvent): void {
    const link = event.composedPath().find((node) => node instanceof HTMLAnchorElement);
    if (link === undefined || !takesClick(event, link, this.#window.location.origin)) return;
    event.preventDefault();
    const path = link.pathname + link.hash;
    if (path !== this.place.path) this.go(path);
  }
}
