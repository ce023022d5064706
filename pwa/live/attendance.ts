const SIGNS = ["pointerdown", "keydown", "wheel", "touchmove"] as const;
/** Whoever touched the app within this is still at it. */
const ATTENTIVE_MS = 2 * 60_000;

/** Hears of every sign that somebody is at the device, whatever becomes of it on the page. */
export function hearSigns(window: Window, sign: () => void): void {
  for (const type of SIGNS) window.addEventListener(type, sign, { capture: true, passive: true });
}

/** Watches for signs of a person; answers whether somebody is there. Opening the app is a sign. */
export function watchAttendance(window: Window, elapsed: () => number): () => boolean {
  let lastMs = elapsed();
  hearSigns(window, () => {
    lastMs = elapsed();
  });
  return () => elapsed() - lastMs < ATTENTIVE_MS;
}
