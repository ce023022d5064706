import type { Page } from "playwright-core";

declare global {
  /** The page's time of the last press, in milliseconds. */
  var pressedAt: number;
  /** Milliseconds from the last press until the first frame that answers it; undefined before that. */
  var feedbackMs: number | undefined;
}

/**
 * Runs in the page: measures, from each press on, how long it is until a frame that differs: by an element, an
 * attribute or a text anywhere, or by the shadow with which the pressed place answers a finger.
 */
function watch(): void {
  let answered = (): void => undefined;
  const changes = new MutationObserver(() => answered());
  const all = { subtree: true, childList: true, attributes: true, characterData: true };
  changes.observe(document, all);
  const attachShadow = Element.prototype.attachShadow;
  Element.prototype.attachShadow = function (this: Element, init) {
    const root = attachShadow.call(this, init);
    changes.observe(root, all);
    return root;
  };
  addEventListener(
    "pointerdown",
    (event) => {
      globalThis.pressedAt = event.timeStamp;
      globalThis.feedbackMs = undefined;
      const pressed = event.composedPath().find((at) => at instanceof Element && at.matches("a, button"));
      if (!(pressed instanceof Element)) return;
      const unpressed = getComputedStyle(pressed).boxShadow;
      let isAnswered = false;
      answered = () => {
        isAnswered = true;
      };
      const look = (): void => {
        if (!isAnswered && getComputedStyle(pressed).boxShadow === unpressed) return void requestAnimationFrame(look);
        // The frame that is being made is on the screen when the next task runs.
        setTimeout(() => {
          globalThis.feedbackMs = performance.now() - event.timeStamp;
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

/**
 * Waits until an element is shown, each name within the shadow root of the one before; resolves to the page's time in
 * milliseconds.
 */
export function shownAt(page: Page, names: readonly string[]): Promise<number> {
  return page.evaluate(async (path) => {
    const within = (root: ParentNode | null | undefined, [name = "", ...names]: readonly string[]): Element | null => {
      const found = root?.querySelector(name) ?? null;
      return names.length === 0 ? found : within(found?.shadowRoot, names);
    };
    const isShown = (): boolean => within(document, path)?.checkVisibility({ visibilityProperty: true }) === true;
    while (!isShown()) await new Promise(requestAnimationFrame);
    return performance.now();
  }, names);
}

/** Waits for the answer to the last press; resolves to its milliseconds. */
export async function feedbackOf(page: Page): Promise<number> {
  const handle = await page.waitForFunction(() => globalThis.feedbackMs);
  return (await handle.jsonValue()) ?? Number.NaN;
}
