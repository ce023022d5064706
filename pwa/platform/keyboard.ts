import type { LitElement } from "lit";
import { listenWhileConnected } from "./listen-while-connected.ts";

/** Distance between an action and the keyboard below it. */
const GAP_PX = 8;

/** Returns how many px at the bottom of the page an on-screen keyboard covers; 0 while the page is zoomed. */
function coveredPx({ document, visualViewport }: Window): number {
  if (visualViewport === null || visualViewport.scale !== 1) return 0;
  const { height, offsetTop } = visualViewport;
  return Math.max(0, document.documentElement.clientHeight - offsetTop - height);
}

/** Returns the element that has the focus, in shadow roots too. */
function focusedIn({ activeElement }: DocumentOrShadowRoot): Element | null {
  const within = activeElement?.shadowRoot;
  return within?.activeElement ? focusedIn(within) : activeElement;
}

/** Returns the form around an element, which may be in a shadow root of its own. */
function formAround(element: Element): HTMLFormElement | null {
  const root = element.getRootNode();
  return element.closest("form") ?? (root instanceof ShadowRoot ? formAround(root.host) : null);
}

/** Scrolls the field that has the focus, and with it its form's action, to where no keyboard covers them. */
function reveal(page: LitElement): void {
  const field = page.shadowRoot && focusedIn(page.shadowRoot);
  if (!field) return;
  const form = formAround(field);
  // A field may be an element with a shadow root; its place in the form has the form's margins.
  const placed = (form?.getRootNode() as ShadowRoot | undefined)?.activeElement ?? field;
  placed.scrollIntoView({ block: "nearest" });
  const action = form?.querySelector("button:not([type=button])") ?? field;
  const room = document.documentElement.clientHeight - coveredPx(window) - GAP_PX;
  const hidden = action.getBoundingClientRect().bottom - room;
  if (hidden > 0) scrollBy(0, Math.min(hidden, placed.getBoundingClientRect().top));
}

/**
 * Keeps `--cupo-keyboard` of a page at what an on-screen keyboard covers of it, in px, so that its style sheet can hold
 * the page's action above the keyboard, or leave room to scroll it there; the field that has the focus and its form's
 * action are scrolled into what is left. Safari on an iPhone puts the keyboard over the page; where the page becomes
 * smaller instead (`interactive-widget=resizes-content`), nothing is covered.
 */
export function followKeyboard(page: LitElement): void {
  const follow = (): void => page.style.setProperty("--cupo-keyboard", `${coveredPx(window)}px`);
  const resized = (): void => {
    follow();
    if (coveredPx(window) > 0) reveal(page);
  };
  const viewport = (): EventTarget => window.visualViewport ?? window;
  listenWhileConnected(page, viewport, "resize", resized);
  listenWhileConnected(page, viewport, "scroll", follow);
}
