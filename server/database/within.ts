/** Waits for work at most so long, then fails with what `late` makes; the work itself goes on. */
export async function within<T>(limitMs: number, work: Promise<T>, late: () => Error): Promise<T> {
  const { promise: deadline, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(late()), limitMs);
  try {
    return await Promise.race([work, deadline]);
  } finally {
    clearTimeout(timer);
  }
}
