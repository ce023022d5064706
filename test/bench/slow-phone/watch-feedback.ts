import type { Page } from "playwright-core";

declare global {
  /** Milliseconds from the last press until the first frame that shows anything else; undefined before it. */
  var feedbackMs: number | undefined;
}

/** Runs in the page: measures, from each press on, how long the page looks as it did before. */
function watch(): void {
  /** All that a page shows: elements with their attributes and texts, those in shadow roots too. */
  const shown = (root: Element | ShadowRoot): string => {
    let text = root.innerHTML;
    for (const element of root.querySelectorAll("*")) if (element.shadowRoot) text += shown(element.shadowRoot);
    return text;
  };
  addEventListener(
    "pointerdown",
    ({ timeStamp }) => {
      globalThis.feedbackMs = undefined;
      const before = shown(document.documentElement);
      const look = (): void => {
        if (shown(document.documentElement) === before) return void requestAnimationFrame(look);
        // The frame that is being made is on the screen when the next task runs.
        setTimeout(() => {
          globalThis.feedbackMs = performance.now() - timeStamp;
        });
      };
      requestAnimationFrame(look);
    },
    true,
  );
}

/** Has the pages of a tab measure how long each press goes without an answer that can be seen. */
export async function watchFeedback(page: Page): Promise<void> {
  await page.addInitScript(watch);
}

/** Waits for the answer to the last press; resolves to its milliseconds. */
export async function feedbackOf(page: Page): Promise<number> {
  const handle = await page.waitForFunction(() => globalThis.feedbackMs);
  return (await handle.jsonValue()) ?? Number.NaN;
}
