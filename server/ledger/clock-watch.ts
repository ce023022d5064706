import { ApiError } from "../../src/contract/shared/errors.ts";
import type { Sql } from "../database/connect.ts";
import { CLOCK_LIMIT_MS, type ClockReading, jumpBetween, type MachineClock } from "./model/machine-clock.ts";
import { type ClockState, keepClockMark, readClockState, type ToldClock } from "./storage/clock-marks.ts";

/**
 * Thrown, or the cause of a 503 `unavailable`, while a clock is wrong: its message says what is wrong and what a person
 * has to do.
 */
export class ClockError extends Error {
  override readonly name = "ClockError";
}

/** A fault of a clock, for the log: its description, and the two instants that do not agree, as ISO 8601 text. */
export interface ClockFault {
  readonly fault: string;
  readonly own: string;
  readonly other: string;
}

/** The dependencies of a process's clock watch. */
export interface ClockWatchOptions {
  readonly sql: Sql;
  readonly clock: () => Date;
  readonly machine: MachineClock;
  /** Called once for each fault, until the clock is right again. */
  readonly onFault: (fault: ClockFault) => void;
}

const WHAT_TO_DO = "Set the clock right, then say so: npm run clock -- confirm, with today's date.";

/** How far apart two clocks are, in words. */
function secondsText(ms: number): string {
  return `${Math.round(Math.abs(ms) / 1000)} s`;
}

/** The fault of a clock, as far as the machine and the postings tell; undefined when there is none. */
function clockFaultOf(reading: ClockReading, state: ClockState): ClockFault | undefined {
  const { seen, newest, confirmedPostingId } = state;
  const own = reading.at.toISOString();
  // After a start of the machine under the same name its uptime began anew: there is nothing to compare with.
  const jumpMs = seen === undefined || reading.upMs < seen.upMs ? 0 : jumpBetween(seen, reading);
  if (seen !== undefined && Math.abs(jumpMs) > CLOCK_LIMIT_MS) {
    const other = new Date(reading.at.getTime() - jumpMs).toISOString();
    return { fault: `the wall clock jumped ${jumpMs > 0 ? "ahead" : "back"} by ${secondsText(jumpMs)}`, own, other };
  }
  if (newest === undefined || (confirmedPostingId !== null && newest.id <= confirmedPostingId)) return undefined;
  const aheadMs = newest.createdAt.getTime() - reading.at.getTime();
  if (aheadMs <= CLOCK_LIMIT_MS) return undefined;
  const other = newest.createdAt.toISOString();
  return { fault: `the newest posting is ${secondsText(aheadMs)} ahead of the wall clock`, own, other };
}

/**
 * Watches the wall clock of a process. Every commit compares it with the database's clock, and fails when the two are
 * too far apart. Both may be one machine's, so it is also compared with the machine's uptime and the newest posting:
 * once it strayed, nothing is accrued or closed until a person confirms the time.
 */
export class ClockWatch {
  readonly #options: ClockWatchOptions;
  /** The last reading that was taken for right, and the confirmation that it followed. */
  #base: ClockReading;
  #confirmedId = 0n;
  #told = "";
  #keeping: Promise<void> | undefined;

  private constructor(options: ClockWatchOptions) {
    this.#options = options;
    this.#base = this.#read();
  }

  /**
   * Starts the watch: compares the clock with the readings of earlier processes of this machine and with the newest
   * posting. A process whose clock differs from the database's starts, and commits nothing.
   */
  static async start(options: ClockWatchOptions): Promise<ClockWatch> {
    const watch = new ClockWatch(options);
    await watch.look().catch((error: unknown) => {
      if (!(error instanceof ApiError)) throw error;
    });
    return watch;
  }

  #read(): ClockReading {
    const { clock, machine } = this.#options;
    return { at: clock(), upMs: machine.upMs() };
  }

  #tell(fault: ClockFault): void {
    // The instants differ at every check; each kind of fault is reported once.
    const kind = fault.fault.replace(/\d+/g, "");
    if (this.#told === kind) return;
    this.#told = kind;
    this.#options.onFault(fault);
  }

  /** Throws 503 `unavailable` when our clock and the database's are further apart than they may be. */
  #requireTogether(at: Date, databaseAt: Date): void {
    const { databaseTime = (told: Date) => told } = this.#options.machine;
    const database = databaseTime(databaseAt);
    const apartMs = at.getTime() - database.getTime();
    if (Math.abs(apartMs) <= CLOCK_LIMIT_MS) return;
    const fault = `this clock and the database's are ${secondsText(apartMs)} apart`;
    this.#tell({ fault, own: at.toISOString(), other: database.toISOString() });
    throw new ApiError("unavailable", { cause: new ClockError(`${fault}: set the wrong one right`) });
  }

  /**
   * True if interest may be accrued at a commit's moment, as its locking statement reported the clock. Throws 503
   * `unavailable` when the commit may not be made at all.
   */
  judge(at: Date, { databaseAt, mark }: ToldClock): boolean {
    this.#requireTogether(at, databaseAt);
    const reading = { at, upMs: this.#options.machine.upMs() };
    if (mark?.kind === "confirmed" && mark.id > this.#confirmedId) {
      this.#base = reading;
      this.#confirmedId = mark.id;
    }
    const hasJumped = Math.abs(jumpBetween(this.#base, reading)) > CLOCK_LIMIT_MS;
    const isStrayed = mark?.kind === "strayed";
    if (hasJumped && !isStrayed) this.#keepStrayed();
    else if (!isStrayed) this.#told = "";
    return !hasJumped && !isStrayed;
  }

  /** Stores the fault for all processes, later ones included, without delaying the commit. */
  #keepStrayed(): void {
    this.#keeping ??= this.look()
      .then(() => undefined)
      .catch(() => undefined)
      .finally(() => {
        this.#keeping = undefined;
      });
  }

  /** Compares the clock with all earlier readings, stores new marks, and returns the fault, if any. */
  async look(): Promise<ClockFault | undefined> {
    const { sql, machine } = this.#options;
    const state = await readClockState(sql, machine.id);
    const reading = this.#read();
    this.#requireTogether(reading.at, state.databaseAt);
    const kept = { ...reading, machine: machine.id, newestPostingId: state.newest?.id ?? null };
    if (state.mark?.kind === "strayed") return { ...standing(reading), fault: state.note ?? "" };
    const isFirst = state.seen === undefined || reading.upMs < state.seen.upMs;
    const fault = clockFaultOf(reading, state);
    if (isFirst) await keepClockMark(sql, { ...kept, kind: "seen", note: "first look" });
    this.#base = isFirst || state.seen === undefined ? reading : state.seen;
    this.#confirmedId = state.mark?.id ?? 0n;
    if (fault === undefined) return undefined;
    this.#tell(fault);
    await keepClockMark(sql, { ...kept, kind: "strayed", note: fault.fault });
    return fault;
  }

  /** Throws {@link ClockError} while nothing may be accrued or closed. */
  async requireSure(): Promise<void> {
    const fault = await this.look().catch((error: unknown) => {
      throw error instanceof ApiError && error.cause instanceof ClockError ? error.cause : error;
    });
    if (fault === undefined) return;
    throw new ClockError(`Nothing is accrued or closed, because ${fault.fault}. ${WHAT_TO_DO}`);
  }

  /** Waits for a mark that is being kept. */
  async close(): Promise<void> {
    await this.#keeping;
  }
}

function standing({ at }: ClockReading): Omit<ClockFault, "fault"> {
  return { own: at.toISOString(), other: at.toISOString() };
}
