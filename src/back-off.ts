const FIRST_PAUSE_MS = 100;

/**
 * How long to wait after the try of that number, from 0: twice as long each time, and half of it drawn, so that those
 * who failed together do not come back together.
 */
export function backOffMs(number: number, random: (length: number) => Uint8Array): number {
  const share = (random(1)[0] ?? 0) / 256;
  return FIRST_PAUSE_MS * 2 ** number * (0.5 + share);
}
