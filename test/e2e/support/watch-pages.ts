import type { Page } from "playwright-core";

/** Runs in a page: records which pages of the app are in the document, in every frame that is drawn from now on. */
export function watchPages(): void {
  const pages = new Set<string>();
  Object.assign(globalThis, { pages });
  const look = (): void => {
    const shown = document.querySelector("cupo-app")?.shadowRoot?.querySelector("main")?.firstElementChild;
    if (shown) pages.add(shown.localName);
    requestAnimationFrame(look);
  };
  look();
}

/** The names of the pages that were in the document since {@link watchPages}. */
export function pagesShown(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => [...(globalThis as unknown as { pages: Set<string> }).pages]);
}
