import type { Page } from "../context/page.ts";

/** A page whose content, which may still be read, was left somewhere. */
interface LeftPage extends Page {
  /** Distance from the document's top, in pixels, to where the page was left; undefined if it only knows the view's. */
  readonly leftAt?: number | undefined;
}

/** A page that is not long enough by then has changed since, or waits for the network. */
const LONGEST_MS = 5_000;
/** Rows are drawn some frames after they come near the screen, and then may have another height than before. */
const STILL_FRAMES = 30;
const MOVES = ["wheel", "touchmove", "pointerdown", "keydown"];

/**
 * Scrolls to where a page was left, `top` pixels down unless the page knows better, until its content stands still
 * there. Leaves it to the person once they act, and ends when the place is no longer wanted.
 */
export async function scrollBack(page: LeftPage, top: number, isWanted: () => boolean): Promise<void> {
  const latest = performance.now() + LONGEST_MS;
  const acted = new AbortController();
  for (const move of MOVES) addEventListener(move, () => acted.abort(), { passive: true, signal: acted.signal });
  for (let still = 0; still < STILL_FRAMES; ) {
    if (acted.signal.aborted || !isWanted() || performance.now() > latest) break;
    const target = page.leftAt ?? top;
    // A browser may round to whole pixels.
    still = Math.abs(scrollY - target) < 1 ? still + 1 : 0;
    scrollTo(0, target);
    await new Promise(requestAnimationFrame);
  }
  acted.abort();
}
