/** A page that is not long enough by then has changed since, or waits for the network. */
const LONGEST_MS = 1_000;

/**
 * Scrolls to where a page was left, as soon as its content, which may still be read, is long enough. Leaves it to the
 * person once they do something, and ends when the place is no longer wanted.
 */
export async function scrollBack(top: number, isWanted: () => boolean): Promise<void> {
  const moves = new AbortController();
  for (const move of ["pointerdown", "wheel", "keydown"]) {
    addEventListener(move, () => moves.abort(), { signal: moves.signal, passive: true });
  }
  const latest = performance.now() + LONGEST_MS;
  while (isWanted() && !moves.signal.aborted && performance.now() < latest) {
    scrollTo(0, top);
    // A browser may round to whole pixels.
    if (Math.abs(scrollY - top) < 1) break;
    await new Promise(requestAnimationFrame);
  }
  moves.abort();
}
