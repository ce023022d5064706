const INPUT_EVENTS = ["pointerdown", "keydown", "wheel", "touchmove"] as const;
/** A person whose last input is no older than this counts as present. */
const PRESENT_MS = 2 * 60_000;

/** Calls `sign` at every user input, even if the page stops its propagation. */
export function onUserInput(window: Window, sign: () => void): void {
  for (const type of INPUT_EVENTS) window.addEventListener(type, sign, { capture: true, passive: true });
}

/** Watches user input, and returns a function that is true while a person is present. Opening the app is an input. */
export function watchPresence(window: Window, elapsed: () => number): () => boolean {
  let lastMs = elapsed();
  onUserInput(window, () => {
    lastMs = elapsed();
  });
  return () => elapsed() - lastMs < PRESENT_MS;
}
