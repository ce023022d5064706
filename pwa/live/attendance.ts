const SIGNS = ["pointerdown", "keydown", "wheel", "touchmove"] as const;
/** Whoever touched the app within this is still at it. */
const ATTENTIVE_MS = 2 * 60_000;

/** Watches for signs of a person; answers whether somebody is there. Opening the app is a sign. */
export function watchAttendance(window: Window, elapsed: () => number): () => boolean {
  let lastMs = elapsed();
  const sign = (): void => {
    lastMs = elapsed();
  };
  for (const type of SIGNS) window.addEventListener(type, sign, { capture: true, passive: true });
  return () => elapsed() - lastMs < ATTENTIVE_MS;
}
