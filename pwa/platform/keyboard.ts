import type { LitElement } from "lit";
import { listenWhileConnected } from "./listen-while-connected.ts";

/** Returns how many px at the bottom of the page an on-screen keyboard covers; 0 while the page is zoomed. */
function coveredPx({ document, visualViewport }: Window): number {
  if (visualViewport === null || visualViewport.scale !== 1) return 0;
  const { height, offsetTop } = visualViewport;
  return Math.max(0, document.documentElement.clientHeight - offsetTop - height);
}

/**
 * Keeps `--cupo-keyboard` of a page at what an on-screen keyboard covers of it, in px, so that its style sheet can hold
 * the page's action above the keyboard; the field that has the focus is scrolled into what is left. Safari on an iPhone
 * puts the keyboard over the page; where the page becomes smaller instead (`interactive-widget=resizes-content`),
 * nothing is covered.
 */
export function followKeyboard(page: LitElement): void {
  const follow = (): void => page.style.setProperty("--cupo-keyboard", `${coveredPx(window)}px`);
  const reveal = (): void => {
    follow();
    if (coveredPx(window) > 0) page.shadowRoot?.activeElement?.scrollIntoView({ block: "nearest" });
  };
  const viewport = (): EventTarget => window.visualViewport ?? window;
  listenWhileConnected(page, viewport, "resize", reveal);
  listenWhileConnected(page, viewport, "scroll", follow);
}
