const FIRST_PAUSE_MS = 100;

/**
 * The pause after the try of that number, from 0: doubled each time, with random jitter, so that clients that failed
 * together do not retry together.
 */
export function backOffMs(number: number, random: (length: number) => Uint8Array): number {
  const share = (random(1)[0] ?? 0) / 256;
  return FIRST_PAUSE_MS * 2 ** number * (0.5 + share);
}
