/**
 * Vibrates in a pattern of milliseconds where supported, but not under reduced motion, nor before user activation:
 * browsers refuse it then, and log a warning.
 */
export function vibrate(pattern: number | number[]): void {
  const isCalm = matchMedia("(prefers-reduced-motion: reduce)").matches;
  if (navigator.userActivation?.hasBeenActive && !isCalm) navigator.vibrate?.(pattern);
}
