import { type PageName, pageOf } from "./app-paths.ts";

/** Where the app is: its page, the address's fragment, and what the page before handed over (survives a reload). */
export interface Place {
  readonly page: PageName;
  readonly path: string;
  readonly fragment: string;
  readonly state: unknown;
  /** The person who was signed in when it was gone to, if any. */
  readonly personId?: string;
}

/** How a step to another place may differ. */
export interface GoOptions {
  readonly state?: unknown;
  /** Takes the present place's turn in the history, so that "back" does not return to it. */
  readonly replace?: boolean;
}

/** What the history keeps with a place. */
interface Kept {
  /** How many places of this app lie before it: the browser's own "back" counts as the page's does. */
  readonly step: number;
  readonly handed: unknown;
  readonly personId?: string | undefined;
}

function isKept(state: unknown): state is Kept {
  return typeof state === "object" && state !== null && "step" in state && "handed" in state;
}

/** What decides whether a click on a link is ours: an ordinary click on a link of this app. */
export interface LinkClick {
  readonly button: number;
  readonly modified: boolean;
  readonly defaultPrevented: boolean;
  readonly target: string;
  readonly download: boolean;
  readonly sameOrigin: boolean;
  readonly path: string;
}

/** Whether the router takes a click over; everything else (new tab, download, other sites) is the browser's. */
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

/** Keeps the address and the page in step over the History API. Dispatches `change` whenever the place is another. */
export class Router extends EventTarget {
  readonly #window: Window;
  readonly #personId: () => string | undefined;

  /** The person who is signed in, as far as it is known, is noted with each place. */
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
    const { handed, personId } = this.#kept;
    return {
      page: pageOf(pathname),
      path: pathname,
      fragment: hash.slice(1),
      state: handed,
      ...(personId === undefined ? {} : { personId }),
    };
  }

  /** Opens a path of the app. */
  go(path: string, { state = null, replace = false }: GoOptions = {}): void {
    if (replace) this.keep(path, state);
    else this.#window.history.pushState(this.#keeping(this.#kept.step + 1, state), "", path);
    this.#changed();
  }

  /** Renames the present place and hands it something, to be there after a reload, without opening it again. */
  keep(path: string, state: unknown): void {
    this.#window.history.replaceState(this.#keeping(this.#kept.step, state), "", path);
  }

  #keeping(step: number, handed: unknown): Kept {
    return { step, handed, personId: this.#personId() };
  }

  /** One step back; to the start when the app was opened at this place. */
  back(): void {
    if (this.#kept.step === 0) this.go("/", { replace: true });
    else this.#window.history.back();
  }

  /** A place that the browser made by itself, as for a link into the app, has none before it. */
  get #kept(): Kept {
    const state = this.#window.history.state as unknown;
    return isKept(state) ? state : { step: 0, handed: state };
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
