import type { Page } from "../context/page.ts";

/** A page whose content, which may still be read, was left somewhere. */
interface LeftPage extends Page {
  /** Distance from the document's top, in pixels, to where the page was left; undefined if it only knows the view's. */
  readonly leftAt?: number | undefined;
}

/** A page that is not long enough by then has changed since, or waits for the network. */
const LONGEST_MS = 5_000;
/** Until then, what comes late, such as a broker's answer, moves the page back to its place. */
const LATEST_MS = 15_000;
/** Rows are drawn some frames after they come near the screen, and then may have another height than before. */
const STILL_FRAMES = 30;
const MOVES = ["wheel", "touchmove", "pointerdown", "keydown"];

/**
 * Scrolls to where a page was left, `top` pixels down unless the page knows better, until its content stands still
 * there, and again whenever its height changes soon after. Leaves it to the person once they act, and ends when the
 * place is no longer wanted.
 */
export async function scrollBack(page: LeftPage, top: number, isWanted: () => boolean): Promise<void> {
  const begun = performance.now();
  const acted = new AbortController();
  for (const move of MOVES) addEventListener(move, () => acted.abort(), { passive: true, signal: acted.signal });
  const isOver = (longest: number): boolean =>
    acted.signal.aborted || !isWanted() || performance.now() > begun + longest;
  for (let still = 0; still < STILL_FRAMES && !isOver(LONGEST_MS); ) {
    const target = page.leftAt ?? top;
    // A browser may round to whole pixels.
    still = Math.abs(scrollY - target) < 1 ? still + 1 : 0;
    scrollTo(0, target);
    await new Promise(requestAnimationFrame);
  }
  const late = new ResizeObserver(() => {
    if (!isOver(LATEST_MS)) return scrollTo(0, page.leftAt ?? top);
    late.disconnect();
    acted.abort();
  });
  late.observe(page);
}
