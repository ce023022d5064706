/** A short vibration where there is one. Browsers refuse it before the page was touched, and complain about the try. */
export function vibrate(pattern: number | number[]): void {
  const isCalm = matchMedia("(prefers-reduced-motion: reduce)").matches;
  if (navigator.userActivation?.hasBeenActive && !isCalm) navigator.vibrate?.(pattern);
}
