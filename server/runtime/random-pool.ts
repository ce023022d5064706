const POOL_BYTES = 4096;
const MOST_FROM_POOL = 256;

/**
 * Makes a source of random bytes that asks the system's for some thousand at a time, because each call costs
 * microseconds whatever its size. Every byte is given out once, as a copy, and forgotten here.
 */
export function randomPool(randomBytes: (length: number) => Uint8Array): (length: number) => Uint8Array {
  let pool = new Uint8Array(0);
  let next = 0;
  return (length) => {
    if (length > MOST_FROM_POOL) return randomBytes(length);
    if (next + length > pool.length) {
      pool = Uint8Array.from(randomBytes(POOL_BYTES));
      next = 0;
    }
    const bytes = pool.slice(next, next + length);
    pool.fill(0, next, next + length);
    next += length;
    return bytes;
  };
}
