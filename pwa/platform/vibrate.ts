/** Vibrates shortly where supported. Before user activation browsers refuse it, and log a warning. */
export function vibrate(pattern: number | number[]): void {
  const isCalm = matchMedia("(prefers-reduced-motion: reduce)").matches;
  if (navigator.userActivation?.hasBeenActive && !isCalm) navigator.vibrate?.(pattern);
}
