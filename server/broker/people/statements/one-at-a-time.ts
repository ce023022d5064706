import { ApiError } from "../../../../src/contract/shared/errors.ts";

/** Seconds within which the work is usually done. */
const RETRY_AFTER_SECONDS = 5;

/** Keeps one person from filling the process with expensive work: a second task before the first is over is refused. */
export function oneAtATime(): <T>(whose: string, work: () => Promise<T>) => Promise<T> {
  const busy = new Set<string>();
  return async (whose, work) => {
    if (busy.has(whose)) {
      const detail = "The one that you asked for before is not done yet.";
      throw new ApiError("too_many_requests", { detail, retryAfter: RETRY_AFTER_SECONDS });
    }
    busy.add(whose);
    try {
      return await work();
    } finally {
      busy.delete(whose);
    }
  };
}
