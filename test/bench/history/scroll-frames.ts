import type { Page } from "playwright-core";

/** The measurements of one scrolling. */
export interface ScrollTimes {
  /** Milliseconds between one frame and the next. */
  readonly framesMs: readonly number[];
  /** Most rows that were in the document at once. */
  readonly mostRows: number;
  /** Number of checks for rows in the middle of the screen, and of those that found none. */
  readonly looks: number;
  readonly blankFrames: number;
}

/** Scrolls a page down by so many CSS pixels a second, in every frame, for so long. */
export function scroll(page: Page, pixelsPerSecond: number, durationMs: number): Promise<ScrollTimes> {
  return page.evaluate(
    async ({ speed, lasts }) => {
      const list = document
        .querySelector("cupo-app")
        ?.shadowRoot?.querySelector("cupo-history-page")
        ?.shadowRoot?.querySelector("cupo-movement-list")?.shadowRoot;
      if (!list) throw new Error("there is no list");
      const frame = (): Promise<number> => new Promise(requestAnimationFrame);
      const framesMs: number[] = [];
      const isBlank = (): boolean => {
        const middle = list.elementFromPoint(innerWidth / 2, innerHeight / 2);
        return middle?.classList.contains("part") === true;
      };
      let [mostRows, looks, blankFrames] = [0, 0, 0];
      const start = await frame();
      let before = start;
      while (before - start < lasts) {
        const now = await frame();
        framesMs.push(now - before);
        scrollBy(0, ((now - before) / 1_000) * speed);
        // Reading the document costs time itself: every tenth frame is enough.
        if (framesMs.length % 10 === 0) {
          mostRows = Math.max(mostRows, list.querySelectorAll(".row").length);
          looks++;
          if (isBlank()) blankFrames++;
        }
        before = now;
      }
      return { framesMs, mostRows, looks, blankFrames };
    },
    { speed: pixelsPerSecond, lasts: durationMs },
  );
}
