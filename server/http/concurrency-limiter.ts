import { ApiError } from "../../src/contract/shared/errors.ts";

/** A call that waits longer is refused: its caller can do more with an answer. */
const MAX_WAIT_MS = 2_000;
/** The interval of the check for calls that have waited too long. */
const LATE_CHECK_MS = 100;
/** Most calls of one key that may wait: they take memory. */
const WAITING_OF_KEY_LIMIT = 1_000;
/** Most calls of all keys that may wait: more than of one key, so that one alone locks nobody out. */
const WAITING_LIMIT = 4_000;

/**
 * Options of {@link ConcurrencyLimiter}: how much work may be in progress at a time, how much may wait for its turn,
 * and for how long.
 */
export interface ConcurrencyLimits {
  /** Places for work in progress. A key holds at most as many as are left free. */
  readonly places: number;
  /** Milliseconds from any fixed point. */
  readonly now: () => number;
  readonly maxWaitMs?: number;
  readonly waitingOfKeyLimit?: number;
  readonly waitingLimit?: number;
}

interface Waiting {
  readonly since: number;
  readonly isGone: () => boolean;
  readonly begin: () => void;
  readonly refuse: (error: ApiError) => void;
}

/** The work of one key. */
interface Line {
  running: number;
  readonly waiting: Waiting[];
}

function tooMany(detail: string): ApiError {
  return new ApiError("too_many_requests", { detail, retryAfter: 1 });
}

/** Thrown again and again while requests flood in: making its stack each time would cost much of the answer. */
const FULL = tooMany("Too many requests wait for their turn already: send fewer at a time.");

const EMPTY: Line = { running: 0, waiting: [] };

/**
 * Bounds work in progress, with turns between keys. A key alone gets half of the places, and the next key finds free
 * ones: so a caller with many calls delays itself, and not everybody else.
 */
export class ConcurrencyLimiter {
  readonly #limits: Required<ConcurrencyLimits>;
  /** By key, the one whose turn is next first. */
  readonly #lines = new Map<string, Line>();
  #running = 0;
  #waiting = 0;
  #looking: NodeJS.Timeout | undefined;

  constructor(limits: ConcurrencyLimits) {
    this.#limits = {
      maxWaitMs: MAX_WAIT_MS,
      waitingOfKeyLimit: WAITING_OF_KEY_LIMIT,
      waitingLimit: WAITING_LIMIT,
      ...limits,
    };
  }

  /**
   * Carries out work of a key when it is its turn, and never when its caller is gone by then. Throws 429 when too many
   * calls wait already, and 503 when it waited for too long.
   */
  async run<T>(key: string, isGone: () => boolean, work: () => Promise<T>): Promise<T> {
    const line = this.#lines.get(key) ?? { running: 0, waiting: [] };
    const turn = line.waiting.length === 0 && this.#mayBegin(line) ? this.#begin(line) : this.#turnOf(line, isGone);
    this.#lines.set(key, line);
    await turn;
    try {
      return await work();
    } finally {
      line.running -= 1;
      this.#running -= 1;
      this.#beginNext();
      this.#forgetIdle(key, line);
    }
  }

  /** Throws 429 where {@link run} would, before the work of reading what is to be carried out. */
  requireRoom(key: string): void {
    const line = this.#lines.get(key) ?? EMPTY;
    const mayBegin = line.waiting.length === 0 && this.#mayBegin(line);
    if (!mayBegin && !this.#hasWaitingRoom(line)) throw FULL;
  }

  #hasWaitingRoom(line: Line): boolean {
    const { waitingOfKeyLimit, waitingLimit } = this.#limits;
    return line.waiting.length < waitingOfKeyLimit && this.#waiting < waitingLimit;
  }

  #mayBegin(line: Line): boolean {
    return line.running < this.#limits.places - this.#running;
  }

  #begin(line: Line): void {
    line.running += 1;
    this.#running += 1;
  }

  #forgetIdle(key: string, line: Line): void {
    if (line.running === 0 && line.waiting.length === 0) this.#lines.delete(key);
  }

  #turnOf(line: Line, isGone: () => boolean): Promise<void> {
    if (!this.#hasWaitingRoom(line)) throw FULL;
    const { now } = this.#limits;
    this.#looking ??= setInterval(() => this.#refuseLate(), LATE_CHECK_MS);
    this.#waiting += 1;
    return new Promise((resolve, reject) => {
      line.waiting.push({ since: now(), isGone, begin: resolve, refuse: reject });
    });
  }

  #beginNext(): void {
    for (const [key, line] of this.#lines) {
      if (this.#running >= this.#limits.places || this.#waiting === 0) return;
      if (line.waiting.length === 0 || !this.#mayBegin(line)) continue;
      const next = this.#nextOf(line);
      if (next !== undefined) {
        this.#begin(line);
        next.begin();
      }
      // Moves the key behind the others.
      this.#lines.delete(key);
      this.#lines.set(key, line);
      this.#forgetIdle(key, line);
    }
  }

  /** Takes the next waiting call of a line whose caller is still there; drops those before it. */
  #nextOf(line: Line): Waiting | undefined {
    for (let next = line.waiting.shift(); next !== undefined; next = line.waiting.shift()) {
      this.#waiting -= 1;
      if (!next.isGone()) return next;
      next.refuse(tooMany("The caller hung up before its turn."));
    }
    return undefined;
  }

  #refuseLate(): void {
    const { now, maxWaitMs } = this.#limits;
    const lastChance = now() - maxWaitMs;
    for (const [key, line] of this.#lines) {
      const onTime = line.waiting.findIndex(({ since }) => since >= lastChance);
      const late = line.waiting.splice(0, onTime === -1 ? line.waiting.length : onTime);
      this.#waiting -= late.length;
      for (const { refuse } of late) refuse(new ApiError("unavailable", { retryAfter: maxWaitMs / 1000 }));
      this.#forgetIdle(key, line);
    }
    if (this.#waiting > 0) return;
    clearInterval(this.#looking);
    this.#looking = undefined;
  }
}
