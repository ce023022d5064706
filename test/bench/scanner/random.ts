/** Numbers from 0 up to 1 that look random and are the same for the same seed (mulberry32). */
export type Random = () => number;

/** A source of numbers for one picture. */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A number between two others. */
export function between(random: Random, least: number, most: number): number {
  return least + (most - least) * random();
}

/** Numbers of the normal distribution, in a table because a picture needs a million of them. */
const NORMAL = normalTable(seededRandom(1), 1 << 14);

function normalTable(random: Random, size: number): Float32Array {
  return Float32Array.from(
    { length: size },
    () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random()),
  );
}

/** A number of the normal distribution around 0 with deviation 1. */
export function normal(random: Random): number {
  return NORMAL[Math.floor(random() * NORMAL.length)] ?? 0;
}
