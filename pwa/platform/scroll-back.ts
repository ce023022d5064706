/** A page that is not long enough by then has changed since, or waits for the network. */
const LONGEST_MS = 1_000;

/**
 * Scrolls to where a page was left, as soon as its content, which may still be read, is long enough. Leaves it to the
 * person once they scroll, and ends when the place is no longer wanted.
 */
export async function scrollBack(top: number, isWanted: () => boolean): Promise<void> {
  const latest = performance.now() + LONGEST_MS;
  let own = scrollY;
  while (scrollY === own && isWanted() && performance.now() < latest) {
    scrollTo(0, top);
    own = scrollY;
    // A browser may round to whole pixels.
    if (Math.abs(own - top) < 1) return;
    await new Promise(requestAnimationFrame);
  }
}
